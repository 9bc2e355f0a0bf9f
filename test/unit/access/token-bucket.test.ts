/** The bucket's arithmetic against a plain bucket that counts tokens. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  admitSome,
  type BucketLimits,
  CLOCK_ALLOWANCE,
  emissionInterval,
  isLimits,
  MICROS_PER_SECOND,
  type Micros,
  minuteAllotment,
  secondsUntilAdmitted,
  tolerance,
  toMicros,
} from '../../../core/access/token-bucket.ts';
import { admitOne } from './admit-one.ts';

const BASELINE: BucketLimits = { ratePerSecond: 1, burst: 300 };
const START = toMicros(Date.UTC(2026, 10, 20, 12));
const seconds = (count: number): Micros => count * MICROS_PER_SECOND;

/** The textbook bucket, with exact integers: credit in microseconds, never above a full bucket. */
class PlainBucket {
  readonly #interval: bigint;
  readonly #full: bigint;
  #credit: bigint;
  #last = 0n;

  /** `extra` microseconds of credit beyond the burst. */
  constructor(limits: BucketLimits, extra = 0) {
    this.#interval = BigInt(emissionInterval(limits));
    this.#full = this.#interval * BigInt(limits.burst) + BigInt(extra);
    this.#credit = this.#full;
  }

  /** A clock that goes back counts as one that stands still. */
  admit(now: Micros): boolean {
    const at = BigInt(now);
    if (at > this.#last) {
      this.#credit += at - this.#last;
      if (this.#credit > this.#full) this.#credit = this.#full;
      this.#last = at;
    }
    if (this.#credit < this.#interval) return false;
    this.#credit -= this.#interval;
    return true;
  }
}

/** One caller of a bucket; the state as the table would hold it. */
class Bucket {
  tat: Micros | undefined;
  constructor(readonly limits: BucketLimits) {}

  admit(now: Micros): boolean {
    const decision = admitOne(this.tat, now, this.limits);
    this.tat = decision.tat;
    return decision.admitted;
  }
}

const limits = fc.record({
  ratePerSecond: fc.oneof(
    fc.constantFrom(1, 2, 0.5, 3, 7, 1 / 3),
    fc.double({ min: 0.01, max: 500, noNaN: true }),
  ),
  burst: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 400 })),
});
/** Gaps in microseconds: mostly bursts and a second or two, so that buckets are emptied; pauses of up to ten minutes. */
const gap = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 2000 }) },
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 2_500_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 6e8 }) },
);
const LONG = { minLength: 1, maxLength: 400, size: 'max' } as const;
const gaps = fc.array(gap, LONG);
/** The instants after each of the gaps. */
function instantsAfter(steps: readonly number[]): Micros[] {
  let now = START;
  return steps.map((step) => {
    now += step;
    return now;
  });
}

describe('the bucket', () => {
  it('admits exactly what a plain bucket admits, request by request, while the clock goes forward', () => {
    fc.assert(
      fc.property(limits, gaps, (given, steps) => {
        const bucket = new Bucket(given);
        const plain = new PlainBucket(given);
        const decisions = instantsAfter(steps).map((now) => [bucket.admit(now), plain.admit(now)]);
        expect(decisions.filter(([ours, theirs]) => ours !== theirs)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('with clocks up to 5 s out of step admits no more than 5 s worth beyond the burst, and no less short of it', () => {
    const apart = 5 * MICROS_PER_SECOND;
    const lagging = fc.tuple(gap, fc.integer({ min: 0, max: apart }));
    fc.assert(
      fc.property(limits, fc.array(lagging, LONG), (given, steps) => {
        const bucket = new Bucket(given);
        const generous = new PlainBucket(given, apart);
        const stingy = new PlainBucket(given, -apart);
        let now = START;
        const admitted = { bucket: 0, generous: 0, stingy: 0 };
        for (const [step, behind] of steps) {
          now += step;
          if (bucket.admit(now - behind)) admitted.bucket += 1;
          if (generous.admit(now)) admitted.generous += 1;
          if (stingy.admit(now)) admitted.stingy += 1;
          if (admitted.bucket > admitted.generous || admitted.bucket < admitted.stingy)
            throw new Error(`admitted ${JSON.stringify(admitted)}`);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('keeps for the clock that is right what a lagging one was refused', () => {
    fc.assert(
      fc.property(limits, gaps, fc.integer({ min: 1, max: 3e7 }), (given, steps, behind) => {
        const bucket = new Bucket(given);
        const undisturbed = new Bucket(given);
        const decisions = instantsAfter(steps).map((now) => {
          const state = admitOne(bucket.tat, now - behind, given);
          if (!state.admitted) bucket.tat = state.tat;
          return [bucket.admit(now), undisturbed.admit(now)];
        });
        expect(decisions.filter(([ours, theirs]) => ours !== theirs)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('after a clock that was wrong by any amount is filling again at once, and gave away one bucket at most', () => {
    const jump = fc.integer({ min: -1e13, max: 1e13 });
    fc.assert(
      fc.property(limits, fc.array(fc.tuple(jump, gaps), { minLength: 1, maxLength: 8 }), (given, phases) => {
        const bucket = new Bucket(given);
        let now = START;
        let admitted = 0;
        let longestWait = 0;
        let forward = 0;
        for (const [leap, steps] of phases) {
          now += leap;
          forward += Math.max(0, leap);
          for (const step of steps) {
            now += step;
            forward += step;
            const decision = admitOne(bucket.tat, now, given);
            bucket.tat = decision.tat;
            if (decision.admitted) admitted += 1;
            else longestWait = Math.max(longestWait, decision.retryAt - now);
          }
        }
        expect(admitted).toBeLessThanOrEqual(given.burst + Math.floor(forward / emissionInterval(given)));
        expect(longestWait).toBeLessThanOrEqual(CLOCK_ALLOWANCE + emissionInterval(given));
      }),
      { numRuns: 100 },
    );
  });

  it('decides on several requests at once as on one after the other', () => {
    const request = fc.tuple(gap, fc.integer({ min: 1, max: 500 }));
    const several = fc.array(request, { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(limits, several, (given, steps) => {
        const bucket = new Bucket(given);
        let now = START;
        let tat: Micros | undefined;
        for (const [step, count] of steps) {
          now += step;
          const share = admitSome(tat, now, given, count);
          tat = share.tat;
          const oneByOne = Array.from({ length: count }, () => bucket.admit(now)).filter(Boolean).length;
          if (share.admitted !== oneByOne || share.tat !== bucket.tat)
            throw new Error(`${share.admitted} at once, ${oneByOne} one by one`);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('admits a full burst at once, then one a second', () => {
    const bucket = new Bucket(BASELINE);
    const burst = Array.from({ length: 301 }, () => bucket.admit(START));
    expect(burst.filter(Boolean)).toHaveLength(300);
    expect(burst.at(-1)).toBe(false);
    expect(bucket.admit(START + seconds(1) - 1)).toBe(false);
    expect(bucket.admit(START + seconds(1))).toBe(true);
    expect(bucket.admit(START + seconds(1))).toBe(false);
  });

  it('admits at most 360 in any 60 seconds', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4e5 }), { minLength: 400, maxLength: 900 }), (steps) => {
        const bucket = new Bucket(BASELINE);
        const instants = instantsAfter(steps).filter((now) => bucket.admit(now));
        const inOneMinute = instants.map(
          (from, first) => instants.slice(first).filter((at) => at < from + seconds(60)).length,
        );
        expect(Math.max(...inOneMinute)).toBeLessThanOrEqual(360);
      }),
      { numRuns: 30 },
    );
  });

  it('states a wait that is exact to the second: one second less is refused', () => {
    let refused = 0;
    fc.assert(
      fc.property(limits, gaps, (given, steps) => {
        const bucket = new Bucket(given);
        for (const now of instantsAfter(steps)) {
          const decision = admitOne(bucket.tat, now, given);
          bucket.tat = decision.tat;
          if (decision.admitted) continue;
          refused += 1;
          const wait = secondsUntilAdmitted(decision.retryAt, now);
          const admittedAfter = (count: number) =>
            admitOne(decision.tat, now + seconds(count), given).admitted;
          if (wait < 1 || !admittedAfter(wait) || admittedAfter(wait - 1))
            throw new Error(`${wait} is not the wait for ${decision.retryAt - now} microseconds`);
        }
      }),
      { numRuns: 100 },
    );
    expect(refused).toBeGreaterThan(1000);
  });

  it('starts to fill at once when the burst was cut far below what was spent', () => {
    const generous = new Bucket({ ratePerSecond: 1, burst: 5000 });
    while (generous.admit(START));
    const cut = admitOne(generous.tat, START, BASELINE);
    expect(cut).toEqual({ admitted: false, tat: START + seconds(300), retryAt: START + seconds(1) });
    expect(admitOne(cut.tat, START + seconds(1), BASELINE).admitted).toBe(true);
  });

  it('rounds to the strict side for rates that do not divide a second', () => {
    const thirds = { ratePerSecond: 3, burst: 1 };
    expect(emissionInterval(thirds)).toBe(333_334);
    expect(tolerance({ ...thirds, burst: 4 })).toBe(3 * 333_334);
    expect(minuteAllotment(thirds)).toBe(180);
    expect(minuteAllotment({ ratePerSecond: 0.001, burst: 1 })).toBe(1);
  });

  it.each([
    [{ ratePerSecond: 1, burst: 300 }, true],
    [{ ratePerSecond: 1, burst: 1 }, true],
    [{ ratePerSecond: 0, burst: 300 }, false],
    [{ ratePerSecond: -1, burst: 300 }, false],
    [{ ratePerSecond: Number.NaN, burst: 300 }, false],
    [{ ratePerSecond: Number.POSITIVE_INFINITY, burst: 300 }, false],
    [{ ratePerSecond: 1, burst: 0 }, false],
    [{ ratePerSecond: 1, burst: 1.5 }, false],
  ])('%j can be limits: %s', (given, expected) => {
    expect(isLimits(given)).toBe(expected);
  });
});
