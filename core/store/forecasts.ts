/**
 * Forecasts. A row `series`, `origin` = UTC day has what was issued from the values up to that day, for its scoring, some 400
 * bytes; it is never rewritten. The row with the origin `current` has what is served, whole, so that a read is one lookup.
 */
import {
  FORECAST_METHODS,
  type ForecastDay,
  type ForecastMetric,
  type IssuedForecast,
  type Skill,
} from '../metrics/forecast.ts';
import type { Locode } from '../reference/locode.ts';
import { addDays, type Day, type Instant } from '../reference/time.ts';
import type { Row, Table } from './table.ts';

/** Why there is no forecast: fewer than 90 days of history, or no value of the newest complete day. */
export type ForecastReason = 'short_history' | 'stale';

/** What is served, without the port and the metric. */
export type CurrentForecast = {
  /** The newest observation when it was issued. */
  readonly asOfAt: Instant;
  /** Days of the history with a value. */
  readonly historyDays: number;
} & (
  | { readonly days: readonly Omit<ForecastDay, 'candidates'>[]; readonly skill: Skill; reason?: never }
  | { readonly reason: ForecastReason; readonly days?: never; readonly skill?: never }
);

/** What one day changes of one metric. */
export interface WrittenForecast {
  readonly metric: ForecastMetric;
  readonly current: CurrentForecast;
  /** Absent where nothing is issued, or is stored already. */
  readonly issued?: IssuedForecast | undefined;
}

export interface ForecastStore {
  /** Undefined before the first observation of the port. */
  current(port: Locode, metric: ForecastMetric): Promise<CurrentForecast | undefined>;
  /** What was issued from the days from `first` to `last`, oldest first. */
  issued(port: Locode, metric: ForecastMetric, first: Day, last: Day): Promise<IssuedForecast[]>;
  write(port: Locode, forecasts: readonly WrittenForecast[]): Promise<void>;
}

/** Sorts behind every day. */
const CURRENT = 'current';

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

function readIssued({ origin, v }: Row): IssuedForecast {
  const originDay = String(origin);
  const lists = JSON.parse(String(v)) as unknown[][];
  return { originDay, days: lists.map((list, at) => dayOfList(list, addDays(originDay, at + 1))) };
}

export function createForecastStore(table: Table): ForecastStore {
  return {
    async current(port, metric) {
      const row = await table.get({ series: seriesKey(port, metric), origin: CURRENT });
      return row && (JSON.parse(String(row.v)) as CurrentForecast);
    },
    async issued(port, metric, first, last) {
      return (await table.query(seriesKey(port, metric), { from: first, to: last })).map(readIssued);
    },
    async write(port, forecasts) {
      const rows = forecasts.flatMap(({ metric, current, issued }): Row[] => {
        const series = seriesKey(port, metric);
        const served = { series, origin: CURRENT, v: JSON.stringify(current) };
        if (issued === undefined) return [served];
        return [{ series, origin: issued.originDay, v: JSON.stringify(issued.days.map(toList)) }, served];
      });
      await table.writeMany(rows);
    },
  };
}
