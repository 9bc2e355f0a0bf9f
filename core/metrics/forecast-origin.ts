/** The origin of a forecast: its value, what is usual, and what is already known about the next days. */

import type { ForecastMetric } from '../reference/figure-names.ts';
import { Ascending, middle } from '../reference/statistics.ts';
import type { Day } from '../reference/time.ts';
import { type KnownClosures, stoppedDays } from './closures.ts';
import type { DailyMetrics } from './figures.ts';
import { chanceOpen } from './forecast-closure.ts';
import { HORIZONS } from './forecast-figures.ts';
import { calmScore, TERMS, waitTerm } from './score.ts';
import { MIN_BERTHINGS, WINDOWS_DAYS } from './waits.ts';

/**
 * The figures whose deviation from the usual predicts the following days. The queue at the end of a day predicts a wait
 * better than its own value does. A score has its own distance beside them.
 */
const FORECAST_TERMS = {
  avg_wait_hours: ['endAtAnchor', 'endWaitingHours'],
  at_anchor: ['dayAtAnchor', 'endAtAnchor'],
  congestion_score: ['endAtAnchor', 'endWaitingHours'],
} as const satisfies Readonly<Record<ForecastMetric, readonly (keyof DailyMetrics)[]>>;

const VALUES = {
  avg_wait_hours: 'avgWaitHours',
  at_anchor: 'dayAtAnchor',
  congestion_score: 'congestionScore',
} as const satisfies Readonly<Record<ForecastMetric, keyof DailyMetrics>>;

/** What the regression expects of a day: its figure, and the score without what a closure or a lack of berthings adds. */
const expectedValue = (metric: ForecastMetric, row: DailyMetrics): number | undefined =>
  (metric === 'congestion_score' ? calmScore(row) : undefined) ?? forecastValue(metric, row);

/** What is forecast of a day: its served figure, of `at_anchor` the mean over its covered hours. */
const forecastValue = (metric: ForecastMetric, row: DailyMetrics): number | undefined => row[VALUES[metric]];

/** The value of each of the days that have one. */
export const forecastValues = (metric: ForecastMetric, rows: readonly DailyMetrics[]): Map<Day, number> =>
  new Map(
    rows.flatMap((row) => {
      const value = forecastValue(metric, row);
      return value === undefined ? [] : [[row.day, value] as const];
    }),
  );

// The history of a forecast by columns: one place for every day, NaN where a day has no value.

/** What is usual is the median of this many days; half of them must be known. */
const USUAL_DAYS = 28;
const MIN_USUAL_VALUES = 14;

/** The usual value of every day; NaN with fewer than 14 values in the 28 days that end with it. */
function usualValues(column: Float64Array): Float64Array {
  const known = new Ascending();
  return column.map((value, at) => {
    const left = column[at - USUAL_DAYS] ?? Number.NaN;
    if (!Number.isNaN(left)) known.remove(left);
    if (!Number.isNaN(value)) known.add(value);
    return known.values.length < MIN_USUAL_VALUES ? Number.NaN : (middle(known.values) ?? Number.NaN);
  });
}

/** A figure of the days, and what was usual of it; NaN where it is not known. */
interface Column {
  readonly values: Float64Array;
  readonly usual: Float64Array;
}

export class ForecastDays {
  readonly value: Column;
  /** What the regression expects. */
  readonly calm: Column;
  readonly wait: Column;
  /** The closures known on each day; undefined unless the port was closed at the end of that day. */
  readonly stopped: readonly (KnownClosures | undefined)[];
  /** One for each term of the metric. */
  readonly terms: readonly Column[];
  /** Sums over the days before the index: days with a value, their berthings, and the hours that these waited. */
  readonly #days: Float64Array;
  readonly #berthings: Float64Array;
  readonly #hours: Float64Array;

  /** `days` has a place for every day, empty for one without a value; `history` has also the rows of those. */
  constructor(
    metric: ForecastMetric,
    days: readonly (DailyMetrics | undefined)[],
    history: readonly DailyMetrics[],
  ) {
    const column = (of: (day: DailyMetrics) => number | undefined): Column => {
      const values = Float64Array.from(days, (day) => (day && of(day)) ?? Number.NaN);
      return { values, usual: usualValues(values) };
    };
    const sums = (of: (day: DailyMetrics) => number): Float64Array => {
      const before = new Float64Array(days.length + 1);
      for (const [at, day] of days.entries()) before[at + 1] = (before[at] ?? 0) + (day ? of(day) : 0);
      return before;
    };
    const berthings = ({ avgWaitHours, dayWaits = 0 }: DailyMetrics): number =>
      avgWaitHours === undefined ? 0 : dayWaits;
    this.value = column((day) => forecastValue(metric, day));
    this.calm = column((day) => expectedValue(metric, day));
    const stopped = metric === 'congestion_score' ? stoppedDays(history) : undefined;
    this.stopped = days.map((day) => day && stopped?.get(day.day));
    this.wait = column(({ avgWaitHours }) => avgWaitHours);
    this.terms = FORECAST_TERMS[metric].map((name) => column((day) => day[name]));
    this.#days = sums(() => 1);
    this.#berthings = sums(berthings);
    this.#hours = sums((day) => berthings(day) * (day.dayWaitHours ?? 0));
  }

  /**
   * The average wait at each horizon if every vessel that berths after day `at` waits `usualHours`: some of its
   * berthings have already happened.
   */
  expectedWaits(at: number, usualHours: number): number[] {
    const newest = (sums: Float64Array, count: number): number =>
      (sums[at + 1] ?? 0) - (sums[Math.max(0, at + 1 - count)] ?? 0);
    const windowDays =
      WINDOWS_DAYS.find((count) => newest(this.#berthings, count) >= MIN_BERTHINGS) ?? USUAL_DAYS;
    const aDay = newest(this.#berthings, USUAL_DAYS) / newest(this.#days, USUAL_DAYS);
    return HORIZONS.map((horizon) => {
      const coming = aDay * horizon;
      const berthings = newest(this.#berthings, windowDays - horizon) + coming;
      const hours = newest(this.#hours, windowDays - horizon) + coming * usualHours;
      return berthings === 0 ? usualHours : hours / berthings;
    });
  }
}

export interface Origin {
  readonly value: number;
  readonly median: number;
  /** Distance of each term of the metric from what is usual; 0 where either is not known. */
  readonly distances: readonly number[];
  /** Expected value where all distances are zero, by horizon; index 0 is horizon 1. In the unit of the metric. */
  readonly expected: readonly number[];
  /** By horizon the chance that the closure is still open, where the port is stopped. */
  readonly open?: readonly number[];
}

/** Contribution of an average wait to the metric, less that of the usual wait. */
const contributions: Readonly<Record<ForecastMetric, ((wait: number, usual: number) => number) | undefined>> =
  {
    avg_wait_hours: (wait, usual) => wait - usual,
    at_anchor: undefined,
    congestion_score: (wait, usual) => (waitTerm(wait) - waitTerm(usual)) / TERMS,
  };

/** The origin at index `at`. Undefined where the day has no value, or fewer than 14 of the 28 days up to it have one. */
export function originAt(metric: ForecastMetric, days: ForecastDays, at: number): Origin | undefined {
  const value = days.value.values[at] ?? Number.NaN;
  const median = days.value.usual[at] ?? Number.NaN;
  if (Number.isNaN(value) || Number.isNaN(median)) return undefined;
  const usual = days.calm.usual[at] ?? Number.NaN;
  const contribution = contributions[metric];
  const usualWait = days.wait.usual[at] ?? Number.NaN;
  const waitNow = days.wait.values[at] ?? Number.NaN;
  const isWaitKnown = !Number.isNaN(usualWait) && !Number.isNaN(waitNow);
  const withWait = (wait: number): number =>
    contribution === undefined || !isWaitKnown ? usual : usual + contribution(wait, usualWait);
  const expected = days.expectedWaits(at, usualWait).map(withWait);
  const orNone = (distance: number): number => (Number.isNaN(distance) ? 0 : distance);
  const distances = days.terms.map(({ values, usual }) =>
    orNone((values[at] ?? Number.NaN) - (usual[at] ?? Number.NaN)),
  );
  const stopped = days.stopped[at];
  return {
    value,
    median,
    distances:
      metric === 'congestion_score'
        ? [orNone((days.calm.values[at] ?? Number.NaN) - withWait(waitNow)), ...distances]
        : distances,
    expected,
    ...(stopped && { open: HORIZONS.map((days) => chanceOpen(stopped, days)) }),
  };
}
