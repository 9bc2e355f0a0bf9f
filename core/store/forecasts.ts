/**
 * Forecasts as issued, one row a UTC day of one metric of a port, which is never rewritten: the whole response, rows, skill and
 * reason, under `origin`, the last day that it knew. The newest row is what is served, so that a read is one lookup.
 */
import * as z from 'zod/mini';
import type {
  ForecastDay,
  ForecastMetric,
  HorizonSkill,
  IssuedForecast,
  Skill,
} from '../metrics/forecast.ts';
import type { Locode } from '../reference/codes.ts';
import { FORECAST_METHODS, FORECAST_METRICS } from '../reference/figure-names.ts';
import { FRACTION_DECIMALS, SCORE_DECIMALS } from '../reference/statistics.ts';
import { addDays, type Day, type Instant } from '../reference/time.ts';
import { parseRow, type Row, type Table } from './table.ts';

/** Why there is no forecast: fewer than 90 days of history, or no value of the newest complete day. */
export type ForecastReason = 'short_history' | 'stale';

/** What was served on the day after `originDay`, without the port and the metric. */
export type StoredForecast = {
  readonly originDay: Day;
  /** The newest observation then. */
  readonly asOfAt: Instant;
  /** Days of the history with a value. */
  readonly historyDays: number;
  /** Made from an archive after its first day had ended, so it was not published in time. */
  readonly replayed?: true | undefined;
} & (
  | { readonly days: IssuedForecast['days']; readonly skill: Skill; readonly reason?: undefined }
  | { readonly reason: ForecastReason; readonly days?: undefined; readonly skill?: undefined }
);

/** The rows of a stored forecast, which is all that a score of it needs; none where there is only a reason. */
export type StoredRows = Pick<StoredForecast, 'originDay' | 'replayed' | 'days'>;

/** Whether it counts for the skill: it has rows, and was issued before their days. */
export const isIssued = (stored: StoredRows): stored is IssuedForecast =>
  stored.days !== undefined && stored.replayed === undefined;

/** `p50` of the base lines, which is that of every day. */
type BaseLines = Omit<ForecastDay['candidates'], 'regression'>;

const STORED_ROWS = z.object({
  origin: z.string(),
  replayed: z.optional(z.literal(true)),
  reason: z.optional(z.enum(['short_history', 'stale'])),
  persistence: z.optional(z.number()),
  median: z.optional(z.number()),
  figures: z.optional(z.string()),
});
const STORED = z.extend(STORED_ROWS, {
  asOfAt: z.number(),
  historyDays: z.number(),
  skill: z.optional(z.string()),
});

const seriesKey = (port: Locode, metric: ForecastMetric): string => `${port}#${metric}`;

// Figures as text, because a port has a thousand forecasts a year: what is of one day or horizon is joined by spaces, days and horizons by commas.

/** Packs figures, rounded to `decimals`, as digits of base 36; an unknown figure becomes an empty string. */
const packed = (values: readonly (number | undefined)[], decimals: number): string =>
  values
    .map((value) => (value === undefined ? '' : Math.round(value * 10 ** decimals).toString(36)))
    .join(' ');

/** Reads a figure that `packed` wrote with `units` steps to one; undefined for an unknown figure. */
const unpacked = (digits: string | undefined, units: number): number | undefined =>
  digits === undefined || digits === '' ? undefined : Number.parseInt(digits, 36) / units;

const DAY_UNITS = 10 ** SCORE_DECIMALS;
const SKILL_UNITS = 10 ** FRACTION_DECIMALS;

/** p10, p50 and p90; with `p50` of the regression, and the method by number, where it is a base line. The days are those after the origin. */
const packedDay = ({ p10, p50, p90, method, candidates }: ForecastDay): string =>
  method === 'regression'
    ? packed([p10, p50, p90], SCORE_DECIMALS)
    : `${packed([p10, p50, p90, candidates.regression], SCORE_DECIMALS)} ${FORECAST_METHODS.indexOf(method)}`;

function unpackedDay(text: string, day: Day, bases: BaseLines): ForecastDay {
  const [low, middle, high, regression, method] = text.split(' ');
  const p50 = unpacked(middle, DAY_UNITS) ?? 0;
  return {
    day,
    p10: unpacked(low, DAY_UNITS) ?? 0,
    p50,
    p90: unpacked(high, DAY_UNITS) ?? 0,
    method: FORECAST_METHODS[Number(method ?? 0)] ?? 'regression',
    candidates: { regression: unpacked(regression, DAY_UNITS) ?? p50, ...bases },
  };
}

/** Basis, number of origins, first and last, then the horizons, the nearest first: a ratio to no error is not known. */
const packedSkill = ({ basis, origins, fromDay, toDay, horizons }: Skill): string =>
  [
    [basis, origins, fromDay, toDay].join(' '),
    ...horizons.map(({ error, ratioToPersistence, ratioToMedian, coverage }) =>
      packed([error, ratioToPersistence, ratioToMedian, coverage], FRACTION_DECIMALS),
    ),
  ].join(',');

function unpackedSkill(text: string): Skill {
  const [head = '', ...rest] = text.split(',');
  const [basis, origins, fromDay, toDay] = head.split(' ');
  const horizons = rest.map((figures, at): HorizonSkill => {
    const [error, toPersistence, toMedian, coverage] = figures.split(' ');
    return {
      horizon: at + 1,
      error: unpacked(error, SKILL_UNITS) ?? 0,
      ratioToPersistence: unpacked(toPersistence, SKILL_UNITS),
      ratioToMedian: unpacked(toMedian, SKILL_UNITS),
      coverage: unpacked(coverage, SKILL_UNITS) ?? 0,
    };
  });
  return { basis, origins: Number(origins), fromDay, toDay, horizons } as Skill;
}

export type ForecastStore = ReturnType<typeof createForecastStore>;

export function createForecastStore(table: Table) {
  const daysOf = ({ origin, figures, persistence = 0, median = 0 }: z.infer<typeof STORED_ROWS>) =>
    figures
      ?.split(',')
      .map((text, at) => unpackedDay(text, addDays(origin, at + 1), { persistence, median }));

  function read(row: Row): StoredForecast {
    const stored = parseRow(table, STORED, row);
    const { origin, asOfAt, historyDays, replayed, skill, reason } = stored;
    const head = { originDay: origin, asOfAt, historyDays, ...(replayed && { replayed }) };
    const days = daysOf(stored);
    if (days !== undefined && skill !== undefined) return { ...head, days, skill: unpackedSkill(skill) };
    if (reason !== undefined) return { ...head, reason };
    throw new Error(`${table.name} has a row that cannot be read: neither figures with skill nor a reason`);
  }

  return {
    /** The newest that was issued up to the UTC day `until`; undefined where there is none. */
    async newest(port: Locode, metric: ForecastMetric, until: Day): Promise<StoredForecast | undefined> {
      const [row] = await table.query(seriesKey(port, metric), { to: addDays(until, -1), newest: 1 });
      return row && read(row);
    },
    /** Those whose origins are the days from `first` to `last`, oldest first. */
    async between(port: Locode, metric: ForecastMetric, first: Day, last: Day): Promise<StoredForecast[]> {
      const rows = await table.query(seriesKey(port, metric), { from: first, to: last });
      return rows.map(read);
    },
    /** The same without what only a response has: half as much to transfer and decode. */
    async rowsBetween(port: Locode, metric: ForecastMetric, first: Day, last: Day): Promise<StoredRows[]> {
      const only = Object.keys(STORED_ROWS.shape);
      const rows = await table.query(seriesKey(port, metric), { from: first, to: last, only });
      return rows.map((row) => {
        const stored = parseRow(table, STORED_ROWS, row);
        return { originDay: stored.origin, replayed: stored.replayed, days: daysOf(stored) };
      });
    },
    async write(
      port: Locode,
      forecasts: readonly (readonly [ForecastMetric, StoredForecast])[],
    ): Promise<void> {
      const rows = forecasts.map(
        ([metric, { originDay, days, skill, ...rest }]): Row => ({
          series: seriesKey(port, metric),
          origin: originDay,
          ...rest,
          ...(days && {
            persistence: days[0]?.candidates.persistence,
            median: days[0]?.candidates.median,
            figures: days.map(packedDay).join(','),
            skill: packedSkill(skill),
          }),
        }),
      );
      await table.writeMany(rows);
    },
    /** Deletes the rows of a port that is no longer covered. */
    async remove(port: Locode): Promise<void> {
      for (const series of FORECAST_METRICS.map((metric) => seriesKey(port, metric))) {
        const rows = await table.query(series, { only: ['origin'] });
        await table.writeMany(
          [],
          rows.map(({ origin }) => ({ series, origin: String(origin) })),
        );
      }
    },
  };
}
