/** Files of a release with the service's forecasts and alerts beside their outcomes, which the page of the record reads without a key. */
import type { AlertMetric, AlertType, ForecastMetric, Severity } from '../reference/figure-names.ts';

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
