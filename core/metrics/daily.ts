/** Daily metrics of one port: the served figures over seven days, and the daily values for the detector. */
import { type Coverage, coveredShare, dayCoverage, MIN_DAY_COVERAGE } from '../calls/coverage.ts';
import type { PortCall } from '../calls/port-call.ts';
import { HOURS_DECIMALS, round } from '../reference/rounding.ts';
import { median } from '../reference/statistics.ts';
import { DAY_MS, type Day, endOfDay, type Instant, startOfDay } from '../reference/time.ts';
import { CallIndex } from './call-index.ts';
import type { DailyMetrics, HourCounts, ScoreTerms } from './figures.ts';
import { FlowHours, hourCounts } from './flow-hours.ts';
import { stoppedShare } from './flow-stop.ts';
import { meanOccupancy, vesselsDuring } from './occupancy.ts';
import { congestionScore, flowTerm, queueScore, waitTerm } from './score.ts';
import {
  averageWait,
  delayedShareOf,
  meanWait,
  openWaits,
  pendingWait,
  totalHours,
  waitingVessels,
  weekDelayedShare,
} from './waits.ts';

// Berthings as a flow: how many a port usually has on a weekday, and how many there were in 24 hours.

/** The usual number is taken from the days of eight weeks, and needs this many of them. */
export const USUAL_DAYS = 56;
const MIN_USUAL_DAYS = 28;
const WEEK_DAYS = 7;

/** Rows by the midnight at which the day begins; one of a day that is not covered has no berthings. */
type KnownDay = Pick<DailyMetrics, 'day' | 'dayBerthings' | keyof HourCounts>;
type KnownDays = ReadonlyMap<Instant, KnownDay>;

/**
 * Berthings a day that are usual on the weekday of the day that begins at `dayAt` and its neighbours: their median over
 * eight weeks without the last seven days; that of the weekday alone where it is less than half of it. Undefined with
 * fewer than 28 days known.
 */
export function usualBerthings(dayAt: Instant, known: KnownDays): number | undefined {
  const around: number[] = [];
  const same: number[] = [];
  let days = 0;
  for (let ago = 1; ago <= USUAL_DAYS; ago += 1) {
    const count = known.get(dayAt - ago * DAY_MS)?.dayBerthings;
    if (count === undefined) continue;
    days += 1;
    // A closure of some days must not make itself usual.
    if (ago <= WEEK_DAYS) continue;
    if ((ago + 1) % WEEK_DAYS <= 2) around.push(count);
    if (ago % WEEK_DAYS === 0) same.push(count);
  }
  if (days < MIN_USUAL_DAYS) return undefined;
  const usual = median(around);
  const weekdayUsual = median(same);
  return usual !== undefined && weekdayUsual !== undefined && weekdayUsual < usual / 2 ? weekdayUsual : usual;
}

/** The same in the 24 hours before `untilAt`, which lie in two days. */
function usualIn24h(untilAt: Instant, known: KnownDays): number | undefined {
  const dayAt = Math.ceil(untilAt / DAY_MS - 1) * DAY_MS;
  const today = usualBerthings(dayAt, known);
  const yesterday = usualBerthings(dayAt - DAY_MS, known) ?? today;
  if (today === undefined || yesterday === undefined) return undefined;
  return yesterday + ((today - yesterday) * (untilAt - dayAt)) / DAY_MS;
}

/** Berthings in the 24 hours before `untilAt`; undefined when less than 80 % of them is covered. */
export function berthingsIn24h(index: CallIndex, untilAt: Instant, coverage: Coverage): number | undefined {
  const span = { fromAt: untilAt - DAY_MS, toAt: Math.min(untilAt, index.asOfAt) };
  if (coveredShare(coverage, span) < MIN_DAY_COVERAGE) return undefined;
  return index.firstBerthsIn(span.fromAt, untilAt).length;
}

interface DailyInput {
  /** All calls of the port that touch the day or berthed in the 28 days that end with it. Other calls change nothing. */
  readonly calls: Iterable<PortCall>;
  readonly coverage: Coverage;
  /** Newest observation. A day that ends after it is still running and counts up to here. */
  readonly asOfAt: Instant;
}

const TERM_DECIMALS = 6;
const COVERAGE_DECIMALS = 4;

/** Metrics of many days from one index over the calls; linear in calls and days. */
export function dailySeries({
  days,
  ...input
}: DailyInput & { readonly days: readonly Day[] }): DailyMetrics[] {
  const index = new CallIndex(input.calls, input.asOfAt, input.coverage[0]?.fromAt);
  return dailyMetricsOf(days, index, input.coverage);
}

/** The same from an existing index. `days` are oldest first, `earlier` contains the rows of the eight weeks before them. */
export function dailyMetricsOf(
  days: readonly Day[],
  index: CallIndex,
  coverage: Coverage,
  earlier: Iterable<DailyMetrics> = [],
): DailyMetrics[] {
  const known = new Map<Instant, DailyMetrics>();
  for (const row of earlier) known.set(startOfDay(row.day), row);
  return days.map((day) => {
    const row = metrics(day, index, coverage, known);
    known.set(startOfDay(day), row);
    return row;
  });
}

/** The rows of the eight weeks before the day that begins at `dayAt`, oldest first. */
const rowsBefore = (dayAt: Instant, known: KnownDays): KnownDay[] =>
  Array.from({ length: USUAL_DAYS }, (_, i) => known.get(dayAt - (USUAL_DAYS - i) * DAY_MS) ?? []).flat();

function metrics(day: Day, index: CallIndex, coverage: Coverage, known: KnownDays): DailyMetrics {
  const { asOfAt } = index;
  const span = { fromAt: startOfDay(day), toAt: Math.min(endOfDay(day), asOfAt) };
  const untilAt = Math.min(endOfDay(day), asOfAt + 1);
  const present = index.presentOn(span.fromAt);
  const covered = dayCoverage(coverage, day, asOfAt);
  const counts = hourCounts(index, span.fromAt, coverage);
  const hours = new FlowHours([...rowsBefore(span.fromAt, known), { day, ...counts }]);
  const stopped = stoppedShare(hours, hours.until(span.toAt));
  const base = {
    day,
    coverage: round(covered, COVERAGE_DECIMALS),
    vessels: vesselsDuring(present, { ...span, toAt: untilAt }),
    ...counts,
    ...(stopped !== undefined && { stoppedShare: round(stopped, TERM_DECIMALS) }),
  };
  if (covered < MIN_DAY_COVERAGE) return base;
  const occupancy = meanOccupancy(present, span, coverage);
  const isPartial = dayCoverage(coverage, day, endOfDay(day)) < MIN_DAY_COVERAGE;
  return {
    ...base,
    ...(isPartial && { partial: true }),
    ...servedFigures(index, day, untilAt, {
      queueTerm: occupancy.queueTerm,
      ...flow(index, day, untilAt, { coverage, known, isBroken: stopped !== undefined }),
      ...(stopped !== undefined && { stoppedShare: stopped }),
    }),
    ...dayFigures(index, span.fromAt, untilAt, occupancy.queueTerm),
    // Unrounded: the mean of the week is computed from it, and rounded when served.
    dayAtAnchor: occupancy.atAnchor,
    mostAtAnchor: occupancy.mostAtAnchor,
    endAtAnchor: occupancy.endAtAnchor,
    endWaitingHours: totalHours(openWaits(index, day, untilAt)),
    dayBerthings: index.firstBerthsIn(span.fromAt, untilAt).length,
    dayWaits: index.berthingsIn(span.fromAt, untilAt).length,
  };
}

/** Terms, score and wait over seven days (over more for the wait of a port with few berthings). */
function servedFigures(
  index: CallIndex,
  day: Day,
  untilAt: Instant,
  live: Pick<ScoreTerms, 'queueTerm' | 'flowTerm' | 'stoppedShare'>,
): Partial<DailyMetrics> {
  const avgWaitHours = averageWait(index, day, untilAt);
  const terms: ScoreTerms = {
    delayedShare: weekDelayedShare(index, day, untilAt),
    ...live,
    ...(avgWaitHours !== undefined && {
      waitTerm: waitTerm(pendingWait(index, day, untilAt, avgWaitHours)),
    }),
  };
  const [score, fromQueue] = [congestionScore(terms), queueScore(terms)];
  return {
    ...roundedTerms(terms),
    ...(score !== undefined && { congestionScore: score }),
    ...(fromQueue !== undefined && fromQueue !== score && { queueScore: fromQueue }),
    ...(avgWaitHours !== undefined && { avgWaitHours }),
  };
}

/** The flow term of the 24 hours before `untilAt`; absent where they, or the usual number, are not known. */
function flow(
  index: CallIndex,
  day: Day,
  untilAt: Instant,
  { coverage, known, isBroken }: { coverage: Coverage; known: KnownDays; isBroken: boolean },
): Pick<ScoreTerms, 'flowTerm'> {
  const usual = usualIn24h(untilAt, known);
  const berthings = berthingsIn24h(index, untilAt, coverage);
  if (usual === undefined || berthings === undefined) return {};
  return { flowTerm: flowTerm(berthings, usual, { waiting: waitingVessels(index, day, untilAt), isBroken }) };
}

/** The terms as stored. The score is computed from the unrounded ones. */
const roundedTerms = (terms: ScoreTerms): ScoreTerms =>
  Object.fromEntries(Object.entries(terms).map(([name, term]) => [name, round(term, TERM_DECIMALS)]));

/** Wait and score of the day's own berthings; absent on a day without any. */
function dayFigures(
  index: CallIndex,
  fromAt: Instant,
  untilAt: Instant,
  queue: number,
): Partial<DailyMetrics> {
  const berthings = index.berthingsIn(fromAt, untilAt);
  const hours = meanWait(berthings);
  if (hours === undefined) return {};
  const terms = { delayedShare: delayedShareOf(berthings), waitTerm: waitTerm(hours), queueTerm: queue };
  const score = congestionScore(terms);
  return { dayWaitHours: round(hours, HOURS_DECIMALS), ...(score !== undefined && { dayScore: score }) };
}
