/** The forecast of Kaohsiung from its real lists, read day after day; skipped where they are absent (REAL_REPLIES names their folder). */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import type { Forecast } from '../../../core/contracts/forecast.ts';
import { DAY_MS, HOUR_MS } from '../../../core/reference/time.ts';
import { tipcTaiwan } from '../../../core/sources/tipc-taiwan/source.ts';
import { longIt } from '../../builders/extent.ts';
import { startMemoryIngest } from '../../builders/memory-ingest.ts';
import { readHandlers } from '../../builders/read-handlers.ts';

const folder = join(process.env.REAL_REPLIES ?? '', 'taiwan');
const isThere = process.env.REAL_REPLIES !== undefined && existsSync(join(folder, 'months'));
const PORT = 'TWKHH';

/** The lists of half a year, as one reply would have them. */
const lists = () =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((path) => {
      const [, direction, month] = /khh_(in|out)port_expect_2025(\d{2})\.xml\.gz$/.exec(path) ?? [];
      if (direction === undefined) return [];
      return [[`${direction}-port-KHH-${month}.xml`, gunzipSync(readFileSync(join(folder, path)))] as const];
    }),
  );

(isThere ? longIt : it.skip)('is issued each day, kept as issued, and served with its skill', async () => {
  const firstAt = Date.UTC(2025, 5, 10, 6);
  const ingest = startMemoryIngest({ nowAt: firstAt });
  const files = lists();
  const source = { ...tipcTaiwan, fetch: async () => files };
  const reads = readHandlers(ingest.tables, () => ingest.clock.nowAt);
  const told: Forecast[] = [];
  for (let day = 0; day < 3; day += 1) {
    ingest.clock.nowAt = firstAt + day * DAY_MS;
    expect(await ingest.pass(source)).toMatchObject({ state: 'ok' });
    for (const metric of ['avg_wait_hours', 'at_anchor', 'congestion_score']) {
      const { body } = await reads.forecast({ path: { UNLOCODE: PORT }, query: { metric: [metric] } });
      const forecast: Forecast = JSON.parse(body);
      expect(forecast).toMatchObject({ reason: null, skill: { basis: 'rolling' } });
      expect(forecast.history_days).toBeGreaterThan(150);
      expect(forecast.rows[0]?.date).toBe(`2025-06-${10 + day}`);
      if (metric === 'at_anchor') told.push(forecast);
    }
    ingest.clock.nowAt += 12 * HOUR_MS;
    await ingest.pass(source);
  }
  const issued = await ingest.stores.forecasts.issued(PORT, 'at_anchor', '2025-01-01', '2025-12-31');
  expect(issued.map(({ days }) => days.map(({ day, p50 }) => [day, p50]))).toEqual(
    told.map(({ rows }) => rows.map(({ date, p50 }) => [date, p50])),
  );
});
