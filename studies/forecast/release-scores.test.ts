/** The score of a release follows from its rows, with the columns of any release. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, expect, it } from '@jest/globals';
import { scoreRelease } from './release-scores.ts';

const folder = mkdtempSync(join(tmpdir(), 'release-scores-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Thirty days whose wait is the number of the day, and two forecasts of one day and of three. */
async function writeTables(inside: string, more = ''): Promise<void> {
  for (const table of ['days', 'forecasts']) mkdirSync(join(inside, `table=${table}`), { recursive: true });
  const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
  await duckdb.run(`COPY (SELECT 'TWKHH' AS port, DATE '2025-01-01' + CAST(n AS INTEGER) AS date, CAST(n + 1 AS DOUBLE) AS avg_wait_hours,
    CAST(NULL AS DOUBLE) AS congestion_score, CAST(NULL AS DOUBLE) AS at_anchor FROM range(31) AS days(n))
    TO '${inside}/table=days/part-0.parquet' (FORMAT parquet)`);
  await duckdb.run(`COPY (SELECT * FROM (VALUES
    ('TWKHH', 'avg_wait_hours', DATE '2025-01-29', DATE '2025-01-29', 20.0, 27.0, 28.0, 'regression'${more && ', true'}),
    ('TWKHH', 'avg_wait_hours', DATE '2025-01-29', DATE '2025-01-31', 20.0, 30.0, 40.0, 'regression'${more && ', true'}),
    ('TWKHH', 'avg_wait_hours', DATE '2025-01-30', DATE '2025-01-30', 20.0, 31.0, 40.0, 'regression'${more && ', false'}),
    ('TWKHH', 'avg_wait_hours', DATE '2025-01-31', DATE '2025-02-01', 20.0, 31.0, 40.0, 'regression'${more && ', false'})
    ) AS forecasts(port, metric, issued, day, p10, p50, p90, method${more}))
    TO '${inside}/table=forecasts/part-0.parquet' (FORMAT parquet)`);
}

it('of errors, base lines and bands by horizon', async () => {
  await writeTables(join(folder, 'release=2025-02-01'));
  const scores = await scoreRelease(folder);
  expect(scores.map(({ horizon, forecasts }) => [horizon, forecasts])).toEqual([
    [1, 2],
    [3, 1],
  ]);
  // 29 after 28 and 30 after 29; the medians of 1 to 28 and of 2 to 29.
  expect(scores[0]).toMatchObject({
    metric: 'avg_wait_hours',
    made: 'issued',
    error: 1.5,
    persistence: 1,
    median: 14.5,
    coverage: 0.5,
  });
  const losses = [0.1 * 9 + 0.5 * 2 + 0.9 * 1, 0.1 * 10 + 0.5 * 1 + 0.1 * 10].map((sum) => sum / 3);
  expect(scores[0]?.pinball).toBeCloseTo(((losses[0] ?? 0) + (losses[1] ?? 0)) / 2, 10);
  expect(scores[1]).toMatchObject({ error: 1, persistence: 3, coverage: 1 });
  expect(await scoreRelease(folder, 'HKHKG')).toEqual([]);
});

it('apart where forecasts were made afterwards', async () => {
  const inside = join(folder, 'marked');
  await writeTables(inside, ', replayed');
  const scores = await scoreRelease(inside);
  expect(scores.map(({ made, horizon, forecasts }) => [made, horizon, forecasts])).toEqual([
    ['issued', 1, 1],
    ['replayed', 1, 1],
    ['replayed', 3, 1],
  ]);
});

it('of a folder without a release is refused', async () => {
  await expect(scoreRelease(tmpdir())).rejects.toThrow('has no release');
});
