/** How large a change is, as alerts state it. */
import { FRACTION_DECIMALS, round } from '../reference/rounding.ts';

const LEAST_FRACTION = -1;
const GREATEST_FRACTION = 10;

/** `(after - before) / max(|before|, floor)`, from -1 to 10, 4 decimals. */
export function changeFraction(before: number, after: number, floor: number): number {
  const fraction = (after - before) / Math.max(Math.abs(before), floor);
  return round(Math.min(GREATEST_FRACTION, Math.max(LEAST_FRACTION, fraction)), FRACTION_DECIMALS);
}

/** Middle value, the mean of the two middle ones of an even number; undefined when empty. */
export function median(values: readonly number[]): number | undefined {
  const ascending = [...values].sort((a, b) => a - b);
  const upper = ascending[ascending.length >> 1];
  const lower = ascending[(ascending.length - 1) >> 1];
  return upper === undefined || lower === undefined ? undefined : (lower + upper) / 2;
}
