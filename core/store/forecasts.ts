/**
 * Forecasts as they were told, one row a UTC day of one metric of a port, which is never rewritten: the whole response, rows, skill and
 * reason, under `origin`, the last day that it knew. The newest row is what is served, so that a read is one lookup.
 */
import * as z from 'zod/mini';
import {
  FORECAST_METHODS,
  type ForecastDay,
  type ForecastMetric,
  type HorizonSkill,
  type IssuedForecast,
  type Skill,
} from '../metrics/forecast.ts';
import type { Locode } from '../reference/locode.ts';
import { addDays, type Day, type Instant } from '../reference/time.ts';
import { parseRow, type Row, type Table } from './table.ts';

/** Why there is no forecast: fewer than 90 days of history, or no value of the newest complete day. */
export type ForecastReason = 'short_history' | 'stale';

/** What was told on the day after `originDay`, without the port and the metric. */
export type ToldForecast = {
  readonly originDay: Day;
  /** The newest observation then. */
  readonly asOfAt: Instant;
  /** Days of the history with a value. */
  readonly historyDays: number;
  /** Made afterwards, from an archive: nobody was told it before its first day had ended. */
  readonly replayed?: true | undefined;
} & (
  | { readonly days: IssuedForecast['days']; readonly skill: Skill; readonly reason?: undefined }
  | { readonly reason: ForecastReason; readonly days?: undefined; readonly skill?: undefined }
);

/** Whether it counts for the skill: it has rows, and was told before they came true. */
export const isIssued = (told: ToldForecast): told is ToldForecast & IssuedForecast =>
  told.days !== undefined && told.replayed === undefined;

export interface ForecastReader {
  /** The newest that was told up to the UTC day `until`; undefined where there is none. */
  newest(port: Locode, metric: ForecastMetric, until: Day): Promise<ToldForecast | undefined>;
  /** Those whose origins are the days from `first` to `last`, oldest first. */
  between(port: Locode, metric: ForecastMetric, first: Day, last: Day): Promise<ToldForecast[]>;
}

export interface ForecastStore extends ForecastReader {
  write(port: Locode, forecasts: readonly (readonly [ForecastMetric, ToldForecast])[]): Promise<void>;
}

const TOLD = z.object({
  origin: z.string(),
  asOfAt: z.number(),
  historyDays: z.number(),
  replayed: z.optional(z.literal(true)),
  reason: z.optional(z.enum(['short_history', 'stale'])),
  days: z.optional(z.string()),
  skill: z.optional(z.string()),
});

const seriesKey = (port: Locode, metric: ForecastMetric): string => `${port}#${metric}`;

/** The method, p10, p50 and p90, then `p50` of every method. The days are those after the origin. */
const toList = ({ p10, p50, p90, method, candidates }: ForecastDay) => [
  method,
  p10,
  p50,
  p90,
  ...FORECAST_METHODS.map((one) => candidates[one]),
];

function dayOfList([method, p10, p50, p90, ...others]: readonly unknown[], day: Day): ForecastDay {
  const candidates = Object.fromEntries(FORECAST_METHODS.map((one, at) => [one, others[at]]));
  return { day, p10, p50, p90, method, candidates } as ForecastDay;
}

/** Basis, number of origins, first and last, then a list for each horizon, the nearest first: a null is a ratio to no error. */
const skillList = ({ basis, origins, fromDay, toDay, horizons }: Skill) => [
  basis,
  origins,
  fromDay,
  toDay,
  ...horizons.map(({ error, ratioToPersistence, ratioToMedian, coverage }) => [
    error,
    ratioToPersistence ?? null,
    ratioToMedian ?? null,
    coverage,
  ]),
];

function skillOfList([basis, origins, fromDay, toDay, ...lists]: readonly unknown[]): Skill {
  const horizons = (lists as (number | null)[][]).map(
    ([error = 0, ofPersistence, ofMedian, coverage], at): HorizonSkill => ({
      horizon: at + 1,
      error: error ?? 0,
      ratioToPersistence: ofPersistence ?? undefined,
      ratioToMedian: ofMedian ?? undefined,
      coverage: coverage ?? 0,
    }),
  );
  return { basis, origins, fromDay, toDay, horizons } as Skill;
}

/** Version 0.1.0 kept the rows alone, which nobody can be shown as they were told. */
const isWhole = ({ asOfAt }: Row): boolean => asOfAt !== undefined;

export function createForecastStore(table: Table): ForecastStore {
  function read(row: Row): ToldForecast {
    const { origin, days, skill, reason, ...told } = parseRow(table, TOLD, row);
    const head = { originDay: origin, ...told };
    if (days === undefined || skill === undefined) return { ...head, reason: reason ?? 'stale' };
    const lists = JSON.parse(days) as unknown[][];
    return {
      ...head,
      days: lists.map((list, at) => dayOfList(list, addDays(origin, at + 1))),
      skill: skillOfList(JSON.parse(skill) as unknown[]),
    };
  }

  return {
    async newest(port, metric, until) {
      const [row] = await table.query(seriesKey(port, metric), { to: addDays(until, -1), newest: 1 });
      return row && isWhole(row) ? read(row) : undefined;
    },
    async between(port, metric, first, last) {
      const rows = await table.query(seriesKey(port, metric), { from: first, to: last });
      return rows.filter(isWhole).map(read);
    },
    async write(port, forecasts) {
      const rows = forecasts.map(
        ([metric, { originDay, days, skill, ...told }]): Row => ({
          series: seriesKey(port, metric),
          origin: originDay,
          ...told,
          ...(days && { days: JSON.stringify(days.map(toList)), skill: JSON.stringify(skillList(skill)) }),
        }),
      );
      await table.writeMany(rows);
    },
  };
}
