/** The figures that the metrics room makes and the tables keep; units are in the names. */
import type { Stay } from '../calls/port-call.ts';
import type { HsCode } from '../reference/hs-code.ts';
import type { Day, Instant, Month } from '../reference/time.ts';

/** The three terms of the score, each 0 to 1; absent when it cannot be said honestly. */
export interface ScoreTerms {
  readonly delayedShare?: number;
  readonly waitTerm?: number;
  readonly queueTerm?: number;
}

/** One UTC day of one port. A figure that cannot be said honestly is absent, never zero. */
export interface DailyMetrics extends ScoreTerms {
  readonly day: Day;
  /** Share of the day that is covered, 0 to 1. */
  readonly coverage: number;
  /**
   * The day is running, and has figures for its part so far; of the whole day less than 80 % is covered yet. Should
   * nothing more be heard of it, it is a day without figures once it is over.
   */
  readonly partial?: true;
  /** Served: 3 decimals, 0 to 1. */
  readonly congestionScore?: number;
  /** Served: hours, 1 decimal, over the seven days that end with this one. */
  readonly avgWaitHours?: number;
  /** Served: distinct vessels in port at any time of the day. */
  readonly vessels: number;
  /** Unsmoothed, for the detectors: this day's berthings and hours alone. */
  readonly dayScore?: number;
  readonly dayWaitHours?: number;
  readonly dayAtAnchor?: number;
}

/** The state of one port at one instant, as served. */
export interface Snapshot {
  readonly asOfAt: Instant;
  readonly congestionScore: number;
  readonly avgWaitHours: number;
  readonly arrivals24h: number;
  readonly departures24h: number;
  readonly atAnchor: number;
  readonly inPort: number;
}

export type AlertType = 'threshold' | 'change_point';
export type AlertMetric = 'congestion_score' | 'avg_wait_hours' | 'at_anchor';
export type Severity = 'low' | 'medium' | 'high';

export interface Alert {
  readonly type: AlertType;
  readonly metric: AlertMetric;
  readonly severity: Severity;
  /** (after - before) / max(|before|, floor), clamped to -1..10, 4 decimals. */
  readonly changeFraction: number;
  /** End of the last day used, or the newest observation when that day is still running. */
  readonly asOfAt: Instant;
  readonly explain: string;
}

/** A closed period of one call, as the dwell table keeps it. */
export type DwellPeriod = Stay;

export interface ImportIndexPoint {
  readonly code: HsCode;
  readonly month: Month;
  /** 100 = the same three months a year before; 1 decimal. */
  readonly index: number;
}
