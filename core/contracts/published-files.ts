/** Files of a release that the explorer reads without a key: the ports as known at the end of each day, and the stops. */

import type { AlertMetric, AlertType, ForecastMetric, Severity } from '../reference/figure-names.ts';
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

// Files of a release with the service's forecasts and alerts beside their outcomes, which the page of the record
// reads without a key.

/** Name of the file beside the releases that names those of the ports; their paths are relative to it. */
export const RECORD = 'record.json';

/** Days ahead of the newest complete day that the record shows. */
export const RECORD_HORIZONS = [1, 3, 7] as const;
/** The newest days of a port whose forecasts it shows. */
export const RECORD_DAYS = 92;

/** A forecast beside its outcome and both base lines as known when it was issued; the day comes first. */
export type ScoredForecast = readonly [
  day: string,
  p10: number,
  p50: number,
  p90: number,
  value: number,
  persistence: number,
  median: number,
];

/** How far forecasts were off on average, in the unit of the metric, and the share of outcomes in the band. */
export interface RecordScore {
  readonly metric: ForecastMetric;
  readonly horizon: number;
  /** `replayed`: computed later from an archive, with the knowledge of the day. */
  readonly made: 'issued' | 'replayed';
  readonly forecasts: number;
  readonly error: number;
  readonly persistence: number;
  readonly median: number;
  readonly within: number;
}

export interface RecordAlert {
  readonly type: AlertType;
  readonly metric: AlertMetric;
  readonly raised: string;
  readonly as_of: string;
  readonly severities: readonly Severity[];
  readonly explain: string;
  /** Set for a closure: its beginning as known when it was raised, and as known once it had lasted twelve hours. */
  readonly since: string | null;
  readonly began: string | null;
  /** `ended_known` alone: an unknown hour hides the end. */
  readonly ended: string | null;
  readonly ended_known: string | null;
  readonly withdrawn: string | null;
  readonly withdrawal: string | null;
  /** Only for a closure. */
  readonly outcome: 'confirmed' | 'false' | null;
  readonly replayed: boolean;
}

/** Figures of a day that later fetches can revise: those of trend, and the mean wait and the berthings of the day itself. */
export const REVISED_METRICS = [
  'congestion_score',
  'avg_wait_hours',
  'vessels',
  'mean_hours',
  'berthed',
] as const;
export type RevisedMetric = (typeof REVISED_METRICS)[number];

/** Ages in days at which a day is compared with what the release has of it. */
export const REVISION_AGES = [1, 2, 3, 7, 14, 30] as const;

/** How far a figure still changed after its day had reached an age, by the values that were served at the end of UTC days. */
export interface Revision {
  readonly metric: RevisedMetric;
  readonly age: (typeof REVISION_AGES)[number];
  /** Days that had a value at that age. */
  readonly days: number;
  /** Share of them whose value is another one in the release, or none. */
  readonly changed: number;
  /** Mean absolute change, in the unit of the figure, over those that have a value in the release; null without one. */
  readonly difference: number | null;
}

/** Daily waits are called final when at most this share of them still changes. */
export const FINAL_SHARE = 0.01;

export interface FinalAge {
  readonly port: string;
  /** Days after which the daily waits of the port are final; null where that takes longer than the record looks. */
  readonly age: number | null;
  /** Days that were compared at that age. */
  readonly days: number;
}

/** Forecasts and alerts of one port. */
export interface PortRecordFile {
  readonly port: string;
  readonly name: string;
  readonly scores: readonly RecordScore[];
  /** Oldest first. */
  readonly forecasts: readonly (Pick<RecordScore, 'metric' | 'horizon' | 'made'> & {
    readonly rows: readonly ScoredForecast[];
  })[];
  /** The alerts of the port's last year, newest first. */
  readonly alerts: readonly RecordAlert[];
  /** Absent in earlier releases. */
  readonly revisions?: readonly Revision[];
}

/** A forecast that was far off. */
export interface RecordMiss extends Pick<RecordScore, 'metric' | 'horizon' | 'made'> {
  readonly port: string;
  readonly row: ScoredForecast;
  /** How far it was off over the mean error of all ports on that figure and horizon. */
  readonly times: number;
}

/** Forecasts and alerts of all ports. */
export interface ServiceRecord {
  /** UTC day of the release; the outcomes of a port end with its last day, the day before the release at most. */
  readonly release: string;
  /** Over all forecasts of all ports. */
  readonly scores: readonly RecordScore[];
  /** The worst of all ports, worst first. */
  readonly misses: readonly RecordMiss[];
  /** Scores of the next day's wait over the newest thirty forecasts, for each port with that many. */
  readonly next_day: readonly (Pick<RecordScore, 'made' | 'error' | 'persistence'> & {
    readonly port: string;
  })[];
  /** For each port with enough days. Absent in earlier releases. */
  readonly final?: readonly FinalAge[];
  readonly closures: { readonly confirmed: number; readonly false: number };
  /** Ports with a forecast or an alert, each with the path of its file: the newest last day first. */
  readonly ports: readonly { readonly port: string; readonly name: string; readonly path: string }[];
}

// The status of the service as one public file: each source, its freshness, and its outages of the last days.

/** Address of the file below the portal and below a local service. */
export const STATUS_FILE = '/data/status.json';
/** Days of outages that are kept. */
export const STATUS_DAYS = 90;

export type Freshness = 'fresh' | 'late' | 'stale';

export interface FetchedInterval {
  /** Minutes between two fetches. */
  readonly everyMinutes: number;
  /** Data older than this are stale. */
  readonly freshnessBudgetMinutes: number;
}

/** Late: two fetches in a row are missing. Stale: the freshness budget is exceeded. */
export function freshness(
  ageMinutes: number,
  { everyMinutes, freshnessBudgetMinutes }: FetchedInterval,
): Freshness {
  if (ageMinutes > freshnessBudgetMinutes) return 'stale';
  return ageMinutes > Math.min(2 * everyMinutes, freshnessBudgetMinutes) ? 'late' : 'fresh';
}

/** A time without good fetches, from the due time of a missing one until the next good one; ISO 8601, UTC. */
interface SourceOutage {
  readonly from: string;
  /** Absent while it lasts. */
  readonly to?: string;
}

export interface SourceState {
  readonly source: string;
  readonly name: string;
  readonly state: Freshness;
  /** Newest good fetch; absent before the first one. */
  readonly last_fetch_iso?: string;
  readonly every_minutes: number;
  readonly stale_after_minutes: number;
  /** Replies that were not accepted, since the last one that was. */
  readonly doubt?: {
    readonly since: string;
    readonly outcome: 'refused' | 'held';
    /** Why the newest of them was not accepted, in one sentence. */
    readonly detail: string;
  };
  /** Outages are known since then; absent before the first good fetch. */
  readonly known_since_iso?: string;
  /** Outages that reach into the last `STATUS_DAYS` days, oldest first. */
  readonly outages: readonly SourceOutage[];
}

export interface ServiceStatus {
  /** When the file was made. */
  readonly time: string;
  /** The replies are recorded up to `time`: nothing is fetched. */
  readonly recorded?: true;
  readonly sources: readonly SourceState[];
}
