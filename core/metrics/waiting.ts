/** Waiting before the berth: how long vessels waited, averaged by the day they berthed. */
import type { PortCall } from '../calls/port-call.ts';
import type { Instant } from '../reference/time.ts';

/** A wait of this many hours or more counts as a delay. */
export const DELAYED_HOURS = 3;
/** Days of berthings that the average looks back on; the next is taken while there are too few. */
export const WAIT_WINDOWS_DAYS = [7, 14, 28] as const;
/** Fewer berthings than this say nothing about a port. */
export const LEAST_BERTHINGS = 3;
/** From this many berthings on, the longest 1 in 20 are set to the 95th percentile. */
const LEAST_TO_WINSORISE = 20;
const UPPER_QUANTILE = 0.95;

/** One call's first berth, and the hours waited before it (0 when it went straight in). */
export interface Berthing {
  readonly berthedAt: Instant;
  readonly waitHours: number;
}

/** Start of the first berth leg; undefined while the vessel has not berthed. */
export const firstBerthAt = (call: PortCall): Instant | undefined =>
  call.legs.find((leg) => leg.zone === 'berth')?.startAt;

/** Time at anchor before `untilAt`, in milliseconds. */
export function anchoredMsBefore(call: PortCall, untilAt: Instant): number {
  let ms = 0;
  for (const leg of call.legs) {
    if (leg.zone !== 'anchorage') continue;
    ms += Math.max(0, Math.min(leg.endAt ?? untilAt, untilAt) - leg.startAt);
  }
  return ms;
}

/**
 * Quantile of values in ascending order by linear interpolation between order statistics (Hyndman and Fan 1996,
 * type 7, the default of NumPy, R and Excel). `values` must not be empty.
 */
export function quantile(ascending: ArrayLike<number>, share: number): number {
  const position = (ascending.length - 1) * share;
  const below = Math.floor(position);
  const low = ascending[below] ?? Number.NaN;
  const high = ascending[below + 1] ?? low;
  return low + (position - below) * (high - low);
}

/** Mean hours with everything above the 95th percentile set to it, once there are 20; undefined when empty. */
export function winsorisedMean(hours: readonly number[]): number | undefined {
  if (hours.length === 0) return undefined;
  if (hours.length < LEAST_TO_WINSORISE) return sumOf(hours) / hours.length;
  const cap = quantile(Float64Array.from(hours).sort(), UPPER_QUANTILE);
  return sumOf(hours.map((value) => Math.min(value, cap))) / hours.length;
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
