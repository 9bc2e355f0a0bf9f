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

// The one place where figures are rounded: half away from zero, on the decimal value that a reader sees.

/** Decimals of every served figure. */
export const SCORE_DECIMALS = 3;
export const HOURS_DECIMALS = 1;
export const STAY_HOURS_DECIMALS = 2;
/** Fine enough to recover the second: one is 0.0003 h. */
export const WAIT_HOURS_DECIMALS = 4;
export const VESSEL_MEAN_DECIMALS = 1;
export const FRACTION_DECIMALS = 4;
export const INDEX_DECIMALS = 1;

/** Digits that a double always represents exactly; those beyond are binary noise and must not decide a tie. */
const SIGNIFICANT_DIGITS = 15;
/** Further from a half, and below the bound, those digits decide nothing, and checking them takes most of the time. */
const NEAR_TIE = 1e-3;
const MAX_CERTAIN = 1e9;

/** `value` to `decimals` places, a half away from zero: 1.005 to 2 places is 1.01, -2.5 to 0 is -3. Never -0. */
export function round(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  const product = Math.abs(value) * factor;
  const nearTie = Math.abs(product - Math.floor(product) - 0.5) < NEAR_TIE || product > MAX_CERTAIN;
  const scaled = nearTie ? Number(product.toPrecision(SIGNIFICANT_DIGITS)) : product;
  const magnitude = Math.round(scaled) / factor;
  return value < 0 && magnitude > 0 ? -magnitude : magnitude;
}

/** Items by key, the keys in the order in which they are first met. Node 20 lacks `Map.groupBy`. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
