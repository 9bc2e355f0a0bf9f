/** The guarantees at every step of the simulated year, as clients read the service. Throws `BrokenPromise`. */

import type { Stay } from '../../../core/calls/port-call.ts';
import { ApiError } from '../../../core/contracts/errors.ts';
import type { ResponseOf } from '../../../core/contracts/routes.ts';
import type { Alert, DailyMetrics } from '../../../core/metrics/figures.ts';
import { addDays, DAY_MS, type Day, dayOf, type Instant, startOfDay } from '../../../core/reference/time.ts';
import { BrokenPromise } from '../fault-run.ts';
import type { Shown } from './upstream.ts';

export type Snapshot = ResponseOf<'snapshot'>;
export type TrendRow = ResponseOf<'trend'>[number];
export type AlertRow = ResponseOf<'alerts'>[number];

export function promise(holds: boolean, what: string, ...details: unknown[]): asserts holds {
  if (!holds) throw new BrokenPromise([what, ...details.map((one) => JSON.stringify(one))].join(' '));
}

/** Undefined in place of a 404. */
export async function found<T>(response: Promise<T>): Promise<T | undefined> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined;
    throw error;
  }
}

const isShare = (figure: number): boolean => figure >= 0 && figure <= 1;

/** Time moves forward and is not in the future; the counts are those of the port at that time. */
export function holdSnapshot(
  before: Snapshot | undefined,
  is: Snapshot | undefined,
  shown: Shown,
  nowAt: Instant,
): void {
  promise(is !== undefined || before === undefined, 'a snapshot has disappeared:', before);
  if (is === undefined) return;
  promise(before === undefined || is.as_of >= before.as_of, 'as_of went back:', before, is);
  promise(Date.parse(is.as_of) <= nowAt, 'as_of is to come:', is);
  promise(isShare(is.congestion_score) && is.avg_wait_hours >= 0, 'impossible figures:', is);
  const { arrivals_24h, departures_24h, at_anchor, in_port } = is.vessels;
  promise(Math.min(arrivals_24h, departures_24h, at_anchor) >= 0 && at_anchor <= in_port, 'counts:', is);
  promise(shown.has(Date.parse(is.as_of)), 'the port was not observed at as_of:', is);
  const true_ = shown.get(Date.parse(is.as_of));
  if (true_ === undefined) return;
  promise(in_port === true_.in_port && at_anchor === true_.at_anchor, 'not the counts of as_of:', is, true_);
}

export interface TrendTruth {
  readonly port: string;
  /** Share of the day that was covered, by the observations that were taken. */
  readonly covered: (day: Day) => number;
  /** Days before this one are over and all that was to be observed of them has been. */
  readonly settledBefore: Day;
  /** Days before this one are over, and the service knows no more of them than `covered` does. */
  readonly judgedBefore: Day;
  /** From here on the port has enough behind it that a covered day has every figure. */
  readonly fullFrom: Day;
}

/** Figures in their ranges, oldest first, none on a day that was not covered and one on each that was. */
export function holdTrend(rows: readonly TrendRow[], today: Day, truth: TrendTruth): void {
  for (const [i, { date, congestion_score, avg_wait_hours, vessels }] of rows.entries()) {
    promise(i === 0 || (rows[i - 1]?.date ?? '') < date, 'the trend is out of order:', rows);
    promise(date <= today, 'a future day in the trend:', rows[i]);
    promise(isShare(congestion_score) && avg_wait_hours >= 0 && vessels >= 0, 'figures:', rows[i]);
    if (date < truth.judgedBefore)
      promise(
        truth.covered(date) > 0.7999,
        'a row on a day hardly covered:',
        truth.port,
        rows[i],
        truth.covered(date),
      );
  }
  const dates = new Set(rows.map(({ date }) => date));
  for (let day = addDays(today, -28); day < truth.settledBefore; day = addDays(day, 1)) {
    const week = Array.from({ length: 8 }, (_, ago) => truth.covered(addDays(day, -ago)));
    if (day < truth.fullFrom || Math.min(...week) < 0.8001) continue;
    promise(dates.has(day), 'a covered day has no row:', truth.port, day, week);
  }
}

/** No vessel is in two places: its stays do not overlap, not even those of different calls. */
export function holdStays(stays: readonly Stay[], vesselOf: (callId: string) => string | undefined): void {
  const endOf = new Map<string, Stay>();
  for (const stay of stays) {
    const vessel = vesselOf(stay.callId);
    promise(vessel !== undefined, 'a stay of no call:', stay);
    const before = endOf.get(vessel);
    promise(stay.endAt > stay.startAt, 'a stay without length:', stay);
    promise(before === undefined || before.endAt <= stay.startAt, 'stays overlap:', vessel, before, stay);
    endOf.set(vessel, stay);
  }
}

const keyOf = ({ as_of, metric, type }: AlertRow): string => `${as_of} ${metric} ${type}`;

/** The served alerts of one port over time. */
export class AlertMemory {
  readonly #vanished = new Map<string, Instant>();
  #served = new Set<string>();
  readonly everServed = new Set<string>();

  /** No alert is listed twice, and none that disappeared reappears. */
  hold(rows: readonly AlertRow[], nowAt: Instant): void {
    const keys = new Set(rows.map(keyOf));
    promise(keys.size === rows.length, 'an alert is listed twice:', rows);
    for (const key of this.#served) if (!keys.has(key)) this.#vanished.set(key, nowAt);
    for (const key of keys) {
      const goneAt = this.#vanished.get(key);
      promise(goneAt === undefined, 'an alert reappeared:', key, goneAt && new Date(goneAt), new Date(nowAt));
      this.everServed.add(key);
    }
    this.#served = keys;
  }
}

const CLEARED = { congestion_score: 0.45, avg_wait_hours: 14.4 } as const;
const COOL_DOWN_MS = 14 * DAY_MS;
const EPISODE_MEMORY_MS = 28 * DAY_MS;

/** One threshold alert an episode, and two weeks between change points of one metric. */
export function holdEpisodes(alerts: readonly Alert[], days: readonly DailyMetrics[]): void {
  const lastOf = new Map<string, Alert>();
  for (const alert of [...alerts].sort((a, b) => a.asOfAt - b.asOfAt)) {
    const name = `${alert.type} ${alert.metric}`;
    const last = lastOf.get(name);
    lastOf.set(name, alert);
    if (last === undefined) continue;
    if (alert.type === 'change_point') {
      promise(alert.asOfAt - last.asOfAt >= COOL_DOWN_MS, 'two changes within two weeks:', last, alert);
      continue;
    }
    const between = days.filter(({ day }) => {
      const endAt = startOfDay(day) + DAY_MS;
      return endAt > last.asOfAt && endAt <= alert.asOfAt;
    });
    const isOver = between.some((day) => {
      const figure = alert.metric === 'avg_wait_hours' ? day.avgWaitHours : day.congestionScore;
      const line = alert.metric === 'avg_wait_hours' ? CLEARED.avg_wait_hours : CLEARED.congestion_score;
      return figure !== undefined && figure <= line;
    });
    const isForgotten = alert.asOfAt - last.asOfAt > EPISODE_MEMORY_MS;
    promise(isOver || isForgotten, 'two alerts of one episode:', last, alert);
  }
}

/** Today as the machine's clock has it. */
export const todayOf = (nowAt: Instant): Day => dayOf(nowAt);
