/** Files of a release that the explorer reads without a key: the ports as known at the end of each day, and the stops. */
import type { PortRecord } from './ports.ts';

/** Name of the file beside the releases that names the others; their paths are relative to it. */
export const KNOWN_DAYS = 'known-days.json';

/** A closure of a port that reached an alert of high severity. */
export interface Stop {
  readonly port: string;
  readonly name: string;
  /** The UTC days of its beginning and of its end; the last one that is known where it has none. */
  readonly first_day: string;
  readonly last_day: string;
  /** When the service raised the first alert; the end of its hour where that is not kept. */
  readonly alerted_at: string;
  /** When it began: the hour after the last berthing; null in releases of methodology 2.1 that do not keep it. */
  readonly stopped_since: string | null;
  /** The covered day with the fewest berthings from the day of the alert on; null where none of these is covered. */
  readonly lowest: { readonly date: string; readonly berthed: number } | null;
  /** Median of the covered days among the 28 before. */
  readonly usual: number | null;
  /** How many fewer vessels than usual berthed on those of its covered days that had fewer. */
  readonly missed: number;
  /** The most vessels that waited at the end of a day, from the stop until three days after it. */
  readonly queue: { readonly date: string; readonly waiting: number } | null;
  /** Score by UTC day, from the day before the stop until three days after it; null for a day without one. */
  readonly scores: readonly { readonly date: string; readonly score: number | null }[];
  /** When berthings came back for a day or more; null where the hours after are unknown, or while it is open. Absent before methodology 2.2. */
  readonly ended?: string | null;
}

/** The calendar week of a port, Monday to Sunday in UTC, whose berthed vessels had taken longest since their arrival. */
export interface WorstWeek {
  readonly port: string;
  readonly first_day: string;
  readonly last_day: string;
  readonly berthed: number;
  /** Hours from arrival to berth, averaged over all these vessels: those of unknown type too, which are in no wait figure. */
  readonly hours: number;
}

export interface KnownDays {
  /** UTC day of the release; the days end with the one before, and those of a port with its own last day. */
  readonly release: string;
  /** First day of the months; null when there are none. */
  readonly first_day: string | null;
  readonly last_day: string | null;
  /** First and last of consecutive days, oldest first: the years of two ports may lie apart. Absent before methodology 2.2, where all days are consecutive. */
  readonly spans?: readonly (readonly [first: string, last: string])[];
  /** Oldest first. */
  readonly months: readonly { readonly month: string; readonly path: string }[];
  /** The stops in the last year of each port, oldest first. */
  readonly stops: readonly Stop[];
  /** One of the last year of each port without a stop whose days ended more than a week before the release and whose single calls are stored. Absent before methodology 2.2. */
  readonly worst_weeks?: readonly WorstWeek[];
}

/** Figures of a port and day, in this order. */
export const DAY_FIGURES = [
  'as_of',
  'congestion_score',
  'avg_wait_hours',
  'at_anchor',
  'in_port',
  'wait_basis',
  'stopped_since',
] as const satisfies readonly (keyof PortRecord)[];

/** The days of a month. */
export interface KnownMonth {
  /** UTC days, oldest first. */
  readonly days: readonly string[];
  readonly figures: readonly string[];
  readonly ports: readonly (Pick<
    PortRecord,
    'port' | 'name' | 'country' | 'latitude' | 'longitude' | 'sources' | 'method' | 'first_day'
  > & {
    /** One for each of `days`; null where nothing had been observed. */
    readonly days: readonly (readonly (string | number | null)[] | null)[];
  })[];
}
