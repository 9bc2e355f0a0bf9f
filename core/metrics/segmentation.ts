/** Cuts a series into levels by least squares: binary segmentation and exact partition. */

/** Running sums of a series, so that the squared error of any segment takes constant time. */
export class RunningSums {
  readonly #sums: Float64Array;
  readonly #squares: Float64Array;

  constructor(values: readonly number[]) {
    // Centred, because the squared error would otherwise be a difference of large numbers.
    const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
    this.#sums = new Float64Array(values.length + 1);
    this.#squares = new Float64Array(values.length + 1);
    values.forEach((value, i) => {
      const centred = value - mean;
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

export interface Segmenting {
  /** Least length of a segment. */
  readonly shortestSegment: number;
  /** Squared error that a split must save. */
  readonly penalty: number;
  /** Most splits; those that save most come first. */
  readonly mostSplits: number;
}

interface Split {
  readonly index: number;
  readonly from: number;
  readonly to: number;
  readonly gain: number;
}

/** The split of `[from, to)` that saves most squared error, the first of equals; undefined when the range is too short. */
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
  const { shortestSegment, penalty, mostSplits } = rules;
  const splitOf = (start: number, end: number): Split[] => {
    const split = bestSplit(sums, start, end, shortestSegment);
    return split && split.gain > penalty ? [split] : [];
  };
  let open = splitOf(from, to);
  const indices: number[] = [];
  while (open.length > 0 && indices.length < mostSplits) {
    const next = open.reduce((best, split) => (split.gain > best.gain ? split : best));
    indices.push(next.index);
    open = open.filter((split) => split !== next);
    open.push(...splitOf(next.from, next.index), ...splitOf(next.index, next.to));
  }
  return indices.sort((a, b) => a - b);
}

/**
 * The partition of `[0, length)` with the least sum of squared error and penalties (optimal partitioning, Jackson et al.
 * 2005), as indices at which a new level begins, ascending. Quadratic in the length.
 */
export function partition(
  sums: RunningSums,
  length: number,
  rules: Omit<Segmenting, 'mostSplits'>,
): number[] {
  const { shortestSegment, penalty } = rules;
  const costs = new Float64Array(length + 1).fill(Number.POSITIVE_INFINITY);
  const lastStarts = new Int32Array(length + 1);
  costs[0] = -penalty;
  for (let to = shortestSegment; to <= length; to += 1) {
    for (let from = 0; from <= to - shortestSegment; from += 1) {
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
