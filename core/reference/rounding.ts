/** The one place where figures are rounded: half away from zero, on the decimal value that a reader sees. */

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
