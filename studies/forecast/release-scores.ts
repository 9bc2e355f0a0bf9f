/** Scores the forecasts of a release of the dataset, ours or another's, from its tables `days` and `forecasts` alone. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FORECAST_METRICS } from '../../core/reference/figure-names.ts';
import { duckdbRows } from '../../test/builders/duckdb.ts';

/** Scores of one metric and horizon. Errors are mean absolute errors, in the unit of the metric. */
export interface ReleaseScore {
  readonly metric: string;
  readonly made: 'issued' | 'replayed';
  readonly horizon: number;
  readonly forecasts: number;
  readonly error: number;
  readonly persistence: number;
  readonly median: number;
  /** Share of the outcomes from p10 to p90. */
  readonly coverage: number;
  /** Mean loss of p10, p50 and p90 (Koenker and Bassett 1978). */
  readonly pinball: number;
}

/** The folder that has the tables: the release itself, or the newest release of a dataset. */
function findRelease(folder: string): string {
  if (existsSync(join(folder, 'table=days'))) return folder;
  const newest = readdirSync(folder)
    .filter((name) => name.startsWith('release='))
    .sort()
    .at(-1);
  if (newest === undefined)
    throw new Error(`${folder} has no release: no folder table=days, none release=DAY`);
  return join(folder, newest);
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The files of a table, in the folders of its years or not. */
const filesOf = (release: string, table: string): string =>
  `read_parquet(${quoted(`${join(release, `table=${table}`)}/**/*.parquet`)}, hive_partitioning = false)`;

async function columnsOf(release: string, table: string): Promise<Set<unknown>> {
  const rows = await duckdbRows(`DESCRIBE SELECT * FROM ${filesOf(release, table)}`);
  return new Set(rows.map(({ column_name: name }) => name));
}

const pinball = ['p10 0.1', 'p50 0.5', 'p90 0.9']
  .map((quantile) => {
    const [name, share] = quantile.split(' ');
    return `greatest(${share} * (value - ${name}), (${share} - 1) * (value - ${name}))`;
  })
  .join(' + ');

/**
 * The scores by metric, horizon and how the forecasts were made. Base lines are made from `days`: the value of the day before `issued`, and the
 * median of the 28 days up to it, where at least 14 must have one. A forecast counts where its day and both base lines have a value.
 */
export async function scoreRelease(folder: string, port?: string): Promise<ReleaseScore[]> {
  const release = findRelease(folder);
  const isMarked = (await columnsOf(release, 'forecasts')).has('replayed');
  const isPartial = (await columnsOf(release, 'days')).has('partial');
  const values = FORECAST_METRICS.map(
    (metric) =>
      `SELECT port, '${metric}' AS metric, date, ${metric} AS value FROM ${filesOf(release, 'days')}
       WHERE ${metric} IS NOT NULL${isPartial ? ' AND NOT partial' : ''}`,
  ).join(' UNION ALL ');
  const rows = await duckdbRows(`
    WITH outcome AS (${values}),
    base AS (
      SELECT port, metric, date, value, median(value) OVER month AS median, count(*) OVER month AS days FROM outcome
      WINDOW month AS (PARTITION BY port, metric ORDER BY date RANGE BETWEEN INTERVAL 27 DAYS PRECEDING AND CURRENT ROW)
    ),
    scored AS (
      SELECT f.metric, ${isMarked ? `CASE WHEN f.replayed THEN 'replayed' ELSE 'issued' END` : `'issued'`} AS made,
        date_diff('day', f.issued, f.day) + 1 AS horizon, f.p10, f.p50, f.p90, outcome.value, base.value AS persistence, base.median
      FROM ${filesOf(release, 'forecasts')} f
      JOIN outcome ON outcome.port = f.port AND outcome.metric = f.metric AND outcome.date = f.day
      JOIN base ON base.port = f.port AND base.metric = f.metric AND base.date = CAST(f.issued - INTERVAL 1 DAY AS DATE) AND base.days >= 14
      ${port === undefined ? '' : `WHERE f.port = ${quoted(port)}`}
    )
    SELECT metric, made, CAST(horizon AS INTEGER) AS horizon, CAST(count(*) AS INTEGER) AS forecasts, avg(abs(value - p50)) AS error,
      avg(abs(value - persistence)) AS persistence, avg(abs(value - median)) AS median,
      avg(CASE WHEN value BETWEEN p10 AND p90 THEN 1.0 ELSE 0.0 END) AS coverage, avg((${pinball}) / 3) AS pinball
    FROM scored GROUP BY ALL ORDER BY metric, made, horizon`);
  return rows as unknown as ReleaseScore[];
}
