/** The served skill equals what a program of its own makes of the stored forecasts and the figures of the days. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { issueForecasts } from '../../../core/ingest/port-writes.ts';
import type { DayFigures } from '../../../core/metrics/figures.ts';
import type { IssuedForecast } from '../../../core/metrics/forecast-model.ts';
import { FORECAST_METRICS, type ForecastMetric } from '../../../core/reference/figure-names.ts';
import { addDays, startOfDay } from '../../../core/reference/time.ts';
import type { StoredForecast } from '../../../core/store/forecasts.ts';
import { startMemoryIngest } from '../../builders/memory-ingest.ts';
import { readHandlers } from '../../builders/read-handlers.ts';

const PROGRAM = fileURLToPath(new URL('../../recompute/forecast-skill.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'recomputed-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PORT = 'HKHKG';
const FIRST_DAY = '2026-01-01';
/** The days of the history, and those of them that a forecast is issued from. */
const DAYS = 164;
const ISSUED_DAYS = 72;

/** A queue that comes and goes, with a gap of two days. */
const rows = Array.from({ length: DAYS }, (_, at): DayFigures => {
  const queue = 2 + ((at * at) % 13) / 3 + (at % 40 < 6 ? 9 : 0);
  const day = { day: addDays(FIRST_DAY, at), coverage: 1, vessels: 30 };
  if (at === 110 || at === 111) return day;
  return {
    ...day,
    dayAtAnchor: queue,
    endAtAnchor: Math.round(queue),
    dayWaits: 9,
    dayWaitHours: 2 * queue,
    avgWaitHours: Math.round(18 * queue + (at % 7)) / 10,
    congestionScore: Math.round(40 * queue + (at % 7)) / 1000,
  };
});

const endAt = startOfDay(addDays(FIRST_DAY, DAYS));
const ingest = startMemoryIngest({ nowAt: endAt });
/** Issues from the first `count` days. */
const issueAfter = (count: number) => {
  const asOfAt = startOfDay(addDays(FIRST_DAY, count));
  const fetch = { nowAt: asOfAt, replays: false };
  const input = { port: PORT, days: rows.slice(0, count), asOfAt, issuedDay: undefined, fetch };
  return issueForecasts(ingest.stores.forecasts, input, async () => {});
};

/** What was issued `later` days after the first one, with other figures: any that were stored count. */
const issuedLater = ({ originDay, days = [] }: StoredForecast, later: number): IssuedForecast => ({
  originDay: addDays(originDay, later),
  days: days.map((row) => {
    const [more, day] = [(later * later) % 7, addDays(row.day, later)];
    const { regression, median, persistence } = row.candidates;
    const candidates = { regression: regression + more, median, persistence: persistence + 2 };
    return { ...row, day, p50: row.p50 + more, p90: row.p90 + more + (later % 3), candidates };
  }),
});

beforeAll(async () => {
  const { forecasts } = ingest.stores;
  const firstDay = await issueAfter(DAYS - ISSUED_DAYS + 1);
  for (const metric of FORECAST_METRICS) {
    const [first] = await forecasts.between(PORT, metric, firstDay, firstDay);
    if (first?.days === undefined) throw new Error('none was issued');
    for (let later = 1; later < ISSUED_DAYS - 1; later += 1)
      await forecasts.write(PORT, [[metric, { ...first, ...issuedLater(first, later) }]]);
    // Made afterwards, of the first days: no skill counts it.
    const early = { ...first, originDay: addDays(firstDay, -1), replayed: true } as const;
    await forecasts.write(PORT, [[metric, early]]);
  }
  await issueAfter(DAYS);
});

/** Writes the rows, the figures and the response, and compares the last by the program. */
async function recompute(metric: ForecastMetric, change: (csv: string) => string = (csv) => csv) {
  const issued = await ingest.tables.forecasts.query(`${PORT}#${metric}`);
  const figures = rows.map(({ day, avgWaitHours = '', dayAtAnchor = '', congestionScore = '' }) => [
    day,
    avgWaitHours,
    dayAtAnchor,
    congestionScore,
  ]);
  const { body } = await readHandlers(ingest.tables, () => endAt).forecast({
    path: { UNLOCODE: PORT },
    query: { metric: [metric], format: ['csv'] },
  });
  const files = {
    'issued.json': JSON.stringify(issued),
    'figures.csv': `${[['date', 'avg_wait_hours', 'at_anchor', 'congestion_score'], ...figures].join('\n')}\n`,
    'served.csv': change(body),
  };
  const paths = Object.entries(files).map(([name, text]) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  });
  const [issuedPath = '', figuresPath = '', servedPath = ''] = paths;
  const result = spawnSync(process.execPath, [PROGRAM, issuedPath, figuresPath, metric, servedPath], {
    encoding: 'utf8',
  });
  return { ...result, body };
}

it.each(FORECAST_METRICS)('of %s', async (metric) => {
  const { status, stderr, body } = await recompute(metric);
  expect([status, stderr]).toEqual([0, '']);
  expect(body).toContain(',issued,');
});

it('and a served skill that is another is found', async () => {
  const { status } = await recompute('at_anchor', (csv) => csv.replace(/(,issued,\d+)/, '$10'));
  expect(status).toBe(1);
});
