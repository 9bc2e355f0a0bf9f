/** Changes: the order of the ports, how many of them, and a port without a change. */
import { expect, it } from '@jest/globals';
import { changesRoute } from '../../../../core/contracts/changes.ts';
import { csv, representation } from '../../../../core/http/response.ts';
import { type PortRow, packRecent } from '../../../../core/store/ports.ts';
import { changes } from '../../../../lambdas/endpoints/changes.ts';
import { memoryTables } from '../../../builders/memory-table.ts';
import { putPort } from '../../../builders/series-values.ts';

const AS_OF = Date.UTC(2026, 0, 6, 12);
const SCORES = [null, ...Array.from({ length: 29 }, (_, i) => i / 100)];

function row(port: string, congestionScore?: number): PortRow {
  const counts = { arrivals24h: 1, departures24h: 1, atAnchor: 21, inPort: 30 };
  const change = congestionScore && { congestionScore, avgWaitHours: -1.5, atAnchor: 12 };
  return {
    port,
    name: `Port ${port}`,
    countryCode: port.slice(0, 2),
    latitude: 1,
    longitude: 2,
    sources: ['scripted'],
    snapshot: { asOfAt: AS_OF, congestionScore: 0.4, avgWaitHours: 3.5, ...counts },
    recent: packRecent({ scores: SCORES, ...(change ? { change } : {}) }),
  };
}
const { snapshot: _, recent: __, ...unobserved } = row('NLRTM');
const ROWS = [
  row('SGSIN', 0.1),
  row('HKHKG', -0.3),
  row('FIKTK'),
  row('CNSGH', 0.1),
  unobserved,
  { ...unobserved, port: 'AUBNE' },
];

async function list(limit: number, rows = ROWS) {
  const tables = memoryTables(['ports']);
  for (const portRow of rows) await putPort(tables.ports, portRow);
  const respond = changes.create(tables, { now: () => AS_OF, region: 'local' });
  return respond({ path: {}, query: { limit, format: 'json' } }, new Map());
}

it('has the largest change first, up or down, ties by UN/LOCODE, ports without one last', async () => {
  const records = await list(500);
  expect(records.map(({ port }) => port)).toEqual(['HKHKG', 'CNSGH', 'SGSIN', 'FIKTK', 'AUBNE', 'NLRTM']);
  expect(records[0]).toEqual({
    port: 'HKHKG',
    name: 'Port HKHKG',
    country: 'HK',
    as_of: '2026-01-06T12:00:00Z',
    congestion_score: 0.4,
    congestion_score_change: -0.3,
    avg_wait_hours: 3.5,
    avg_wait_hours_change: -1.5,
    at_anchor: 21,
    at_anchor_change: 12,
    scores: SCORES,
  });
  expect(records[3]).toMatchObject({ congestion_score_change: null, scores: SCORES });
  expect(records[4]).toMatchObject({
    as_of: null,
    congestion_score: null,
    at_anchor_change: null,
    scores: [],
  });
  expect(changesRoute.response.safeParse(records)).toMatchObject({ success: true });
});

it('has an observed port without a change before those never observed, so that the list may be cached', async () => {
  const records = await list(1, [{ ...unobserved, port: 'AUBNE' }, unobserved, row('SGSIN')]);
  expect(records.map(({ port }) => port)).toEqual(['SGSIN']);
  const { headers } = representation(changesRoute, { path: {}, query: {} }, records, AS_OF);
  expect(headers['Cache-Control']).toBe('public, max-age=300');
});

it('has no more ports than asked for', async () => {
  expect((await list(2)).map(({ port }) => port)).toEqual(['HKHKG', 'CNSGH']);
});

it('writes a day without a score as an empty item of CSV', async () => {
  const [line] = csv(['scores'], (await list(1)) as object[])
    .split('\n')
    .slice(1);
  expect(line).toBe(` ${SCORES.slice(1).join(' ')}`);
});

it('is not cached until a port has been observed', () => {
  const empty = representation(changesRoute, { path: {}, query: {} }, [], AS_OF);
  expect(empty.headers['Cache-Control']).toBe('no-store');
});
