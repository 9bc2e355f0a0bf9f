/**
 * The token bucket in the form of the generic cell rate algorithm (ITU-T I.371): its whole state is one number,
 * the theoretical arrival time (TAT), the instant at which the bucket is full again.
 *
 * A request at `now` is admitted when `max(TAT, now) - now <= (burst - 1) * interval`, and moves the TAT to
 * `max(TAT, now) + interval`. Everything here is whole microseconds, so that no rate loses or gains by rounding
 * more than a microsecond a token, always to the strict side.
 */
import { type Instant, SECOND_MS } from '../reference/time.ts';

export interface BucketLimits {
  /** Tokens a second that refill the bucket; more than 0. */
  readonly ratePerSecond: number;
  /** Tokens in a full bucket; a whole number, 1 or more. */
  readonly burst: number;
}

/** Microseconds since the Unix epoch. */
export type Micros = number;

const MICROS_PER_MS = 1000;
export const MICROS_PER_SECOND = SECOND_MS * MICROS_PER_MS;
/** The clocks of several machines that share a bucket may differ by this much. */
export const CLOCK_ALLOWANCE: Micros = 60 * MICROS_PER_SECOND;

/** The clock of one machine goes back by this much without having been set back. */
export const CLOCK_JUMP: Micros = 2 * MICROS_PER_SECOND;

export const toMicros = (at: Instant): Micros => Math.round(at * MICROS_PER_MS);

/** Time between two tokens. */
export const emissionInterval = (limits: BucketLimits): Micros =>
  Math.ceil(MICROS_PER_SECOND / limits.ratePerSecond);

/** How far ahead of now the TAT may be for a request to be admitted. */
export const tolerance = (limits: BucketLimits): Micros => (limits.burst - 1) * emissionInterval(limits);

/** Requests a minute at the sustained rate, at least 1. */
export const minuteAllotment = (limits: BucketLimits): number =>
  Math.max(1, Math.floor(limits.ratePerSecond * 60 + 1e-6));

/** Whether these can be the limits of a bucket; a rate or burst of zero would refuse everything. */
export const isLimits = ({ ratePerSecond, burst }: BucketLimits): boolean =>
  Number.isFinite(ratePerSecond) && ratePerSecond > 0 && Number.isSafeInteger(burst) && burst >= 1;

/** How many of `count` requests are admitted, and the state to store; `tat` is undefined for a bucket that was never used. */
export function admitSome(tat: Micros | undefined, now: Micros, limits: BucketLimits, count: number) {
  const interval = emissionInterval(limits);
  const empty = now + limits.burst * interval;
  // After a clock that ran ahead, or a reduced burst: empty, and refilling at once.
  const known = Math.max(tat ?? now, now);
  const from = known > empty + CLOCK_ALLOWANCE ? empty : known;
  const room = Math.max(0, Math.floor((now + tolerance(limits) - from) / interval) + 1);
  const admitted = Math.min(count, room);
  return { admitted, tat: from + admitted * interval };
}

/** When the next request is admitted by a bucket in state `tat`, if none goes before it. */
export const admittedAgainAt = (tat: Micros, limits: BucketLimits): Micros => tat - tolerance(limits);

/** Whole seconds until the next request is admitted, at least 1: that long is enough, one second less is not. */
export const secondsUntilAdmitted = (retryAt: Micros, now: Micros): number =>
  Math.max(1, Math.ceil((retryAt - now) / MICROS_PER_SECOND));
