/** Rows of a series: what states since when a value is known, and what is appended when another replaces it. */
import { expect, it } from '@jest/globals';
import { ALERTS } from '../../../core/store/alerts.ts';
import { TREND } from '../../../core/store/day-series.ts';
import { PORTS, portsAsOf } from '../../../core/store/ports.ts';
import { createSeriesStore } from '../../../core/store/series.ts';
import { memoryTables } from '../../builders/memory-table.ts';

const PORT = 'HKHKG';
const [MONDAY, TUESDAY, FRIDAY] = ['2026-01-05', '2026-01-06', '2026-01-09'];
const on = (day: string, backfilled = false) => ({ day, backfilled });

const start = () => memoryTables(['alerts', 'dailyMetrics', 'ports', 'vintages']);

it('a replaced value is appended under the names of its row, and a value that stays is known since before', async () => {
  const tables = start();
  const series = createSeriesStore(TREND, tables.dailyMetrics, tables.vintages);
  const running = { day: MONDAY, coverage: 0.5, vessels: 3 };
  const first = await series.replace(PORT, [running], [], on(MONDAY));
  const whole = { day: MONDAY, coverage: 1, vessels: 4, congestionScore: 0.25 };
  const second = await series.replace(PORT, [whole], first, on(TUESDAY));
  // Nothing that is served differs.
  const third = await series.replace(PORT, [{ ...whole, coverage: 0.9 }], second, on(FRIDAY));
  expect(await tables.dailyMetrics.scan()).toEqual([{ port: PORT, ...third[0] }]);
  expect(third).toEqual([{ ...whole, coverage: 0.9, knownOn: TUESDAY }]);
  const was = { day: MONDAY, vessels: 3, knownOn: MONDAY };
  expect(await tables.vintages.scan()).toEqual([
    { series: `trend#${PORT}`, at: `${MONDAY}#${MONDAY}`, ...was },
  ]);
  expect((await series.asOf(PORT, MONDAY)).rows).toEqual([was]);
  expect(await series.current(PORT)).toEqual([{ day: MONDAY, vessels: 4, congestionScore: 0.25 }]);
});

it('a deleted value leaves its last one and its end, one of the day itself nothing', async () => {
  const tables = start();
  const series = createSeriesStore(ALERTS, tables.alerts, tables.vintages);
  const alert = {
    type: 'unusual',
    metric: 'berthings',
    severity: 'low',
    changeFraction: 1,
    asOfAt: Date.parse(`${TUESDAY}T10:00:00Z`),
    explain: 'x',
  } as const;
  const stored = await series.replace(PORT, [alert], [], on(TUESDAY));
  await series.replace(PORT, [], stored, on(FRIDAY, true));
  const key = `${TUESDAY}T10:00:00Z#berthings#unusual`;
  expect(await tables.vintages.query(`alerts#${PORT}`)).toEqual([
    { series: `alerts#${PORT}`, at: `${key}#${TUESDAY}`, ...alert, knownOn: TUESDAY },
    { series: `alerts#${PORT}`, at: `${key}#${FRIDAY}`, gone: true, knownOn: FRIDAY, backfilled: true },
  ]);
  expect((await series.asOf(PORT, FRIDAY)).rows).toEqual([]);

  const again = await series.replace('FIHEL', [alert], [], on(TUESDAY));
  await series.replace('FIHEL', [], again, on(TUESDAY));
  expect(await tables.vintages.query('alerts#FIHEL')).toEqual([]);
});

it('the figures of a port stand in the list of every day that ended with them', async () => {
  const tables = start();
  const series = createSeriesStore(PORTS, tables.ports, tables.vintages);
  const covered = { port: PORT, name: 'x', countryCode: 'HK', latitude: 1, longitude: 2, sources: [] };
  const rows = await series.replace('', [{ ...covered, firstDay: MONDAY }], [], on(TUESDAY));
  const now = await series.replace('', [{ ...covered, firstDay: TUESDAY }], rows, on(FRIDAY));
  const lists = (await tables.vintages.scan()).map(({ series: list }) => list);
  expect(lists).toEqual(['ports#2026-01-06', 'ports#2026-01-07', 'ports#2026-01-08']);
  const firstDays = async (day: string) =>
    (await portsAsOf(series, now, day)).rows.map(({ firstDay }) => firstDay);
  expect(await firstDays(MONDAY)).toEqual([]);
  expect(await firstDays('2026-01-08')).toEqual([MONDAY]);
  expect(await firstDays(FRIDAY)).toEqual([TUESDAY]);
});

it('a row with other attributes is refused', async () => {
  const tables = start();
  await tables.dailyMetrics.put({ port: PORT, day: MONDAY, vessels: '3' });
  const series = createSeriesStore(TREND, tables.dailyMetrics, tables.vintages);
  await expect(series.current(PORT)).rejects.toThrow('cannot be read: vessels');
});
