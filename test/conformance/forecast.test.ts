/** `GET /v1/ports/{UNLOCODE}/forecast`. Ours, not part of the interface specification. */
import { describe, expect, it } from '@jest/globals';
import type { Forecast } from '../../core/contracts/forecast.ts';
import { rowsOf } from './csv-rows.ts';
import { get, PORT_WITH_HISTORY as PORT } from './service.ts';
import { expectError } from './statements.ts';

const path = (query = ''): string => `/v1/ports/${PORT}/forecast${query}`;
const forecastOf = async (query = ''): Promise<Forecast> => (await get(path(query))).json();
const METRICS = ['avg_wait_hours', 'at_anchor', 'congestion_score'];
const COLUMNS =
  'port,metric,as_of,history_days,replayed,skill_basis,skill_origins,skill_from,skill_to,error,ratio_to_persistence,ratio_to_median,coverage,date,p10,p50,p90,method';

describe('4. The forecast of a port', () => {
  it('[S2.45] [S2.46] [S4.70] seven days with p10 <= p50 <= p90, and the skill of each horizon', async () => {
    for (const metric of METRICS) {
      const { rows, skill, ...head } = await forecastOf(`?metric=${metric}`);
      expect(head).toMatchObject({ port: PORT, metric, reason: null });
      const from = Date.parse(`${head.as_of?.slice(0, 10)}T00:00:00Z`);
      expect(rows.map(({ date }) => Date.parse(date))).toEqual(
        [0, 1, 2, 3, 4, 5, 6].map((days) => from + days * 86_400_000),
      );
      for (const { p10, p50, p90 } of rows) {
        expect([p10, p50, p90]).toEqual([p10, p50, p90].sort((a, b) => a - b));
        expect(p10).toBeGreaterThanOrEqual(0);
        if (metric === 'congestion_score') expect(p90).toBeLessThanOrEqual(1);
      }
      expect(skill?.horizons.map(({ horizon }) => horizon)).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect(skill?.origins).toBeGreaterThan(0);
      expect(skill?.to.localeCompare(head.as_of ?? '')).toBe(-1);
      for (const { error, coverage } of skill?.horizons ?? []) {
        expect(error).toBeGreaterThanOrEqual(0);
        expect(coverage).toBeGreaterThanOrEqual(0);
        expect(coverage).toBeLessThanOrEqual(1);
      }
    }
    expect(await forecastOf()).toEqual(await forecastOf('?metric=avg_wait_hours'));
  });

  it('[S2.47] the CSV has one line a day, with the head and the skill of its horizon', async () => {
    const { port, metric, as_of, history_days, replayed, skill, rows } = await forecastOf();
    const { text, headers } = await get(path('?format=csv'));
    expect(headers['content-disposition']).toContain(`${PORT}-forecast-avg-wait-hours.csv`);
    expect(text.split('\n')[0]).toBe(COLUMNS);
    const skillCells = [skill?.basis, skill?.origins, skill?.from, skill?.to];
    const head = [port, metric, as_of, history_days, replayed, ...skillCells];
    const cells = rows.map((row, at) => {
      const { horizon: _, ...own } = skill?.horizons[at] ?? {};
      return [...head, ...Object.values(own), ...Object.values(row)].map((value) => String(value ?? ''));
    });
    expect(rowsOf(text)).toEqual(cells);
  });

  it('[S4.71] any other metric is 422, and as_of gives the forecast as it was issued', async () => {
    const { hint } = expectError(await get(path('?metric=vessels')), 422, 'validation_failed');
    expect(hint).toContain(`/v1/ports/${PORT}/forecast`);
    expectError(await get(path('?as_of=2999-01-01')), 422, 'validation_failed');
    const issued = await forecastOf();
    expect(await forecastOf(`?as_of=${issued.as_of?.slice(0, 10)}`)).toEqual(issued);
    expect((await forecastOf('?as_of=2001-01-01')).rows).toEqual([]);
  });
});
