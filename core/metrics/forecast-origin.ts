/** The origin of a forecast: its value, what is usual, and what is already known about the next days. */

import type { ForecastMetric } from '../reference/figure-names.ts';
import { type DailyValue, FORECAST_TERMS, HORIZONS } from './forecast-figures.ts';
import { TERMS, waitTerm } from './score.ts';
import { MIN_BERTHINGS, WINDOWS_DAYS } from './waits.ts';

// The history of a forecast by columns: one place for every day, NaN where a day has no value.

/** What is usual is the median of this many days; half of them must be known. */
const USUAL_DAYS = 28;
const MIN_USUAL_VALUES = 14;

interface Berthed {
  readonly days: number;
  readonly berthings: number;
  readonly hours: number;
}

export class ForecastDays {
  readonly values: Float64Array;
  readonly waits: Float64Array;
  /** One column for each term of the metric. */
  readonly terms: readonly Float64Array[];
  /** One for all medians: each of its own would be most of what a forecast allocates. */
  readonly #known = new Float64Array(USUAL_DAYS);
  /** Sums over the days before the index: days with a value, their berthings, and the hours that these waited. */
  readonly #days: Float64Array;
  readonly #berthings: Float64Array;
  readonly #hours: Float64Array;

  /** `days` has a place for every day, empty for one without a value. */
  constructor(metric: ForecastMetric, days: readonly (DailyValue | undefined)[]) {
    const column = (of: (day: DailyValue) => number | undefined): Float64Array =>
      Float64Array.from(days, (day) => (day && of(day)) ?? Number.NaN);
    const sums = (of: (day: DailyValue) => number): Float64Array => {
      const before = new Float64Array(days.length + 1);
      for (const [at, day] of days.entries()) before[at + 1] = (before[at] ?? 0) + (day ? of(day) : 0);
      return before;
    };
    this.values = column(({ value }) => value);
    this.waits = column(({ waits }) => waits?.avgWaitHours);
    this.terms = FORECAST_TERMS[metric].map((_, i) => column(({ terms }) => terms?.[i]));
    this.#days = sums(() => 1);
    this.#berthings = sums(({ waits }) => waits?.berthings ?? 0);
    this.#hours = sums(({ waits }) => waits?.hours ?? 0);
  }

  /** The median of the 28 days that end with `at`; undefined with fewer than 14 values. */
  usual(column: Float64Array, at: number): number | undefined {
    const known = this.#known;
    let count = 0;
    known.fill(Number.NaN);
    for (let i = Math.max(0, at + 1 - USUAL_DAYS); i <= at; i += 1) {
      const value = column[i] ?? Number.NaN;
      if (!Number.isNaN(value)) known[count++] = value;
    }
    if (count < MIN_USUAL_VALUES) return undefined;
    // NaN is sorted to the end.
    known.sort();
    return ((known[(count - 1) >> 1] ?? 0) + (known[count >> 1] ?? 0)) / 2;
  }

  /**
   * The average wait at a horizon if every vessel that berths after day `at` waits `usualHours`: some of the berthings
   * of that average have already happened.
   */
  expectedWait(at: number, horizon: number, usualHours: number): number {
    const month = this.#berthed(at, USUAL_DAYS);
    const windowDays =
      WINDOWS_DAYS.find((count) => this.#berthed(at, count).berthings >= MIN_BERTHINGS) ?? USUAL_DAYS;
    const known = this.#berthed(at, windowDays - horizon);
    const coming = (month.berthings / month.days) * horizon;
    const berthings = known.berthings + coming;
    return berthings === 0 ? usualHours : (known.hours + coming * usualHours) / berthings;
  }

  #berthed(at: number, count: number): Berthed {
    const from = Math.max(0, at + 1 - count);
    const over = (sums: Float64Array): number => (sums[at + 1] ?? 0) - (sums[from] ?? 0);
    return { days: over(this.#days), berthings: over(this.#berthings), hours: over(this.#hours) };
  }
}

export interface Origin {
  readonly value: number;
  readonly median: number;
  /** Distance of each term of the metric from what is usual; 0 where either is not known. */
  readonly distances: readonly number[];
  /** Expected value where all distances are zero, by horizon; index 0 is horizon 1. In the unit of the metric. */
  readonly expected: readonly number[];
}

/** Contribution of an average wait to the metric, less that of the usual wait. */
const contributions: Readonly<Record<ForecastMetric, ((wait: number, usual: number) => number) | undefined>> =
  {
    avg_wait_hours: (wait, usual) => wait - usual,
    at_anchor: undefined,
    congestion_score: (wait, usual) => (waitTerm(wait) - waitTerm(usual)) / TERMS,
  };

/**
 * The origin of the day at index `at`. Undefined where the day has no value, or fewer than 14 of the 28 days up to it
 * have one.
 */
export function originAt(metric: ForecastMetric, days: ForecastDays, at: number): Origin | undefined {
  const value = days.values[at] ?? Number.NaN;
  const median = days.usual(days.values, at);
  if (Number.isNaN(value) || median === undefined) return undefined;
  const contribution = contributions[metric];
  const usualWait = contribution && days.usual(days.waits, at);
  const isWaitKnown = !Number.isNaN(days.waits[at] ?? Number.NaN);
  const expected = HORIZONS.map((horizon) =>
    contribution === undefined || usualWait === undefined || !isWaitKnown
      ? median
      : median + contribution(days.expectedWait(at, horizon, usualWait), usualWait),
  );
  const distances = days.terms.map((term) => {
    const distance = (term[at] ?? Number.NaN) - (days.usual(term, at) ?? Number.NaN);
    return Number.isNaN(distance) ? 0 : distance;
  });
  return { value, median, distances, expected };
}
