/** Change points of a daily series: binary segmentation, then each step against autocorrelated noise. Deterministic. */

import { mean } from '../reference/statistics.ts';

// Cuts a series into levels by least squares: binary segmentation and exact partition.

/** Running sums of a series, so that the squared error of any segment takes constant time. */
export class RunningSums {
  readonly #sums: Float64Array;
  readonly #squares: Float64Array;

  constructor(values: readonly number[]) {
    // Centred, because the squared error would otherwise be a difference of large numbers.
    const centre = values.length === 0 ? 0 : mean(values);
    this.#sums = new Float64Array(values.length + 1);
    this.#squares = new Float64Array(values.length + 1);
    values.forEach((value, i) => {
      const centred = value - centre;
      this.#sums[i + 1] = (this.#sums[i] ?? 0) + centred;
      this.#squares[i + 1] = (this.#squares[i] ?? 0) + centred * centred;
    });
  }

  /** Sum of squared differences of `[from, to)` from its own mean. */
  squaredError(from: number, to: number): number {
    const sum = (this.#sums[to] ?? 0) - (this.#sums[from] ?? 0);
    const squares = (this.#squares[to] ?? 0) - (this.#squares[from] ?? 0);
    return Math.max(0, squares - (sum * sum) / (to - from));
  }
}

interface Segmenting {
  /** Least length of a segment. */
  readonly minSegment: number;
  /** Squared error that a split must save. */
  readonly penalty: number;
  /** Most splits; those that save most come first. */
  readonly maxSplits: number;
}

interface Split {
  readonly index: number;
  readonly from: number;
  readonly to: number;
  readonly gain: number;
}

/** The split of `[from, to)` that saves most squared error, the earliest on ties; undefined when the range is too short. */
function bestSplit(sums: RunningSums, from: number, to: number, shortest: number): Split | undefined {
  const whole = sums.squaredError(from, to);
  let best: Split | undefined;
  for (let index = from + shortest; index <= to - shortest; index += 1) {
    const gain = whole - sums.squaredError(from, index) - sums.squaredError(index, to);
    if (best === undefined || gain > best.gain) best = { index, from, to, gain };
  }
  return best;
}

/** Indices in `[from, to)` at which a new level begins, ascending. */
export function segment(sums: RunningSums, from: number, to: number, rules: Segmenting): number[] {
  const { minSegment, penalty, maxSplits } = rules;
  const splitOf = (start: number, end: number): Split[] => {
    const split = bestSplit(sums, start, end, minSegment);
    return split && split.gain > penalty ? [split] : [];
  };
  let open = splitOf(from, to);
  const indices: number[] = [];
  while (open.length > 0 && indices.length < maxSplits) {
    const next = open.reduce((best, split) => (split.gain > best.gain ? split : best));
    indices.push(next.index);
    open = open.filter((split) => split !== next);
    open.push(...splitOf(next.from, next.index), ...splitOf(next.index, next.to));
  }
  return indices.sort((a, b) => a - b);
}

/**
 * The partition of `[0, length)` with the least squared error and penalties (optimal partitioning, Jackson et al.
 * 2005), as indices at which a new level begins, ascending. Quadratic in the length.
 */
export function partition(sums: RunningSums, length: number, rules: Omit<Segmenting, 'maxSplits'>): number[] {
  const { minSegment, penalty } = rules;
  const costs = new Float64Array(length + 1).fill(Number.POSITIVE_INFINITY);
  const lastStarts = new Int32Array(length + 1);
  costs[0] = -penalty;
  for (let to = minSegment; to <= length; to += 1) {
    for (let from = 0; from <= to - minSegment; from += 1) {
      const cost = (costs[from] ?? 0) + penalty + sums.squaredError(from, to);
      if (cost < (costs[to] ?? 0)) {
        costs[to] = cost;
        lastStarts[to] = from;
      }
    }
  }
  const starts: number[] = [];
  for (let start = lastStarts[length] ?? 0; start > 0; start = lastStarts[start] ?? 0) starts.push(start);
  return starts.reverse();
}

/** Penalty of one split, times ln n, in units of the series' variance. */
const PENALTY_PER_LOG_LENGTH = 5;
/** Least length of a level; a series shorter than `SHORT_SERIES` may have shorter ones. */
const MIN_SEGMENT = 5;
const MIN_SEGMENT_OF_SHORT_SERIES = 3;
const SHORT_SERIES = 50;
/** A step must exceed this many standard errors of the difference of its two levels. */
export const GATE = 4;
/** The correlation of neighbouring residuals is limited to 0 to this. */
const MAX_CORRELATION = 0.8;

/** A series may consist of clean steps when the noise between neighbours is below this share of its variance. */
const CLEAN_SHARE = 0.1;
/** It does when the steps leave at most this many times that noise unexplained. */
const CLEAN_REMAINDER = 1.5;
/** Noise below this share of the variance is rounding error. */
const ROUNDING_SHARE = 1e-6;
/** Median absolute difference of neighbours to standard deviation, for normal noise; a difference contains the noise twice. */
const DIFFERENCES_TO_NOISE = 1.4826 / Math.SQRT2;

export interface ChangePoint {
  /** First index of the new level. */
  readonly index: number;
  /** Standard errors between the levels before and after; infinite without any noise. */
  readonly gate: number;
  /** Level after minus level before. */
  readonly step: number;
  /** First index of the level before, and one past the last of the level after. */
  readonly from: number;
  readonly to: number;
}

/** Noise of a segmented series: the standard deviation, inflated for the correlation of neighbours. */
function estimateNoise(values: readonly number[], bounds: readonly number[]): number {
  let squares = 0;
  let products = 0;
  let previous = 0;
  for (let s = 0; s + 1 < bounds.length; s += 1) {
    const from = bounds[s] ?? 0;
    const to = bounds[s + 1] ?? 0;
    const level = values.slice(from, to);
    const centre = mean(level);
    for (const value of level) {
      const residual = value - centre;
      squares += residual * residual;
      products += residual * previous;
      previous = residual;
    }
  }
  if (squares === 0) return 0;
  const n = values.length;
  const raw = products / squares;
  // Residuals of short series look less correlated than they are (Marriott and Pope 1954).
  const correlation = Math.min(MAX_CORRELATION, Math.max(0, raw + (1 + 4 * raw) / n));
  return Math.sqrt(squares / n) * Math.sqrt((1 + correlation) / (1 - correlation));
}

/** The splits with their gates, against the noise of the whole segmentation. */
function gated(values: readonly number[], splits: readonly number[]): ChangePoint[] {
  const bounds = [0, ...splits, values.length];
  const noise = estimateNoise(values, bounds);
  return splits.map((index, k) => {
    const from = bounds[k] ?? 0;
    const to = bounds[k + 2] ?? values.length;
    const step = mean(values.slice(index, to)) - mean(values.slice(from, index));
    const gate = Math.abs(step) / (noise * Math.sqrt(1 / (index - from) + 1 / (to - index)));
    return { index, gate, step, from, to };
  });
}

/** Variance of the noise, from the median difference of neighbours, which steps do not affect. */
function neighbourNoise(values: readonly number[]): number {
  const moves = Float64Array.from(values.slice(1), (value, i) => Math.abs(value - (values[i] ?? value)));
  return ((moves.sort()[moves.length >> 1] ?? 0) * DIFFERENCES_TO_NOISE) ** 2;
}

/** The exact partition of a series of level steps with little uncorrelated noise; undefined for any other series. */
function cleanSteps(values: readonly number[], sums: RunningSums, rules: Segmenting): number[] | undefined {
  const n = values.length;
  const variance = sums.squaredError(0, n) / n;
  const noise = Math.max(neighbourNoise(values), ROUNDING_SHARE * variance);
  if (noise >= CLEAN_SHARE * variance) return undefined;
  const steps = partition(sums, n, { ...rules, penalty: PENALTY_PER_LOG_LENGTH * Math.log(n) * noise });
  const remainder = [0, ...steps].reduce((sum, from, k) => sum + sums.squaredError(from, steps[k] ?? n), 0);
  return steps.length <= rules.maxSplits && remainder <= CLEAN_REMAINDER * n * noise ? steps : undefined;
}

interface Detection {
  /** Least length of a level; by default it depends on the length of the series. */
  readonly minSegment?: number;
  /** Most splits of the segmentation; unlimited by default. */
  readonly maxSplits?: number;
}

/**
 * Change points of a series without gaps, oldest first. Splits that fail the gate are removed, the weakest first, and
 * the others measured again.
 */
export function changePoints(values: readonly number[], detection: Detection = {}): ChangePoint[] {
  const n = values.length;
  const sums = new RunningSums(values);
  const variance = sums.squaredError(0, n) / n;
  if (n < 2 || variance === 0) return [];
  const shortest = n < SHORT_SERIES ? MIN_SEGMENT_OF_SHORT_SERIES : MIN_SEGMENT;
  const { minSegment = shortest, maxSplits = Number.POSITIVE_INFINITY } = detection;
  const rules = { minSegment, penalty: PENALTY_PER_LOG_LENGTH * Math.log(n) * variance, maxSplits };
  // Binary segmentation is more robust to noise and drift, but misses two steps that explain much only together.
  let points = gated(values, cleanSteps(values, sums, rules) ?? segment(sums, 0, n, rules));
  while (points.length > 0) {
    const weakest = points.reduce((low, point) => (point.gate < low.gate ? point : low));
    if (weakest.gate >= GATE) break;
    points = gated(
      values,
      points.filter((point) => point !== weakest).map(({ index }) => index),
    );
  }
  return points;
}

/** Change points of a whole series, as indices of `values`. Gaps are skipped, not filled. */
export function detectChangePoints(values: readonly (number | null)[]): number[] {
  const known = values.flatMap((value, index) => (value === null ? [] : [{ value, index }]));
  return changePoints(known.map(({ value }) => value)).map(({ index }) => known[index]?.index ?? index);
}
