import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Alert } from '../../../../core/metrics/figures.ts';
import { addDays, DAY_MS, dayOf, HOUR_MS, startOfDay } from '../../../../core/reference/time.ts';
import { createAlertStore } from '../../../../core/store/alerts.ts';
import { alerts } from '../../../../lambdas/endpoints/alerts.ts';
import { memoryTables } from '../../../builders/memory-table.ts';

const PORT = 'HKHKG';
const TODAY = '2026-03-10';
const NOW = startOfDay(TODAY) + 12 * HOUR_MS;
const DAYS_BACK = 40;

const alertAt = (asOfAt: number): Alert => ({
  type: 'threshold',
  metric: 'congestion_score',
  severity: 'low',
  changeFraction: 0.1,
  asOfAt,
  explain: 'x',
});

/** The `as_of` of each alert in the window, oldest first, where the port has alerts at `instants`. */
async function windowsOf(instants: readonly number[]) {
  const tables = memoryTables(['alerts', 'alertFeed', 'ports', 'vintages']);
  await tables.ports.put({ port: PORT });
  await createAlertStore(tables.alerts, tables.alertFeed).replace(PORT, instants.map(alertAt), []);
  const respond = alerts.create(tables, { now: () => NOW, region: 'local' });
  return async (days: number, until?: string): Promise<number[]> => {
    const query = { window: 30, days, until, as_of: undefined, format: 'json' } as const;
    return (await respond({ path: { UNLOCODE: PORT }, query }, new Map()))
      .map(({ as_of }) => Date.parse(as_of))
      .reverse();
  };
}

describe('the window of alerts', () => {
  it('is one day for days=1: without the midnight that ended the day before, with the one that ends the day', async () => {
    const [first, last] = [startOfDay('2026-03-04'), startOfDay('2026-03-05')];
    const alertsOf = await windowsOf([first, first + 1_000, last, last + 1_000]);
    expect(await alertsOf(1, '2026-03-04')).toEqual([first + 1_000, last]);
  });

  it('shares nothing with the window before it, and leaves nothing out between them', async () => {
    const instant = fc.oneof(
      fc.integer({ min: 0, max: DAYS_BACK }).map((day) => startOfDay(TODAY) - day * DAY_MS),
      fc.integer({ min: 0, max: DAYS_BACK * 86_400 }).map((seconds) => NOW - seconds * 1_000),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(instant, { maxLength: 60 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 2, maxLength: 6 }),
        async (instants, lengths) => {
          const alertsOf = await windowsOf(instants);
          let until = TODAY;
          let joined: number[] = [];
          for (const days of lengths) {
            joined = [...(await alertsOf(days, until)), ...joined];
            until = addDays(until, -days);
          }
          const within = instants.filter((at) => at > startOfDay(addDays(until, 1))).sort((a, b) => a - b);
          expect(joined).toEqual(within);
          expect(await alertsOf(1, dayOf(NOW))).toEqual(await alertsOf(1));
        },
      ),
    );
  });
});
