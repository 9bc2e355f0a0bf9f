/**
 * Forecasts as issued, one row a UTC day of one metric of a port, which is never rewritten: the whole response, rows, skill and
 * reason, under `origin`, the last day that it knew. The newest row is what is served, so that a read is one lookup.
 */
import * as z from 'zod/mini';
import {
  type ForecastDay,
  type ForecastMetric,
  HORIZONS,
  type HorizonSkill,
  type IssuedForecast,
  type Skill,
} from '../metrics/forecast.ts';
import type { ForecastMethod } from '../reference/figure-names.ts';
import type { Locode } from '../reference/locode.ts';
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
  /** Made from an archive after its first day had ended: nobody saw it in time. */
  readonly replayed?: true | undefined;
} & (
  | { readonly days: IssuedForecast['days']; readonly skill: Skill; readonly reason?: undefined }
  | { readonly reason: ForecastReason; readonly days?: undefined; readonly skill?: undefined }
);

/** Whether it counts for the skill: it has rows, and was issued before their days. */
export const isIssued = (stored: StoredForecast): stored is StoredForecast & IssuedForecast =>
  stored.days !== undefined && stored.replayed === undefined;

interface ForecastReader {
  /** The newest that was issued up to the UTC day `until`; undefined where there is none. */
  newest(port: Locode, metric: ForecastMetric, until: Day): Promise<StoredForecast | undefined>;
  /** Those whose origins are the days from `first` to `last`, oldest first. */
  between(port: Locode, metric: ForecastMetric, first: Day, last: Day): Promise<StoredForecast[]>;
}

export interface ForecastStore extends ForecastReader {
  write(port: Locode, forecasts: readonly (readonly [ForecastMetric, StoredForecast])[]): Promise<void>;
}

const STORED = z.object({
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
const toList = ({ p10, p50, p90, method, candidates: { regression, median, persistence } }: ForecastDay) => [
  method,
  p10,
  p50,
  p90,
  regression,
  median,
  persistence,
];

function dayOfList(list: readonly unknown[], day: Day): ForecastDay {
  const [method, p10, p50, p90, regression, median, persistence] = list as [ForecastMethod, ...number[]];
  return { day, p10, p50, p90, method, candidates: { regression, median, persistence } } as ForecastDay;
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
    ([error = 0, persistenceRatio, medianRatio, coverage], at): HorizonSkill => ({
      horizon: at + 1,
      error: error ?? 0,
      ratioToPersistence: persistenceRatio ?? undefined,
      ratioToMedian: medianRatio ?? undefined,
      coverage: coverage ?? 0,
    }),
  );
  return { basis, origins, fromDay, toDay, horizons } as Skill;
}

/** Version 0.1.0 stored the rows alone, so these cannot be served as issued. */
const isWhole = ({ asOfAt }: Row): boolean => asOfAt !== undefined;

/** The days after an origin. A release reads those of each origin for every port. */
function rememberDays(): (origin: Day) => readonly Day[] {
  const known = new Map<Day, readonly Day[]>();
  return (origin) => {
    const days = known.get(origin) ?? HORIZONS.map((horizon) => addDays(origin, horizon));
    known.set(origin, days);
    return days;
  };
}

export function createForecastStore(table: Table): ForecastStore {
  const daysAfter = rememberDays();

  function read(row: Row): StoredForecast {
    const { origin, days, skill, reason, ...rest } = parseRow(table, STORED, row);
    const head = { originDay: origin, ...rest };
    if (days === undefined || skill === undefined) return { ...head, reason: reason ?? 'stale' };
    const lists = JSON.parse(days) as unknown[][];
    const ahead = daysAfter(origin);
    return {
      ...head,
      days: lists.map((list, at) => dayOfList(list, ahead[at] ?? '')),
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
        ([metric, { originDay, days, skill, ...rest }]): Row => ({
          series: seriesKey(port, metric),
          origin: originDay,
          ...rest,
          ...(days && { days: JSON.stringify(days.map(toList)), skill: JSON.stringify(skillList(skill)) }),
        }),
      );
      await table.writeMany(rows);
    },
  };
}
