import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Alert } from '../../../../core/metrics/figures.ts';
import { addDays, DAY_MS, dayOf, HOUR_MS, startOfDay } from '../../../../core/reference/time.ts';
import { ALERTS } from '../../../../core/store/alerts.ts';
import { memoryTables } from '../../../builders/memory-table.ts';
import { readHandlers } from '../../../builders/read-handlers.ts';
import { putPort, putValues } from '../../../builders/series-values.ts';

const PORT = 'HKHKG';
const COVERED = {
  port: PORT,
  name: 'Hong Kong',
  countryCode: 'HK',
  latitude: 22,
  longitude: 114,
  sources: [],
};
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

const PATH = { UNLOCODE: PORT };

async function handlerOver(alerts: readonly Alert[]) {
  const tables = memoryTables(['alerts', 'ports', 'vintages']);
  await putPort(tables.ports, COVERED);
  await putValues(ALERTS, tables.alerts, PORT, alerts);
  return readHandlers(tables, () => NOW).alerts;
}

/** The `as_of` of each alert in the window, oldest first, where the port has alerts at `instants`. */
async function windowsOf(instants: readonly number[]) {
  const read = await handlerOver(instants.map(alertAt));
  return async (days: number, until?: string): Promise<number[]> => {
    const query = { days: String(days), ...(until && { until }) };
    const listed: { as_of: string }[] = JSON.parse((await read({ path: PATH, query })).body);
    return listed.map(({ as_of }) => Date.parse(as_of)).reverse();
  };
}

it('lists only the alerts that type, severity and metric ask for', async () => {
  const at = NOW - 1000;
  const read = await handlerOver([
    { ...alertAt(at), type: 'threshold', severity: 'low', metric: 'at_anchor' },
    { ...alertAt(at), type: 'unusual', severity: 'medium', metric: 'at_anchor' },
    { ...alertAt(at), type: 'unusual', severity: 'high', metric: 'berthings' },
  ]);
  const ask = (query: Record<string, string>) => read({ path: PATH, query });
  const severities = async (query: Record<string, string>) =>
    JSON.parse((await ask(query)).body).map(({ severity }: { severity: string }) => severity);
  expect(await severities({})).toEqual(['low', 'medium', 'high']);
  expect(await severities({ type: 'unusual' })).toEqual(['medium', 'high']);
  expect(await severities({ metric: 'at_anchor' })).toEqual(['low', 'medium']);
  expect(await severities({ severity: 'medium' })).toEqual(['medium', 'high']);
  expect(await severities({ type: 'unusual', metric: 'at_anchor', severity: 'high' })).toEqual([]);
  const refused: Record<string, string>[] = [
    { type: 'rise' },
    { metric: 'score' },
    { severity: 'severe' },
    { metrics: 'at_anchor' },
  ];
  for (const query of refused) expect((await ask(query)).status).toBe(422);
});

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
