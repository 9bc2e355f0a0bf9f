/** The public status of the service from the rows of its sources. */
import { expect, it } from '@jest/globals';
import { serviceStatus } from '../../../core/ingest/service-status.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../core/reference/time.ts';

const NOW_AT = Date.UTC(2026, 10, 20, 12);
const declared = (id: string, more = {}) => ({
  id,
  name: `Source ${id}`,
  everyMinutes: 10,
  freshnessBudgetMinutes: 60,
  ...more,
});
const ago = (minutes: number): number => NOW_AT - minutes * MINUTE_MS;

it('lists what was fetched or tried, with state and outages, the lasting one without an end', () => {
  const status = serviceStatus(
    ['fresh', 'late', 'stale', 'failing', 'only-leased', 'unknown'].map((id) => declared(id)),
    [
      { source: 'stale', failures: 4, lastFetchAt: ago(120), knownSinceAt: ago(6000), outages: [] },
      {
        source: 'late',
        failures: 1,
        lastFetchAt: ago(25),
        knownSinceAt: NOW_AT - 200 * DAY_MS,
        outages: [
          { fromAt: NOW_AT - 100 * DAY_MS, toAt: NOW_AT - 91 * DAY_MS },
          { fromAt: NOW_AT - 5 * HOUR_MS, toAt: NOW_AT - 3 * HOUR_MS },
        ],
      },
      { source: 'fresh', failures: 0, lastFetchAt: ago(5), knownSinceAt: ago(5) },
      { source: 'failing', failures: 2 },
      { source: 'only-leased', failures: 0 },
      { source: 'not-declared', failures: 0, lastFetchAt: ago(5) },
    ],
    NOW_AT,
  );
  expect(status.time).toBe('2026-11-20T12:00:00Z');
  expect(status.sources.map(({ source, state }) => `${source} ${state}`)).toEqual([
    'failing stale',
    'fresh fresh',
    'late late',
    'stale stale',
  ]);
  const [failing, , late, stale] = status.sources;
  expect(failing).not.toHaveProperty('last_fetch_iso');
  expect(late).toEqual({
    source: 'late',
    name: 'Source late',
    state: 'late',
    last_fetch_iso: '2026-11-20T11:35:00Z',
    every_minutes: 10,
    stale_after_minutes: 60,
    known_since_iso: '2026-05-04T12:00:00Z',
    outages: [{ from: '2026-11-20T07:00:00Z', to: '2026-11-20T09:00:00Z' }],
  });
  expect(stale?.outages).toEqual([{ from: '2026-11-20T10:10:00Z' }]);
});
