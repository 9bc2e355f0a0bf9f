/** A day that forecasts start from: its value, what is usual, and what is already known of the days to come. */
import type { ForecastDays } from './forecast-days.ts';
import { type ForecastMetric, HORIZONS } from './forecast-figures.ts';
import type { Distances } from './forecast-regression.ts';
import { TERMS, waitTerm } from './score.ts';

export interface Origin {
  readonly value: number;
  readonly median: number;
  readonly distances: Distances;
  /** What is expected where both distances are zero, by horizon; index 0 is horizon 1. On the metric's scale. */
  readonly expected: readonly number[];
}

/** The scale on which a metric is regressed. */
export interface Scale {
  readonly to: (value: number) => number;
  readonly from: (scaled: number) => number;
}
const AS_IS: Scale = { to: (value) => value, from: (scaled) => scaled };
/** Evens out the spread of counts (Bartlett 1936). */
const SQUARE_ROOT: Scale = { to: Math.sqrt, from: (scaled) => Math.max(0, scaled) ** 2 };
export const scaleOf = (metric: ForecastMetric): Scale => (metric === 'at_anchor' ? SQUARE_ROOT : AS_IS);

/** What an average wait contributes to the metric, less what the usual wait contributes. */
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
  const { to } = scaleOf(metric);
  const level = to(median);
  const wait = days.waits[at] ?? Number.NaN;
  const contribution = Number.isNaN(wait) ? undefined : contributions[metric];
  const usualWait = contribution && days.usual(days.waits, at);
  const expected = HORIZONS.map((horizon) =>
    contribution === undefined || usualWait === undefined
      ? level
      : level + contribution(days.expectedWait(at, horizon, usualWait), usualWait),
  );
  // The score without its wait term, which is expected from the waits. The wait itself keeps its distance.
  const counted =
    metric === 'congestion_score' && usualWait !== undefined ? (contribution?.(wait, usualWait) ?? 0) : 0;
  const queue = to(days.endQueues[at] ?? Number.NaN) - to(days.usual(days.queues, at) ?? Number.NaN);
  return {
    value,
    median,
    distances: [to(value) - level - counted, Number.isNaN(queue) ? 0 : queue],
    expected,
  };
}
