/** Sums, means and quantiles. */

export const sum = (values: Iterable<number>): number => {
  let total = 0;
  for (const value of values) total += value;
  return total;
};

/** Not a number without a value. */
export const mean = (values: readonly number[]): number => sum(values) / values.length;

/**
 * Quantile by linear interpolation between order statistics (Hyndman and Fan 1996, type 7, the default of NumPy, R and
 * Excel). `ascending` must not be empty.
 */
export function quantile(ascending: ArrayLike<number>, share: number): number {
  const position = (ascending.length - 1) * share;
  const below = Math.floor(position);
  const low = ascending[below] ?? Number.NaN;
  const high = ascending[below + 1] ?? low;
  return low + (position - below) * (high - low);
}

/** The middle value, of an even number the mean of the two middle ones; undefined when empty. */
export function middle(ascending: readonly number[]): number | undefined {
  const upper = ascending[ascending.length >> 1];
  const lower = ascending[(ascending.length - 1) >> 1];
  return upper === undefined || lower === undefined ? undefined : (lower + upper) / 2;
}

/** The middle of values in any order. */
export const median = (values: readonly number[]): number | undefined =>
  middle([...values].sort((a, b) => a - b));

/** Numbers that are kept in ascending order. */
export class Ascending {
  readonly values: number[] = [];

  add(value: number): void {
    this.values.splice(this.#placeOf(value), 0, value);
  }

  /** `value` must be among them. */
  remove(value: number): void {
    this.values.splice(this.#placeOf(value), 1);
  }

  /** The first place whose number is not less. */
  #placeOf(value: number): number {
    let [low, high] = [0, this.values.length];
    while (low < high) {
      const half = (low + high) >> 1;
      if ((this.values[half] ?? 0) < value) low = half + 1;
      else high = half;
    }
    return low;
  }
}
