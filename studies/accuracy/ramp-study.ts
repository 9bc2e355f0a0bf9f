/** A queue that builds up and stays: how far averages of waits lag while it builds, and when they catch up. */
import type { PortCall } from '../../core/calls/port-call.ts';
import { dailySeries } from '../../core/metrics/daily.ts';
import {
  addDays,
  DAY_MS,
  type Day,
  HOUR_MS,
  type Instant,
  startOfDay,
  wholeSecond,
} from '../../core/reference/time.ts';
import { exponential, logNormal, randomStream } from '../../core/sources/sample-simulator/random.ts';
import { mean } from '../../test/detector/scoring.ts';

const FIRST_DAY: Day = '2026-01-01';
const LAST_DAY = 140;
const ARRIVALS_PER_DAY = 10;
/** Mean wait before the ramp, after it, and the days between which it climbs. */
const RAMP = { fromHours: 12, toHours: 240, fromDay: 40, toDay: 80 };
/** Spread of the logarithm of waits; their squared coefficient of variation is then 0.6. */
const SPREAD = Math.sqrt(Math.log(1.6));
const BERTH_HOURS = 24;
const WEEK_MS = 7 * DAY_MS;

interface RampCall {
  readonly ataAt: Instant;
  readonly berthedAt: Instant;
  readonly waitHours: number;
}

export interface RampDay {
  readonly day: number;
  /** Mean wait, known only later, of the vessels that arrived in the last seven days. */
  readonly truth: number;
  /** The served figure: the average by the day of berthing. */
  readonly served: number;
  /** Mean of the vessels that arrived in the last seven days and have berthed, which is a bad estimator. */
  readonly completedOnly: number;
  /** Mean age of the vessels that wait. */
  readonly queueAge: number;
  /** Vessels waiting over arrivals an hour in the last seven days (Little's law). */
  readonly little: number;
  /** The score, which also contains the live queue. */
  readonly score: number;
}

function meanWaitAt(day: number): number {
  const share = Math.min(1, Math.max(0, (day - RAMP.fromDay) / (RAMP.toDay - RAMP.fromDay)));
  return RAMP.fromHours + share * (RAMP.toHours - RAMP.fromHours);
}

function rampCalls(seed: number): RampCall[] {
  const random = randomStream('ramp', seed);
  const beganAt = startOfDay(FIRST_DAY);
  const calls: RampCall[] = [];
  for (let at: number = beganAt; ; ) {
    at += exponential(random, DAY_MS / ARRIVALS_PER_DAY);
    const day = (at - beganAt) / DAY_MS;
    if (day >= LAST_DAY) return calls;
    const median = meanWaitAt(day) / Math.exp(SPREAD ** 2 / 2);
    const ataAt = wholeSecond(at);
    const berthedAt = wholeSecond(ataAt + logNormal(random, median, SPREAD) * HOUR_MS);
    calls.push({ ataAt, berthedAt, waitHours: (berthedAt - ataAt) / HOUR_MS });
  }
}

/** The known part of the call at `asOfAt`. */
function portCallAt({ ataAt, berthedAt }: RampCall, ordinal: number, asOfAt: Instant): PortCall {
  const atdAt = berthedAt + BERTH_HOURS * HOUR_MS;
  const wait = { zone: 'anchorage', place: 'Roads', startAt: ataAt } as const;
  const berth = { zone: 'berth', place: 'Quay', startAt: berthedAt } as const;
  const id = `ramp-${ordinal}`;
  return {
    callId: id,
    port: 'USLAX',
    vesselId: id,
    traffic: 'cargo',
    ataAt,
    ...(atdAt <= asOfAt && { atdAt }),
    legs: [
      berthedAt <= asOfAt ? { ...wait, endAt: berthedAt } : wait,
      ...(berthedAt <= asOfAt ? [atdAt <= asOfAt ? { ...berth, endAt: atdAt } : berth] : []),
    ],
    waitKnown: true,
    firstAtaAt: ataAt,
    changedAt: ataAt,
  };
}

/** The ramp at the end of each of `days`, without knowledge of the future. */
function studyRamp(days: readonly number[], seed: number): RampDay[] {
  const all = rampCalls(seed);
  return days.map((day) => {
    const today = addDays(FIRST_DAY, day - 1);
    const asOfAt = startOfDay(FIRST_DAY) + day * DAY_MS;
    const arrived = all.filter(({ ataAt }) => ataAt < asOfAt);
    const recent = arrived.filter(({ ataAt }) => ataAt >= asOfAt - WEEK_MS);
    const waiting = arrived.filter(({ berthedAt }) => berthedAt >= asOfAt);
    const calls = arrived.map((call, ordinal) => portCallAt(call, ordinal, asOfAt));
    const coverage = [{ fromAt: startOfDay(FIRST_DAY), toAt: asOfAt }];
    const [metrics] = dailySeries({ days: [today], calls, coverage, asOfAt });
    const hoursOf = (some: readonly RampCall[]): number => mean(some.map(({ waitHours }) => waitHours));
    return {
      day,
      truth: hoursOf(recent),
      served: metrics?.avgWaitHours ?? Number.NaN,
      completedOnly: hoursOf(recent.filter(({ berthedAt }) => berthedAt < asOfAt)),
      queueAge: mean(waiting.map(({ ataAt }) => (asOfAt - ataAt) / HOUR_MS)),
      little: waiting.length / (recent.length / (WEEK_MS / HOUR_MS)),
      score: metrics?.congestionScore ?? Number.NaN,
    };
  });
}

/** Means of several runs, day by day, because a single week of berthings is a small sample. */
export function meanRamp(days: readonly number[], seeds: readonly number[]): RampDay[] {
  const runs = seeds.map((seed) => studyRamp(days, seed));
  return days.map((day, i) => {
    const of = (pick: (row: RampDay) => number): number =>
      mean(runs.flatMap((run) => (run[i] === undefined ? [] : [pick(run[i])])));
    return {
      day,
      truth: of((row) => row.truth),
      served: of((row) => row.served),
      completedOnly: of((row) => row.completedOnly),
      queueAge: of((row) => row.queueAge),
      little: of((row) => row.little),
      score: of((row) => row.score),
    };
  });
}
