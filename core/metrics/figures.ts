/** The figures that `core/metrics` computes and the tables store. Names contain the unit. */

import type { HsCode } from '../reference/codes.ts';
import type { AlertMetric, AlertType, Severity, VesselClass } from '../reference/figure-names.ts';
import type { Day, Instant, Month } from '../reference/time.ts';

/** Version of the formulas in `docs/methodology-reference.md`. It changes when the same calls would give another figure. */
export const METHODOLOGY_VERSION = '2.2';

/** The terms of the score, each 0 to 1. A term without enough data is absent. */
export interface ScoreTerms {
  readonly delayedShare?: number;
  readonly waitTerm?: number;
  readonly queueTerm?: number;
  readonly flowTerm?: number;
  /** Missing part of the usual berthings where the flow is surely broken, or was in the last 24 hours. */
  readonly stoppedShare?: number;
}

/**
 * First berths and arrivals of cargo calls by the hour: one digit of base 36 each, and a point where nothing is known.
 */
export interface HourCounts {
  readonly hourBerthings: string;
  readonly hourArrivals: string;
}

/** One UTC day of one port. A figure without enough data is absent, never zero. */
export interface DayFigures extends ScoreTerms, Partial<HourCounts> {
  readonly day: Day;
  /** Share of the day that is covered, 0 to 1. */
  readonly coverage: number;
  /** The day is running and less than 80 % of it is covered so far: its figures go if it ends like that. */
  readonly partial?: true;
  /** Served: 3 decimals, 0 to 1. */
  readonly congestionScore?: number;
  /** The score without the effect of a closure: alerts of the score are found in it. Absent where that is the served score. */
  readonly queueScore?: number;
  /** Served: hours, 1 decimal, over the seven days that end with this one. */
  readonly avgWaitHours?: number;
  /** Served: distinct vessels in port at any time of the day. */
  readonly vessels: number;
  /** Daily values for the change-point detector: of this day's berthings and hours only. */
  readonly dayScore?: number;
  readonly dayWaitHours?: number;
  readonly dayAtAnchor?: number;
  /** First berths of cargo calls on the day, and how many of them have a known wait. */
  readonly dayBerthings?: number;
  readonly dayWaits?: number;
  /** Most vessels at anchor at one time of the day. */
  readonly mostAtAnchor?: number;
  /** Vessels at anchor when the day ends; so far, on the running day. For the forecast. */
  readonly endAtAnchor?: number;
  /** Hours of the open waits when the day ends, 4 decimals: `waitingHours` of its waits. For the forecast. */
  readonly endWaitingHours?: number;
}

/** The waits of a group of calls on one UTC day. A figure without a berthing is absent. Hours. */
export interface WaitFigures {
  /** Cargo calls with a known wait that berthed on the day. */
  readonly berthed: number;
  /** Served: each wait above zero of those calls, ascending, 4 decimals. The others went straight to the berth. */
  readonly waits: readonly number[];
  /** Served: share of those calls that waited 3 h or more, 4 decimals. */
  readonly delayedShare?: number;
  /** Served: 2 decimals, zeros included. */
  readonly meanHours?: number;
  readonly medianHours?: number;
  readonly p90Hours?: number;
  readonly maxHours?: number;
  /** Served: open waits at the end of the day, and their hours so far together, 4 decimals. Absent without coverage. */
  readonly waiting?: number;
  readonly waitingHours?: number;
  /** Served: waits of the day that are too long to be for a berth, over or open; in none of the figures above. */
  readonly excluded?: number;
  /** Served: first berths of the day by vessels of unknown type; in none of the figures above, and in no class. */
  readonly unknownType?: number;
  /**
   * Served: cargo calls that arrived in the observed part of the 28 days up to this one, and the hours that were waited
   * in it, 4 decimals. Absent without coverage.
   */
  readonly recentArrivals?: number;
  readonly recentWaitHours?: number;
}

/** Waits of one UTC day: of all calls, and by class on a day on which the class of some call is known. */
export interface WaitDay extends Readonly<Partial<Record<VesselClass, WaitFigures>>> {
  readonly day: Day;
  /** Share of the day that is covered so far, 0 to 1. */
  readonly coverage: number;
  readonly all: WaitFigures;
}

/** What an average wait rests on: berthings alone, open waits alone, or both. */
export type WaitBasis = 'berthed' | 'open' | 'mixed';

/** One port at one instant, as served. */
export interface Snapshot {
  readonly asOfAt: Instant;
  readonly congestionScore: number;
  readonly avgWaitHours: number;
  /** What the average rests on; absent where it is 0 because nothing has berthed and nothing waits. */
  readonly waitBasis?: WaitBasis;
  readonly arrivals24h: number;
  readonly departures24h: number;
  readonly atAnchor: number;
  readonly inPort: number;
  /** Since when berthings have stopped; absent where they have not. */
  readonly stoppedSinceAt?: Instant;
}

/** History behind a snapshot. */
export interface RecentFigures {
  /** Served scores of thirty UTC days, oldest first, the last that of the snapshot's day; null on a day without one. */
  readonly scores: readonly (number | null)[];
  /** Figures of the snapshot less the same figures seven days before; absent where they are not known. */
  readonly change?: Pick<Snapshot, 'congestionScore' | 'avgWaitHours' | 'atAnchor'>;
}

export interface Alert {
  readonly type: AlertType;
  readonly metric: AlertMetric;
  readonly severity: Severity;
  /** `(after - before) / max(|before|, floor)`, from -1 to 10, 4 decimals. */
  readonly changeFraction: number;
  /** End of the last day used, or the newest observation when that day is still running. */
  readonly asOfAt: Instant;
  readonly explain: string;
  /** Set for a closure that has lasted twelve hours: when it began. */
  readonly beganAt?: Instant | undefined;
}

export interface ImportIndexPoint {
  readonly code: HsCode;
  readonly month: Month;
  /** 100 = the same three months a year before; 1 decimal. */
  readonly index: number;
}
