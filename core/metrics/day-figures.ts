/** Day figures of one port: the served figures over seven days, and the daily values for the detector. */
import {
  addCoverage,
  type Coverage,
  coveredShare,
  dayCoverage,
  knownDepartureAt,
  MIN_DAY_COVERAGE,
  type PortCall,
} from '../calls/port-call.ts';
import { groupBy, HOURS_DECIMALS, median, round } from '../reference/statistics.ts';
import { DAY_MS, type Day, endOfDay, type Instant, type Interval, startOfDay } from '../reference/time.ts';
import { FlowHours, hourCounts, stoppedShare } from './closures.ts';
import type { DayFigures, HourCounts, ScoreTerms } from './figures.ts';
import { congestionScore, flowTerm, queueScore, queueTerm, waitTerm } from './score.ts';
import {
  CallIndex,
  dailyMean,
  dayAverageWait,
  delayedShareOf,
  openWaits,
  type Presence,
  scoreWait,
  totalHours,
  waitingVessels,
  weekDelayedShare,
} from './waits.ts';

// Vessels in port: counts at an instant, distinct vessels of a day, and means over the covered hours of a day.

const contains = (span: Interval, at: Instant): boolean => span.fromAt <= at && at < span.toAt;
const within24h = (at: Instant | undefined, asOfAt: Instant): boolean =>
  at !== undefined && at > asOfAt - DAY_MS && at <= asOfAt;

const isInPort = (presence: Presence, at: Instant): boolean => contains(presence, at);
const isAtAnchor = (presence: Presence, at: Instant): boolean =>
  presence.anchored.some((span) => contains(span, at));

export const occupancyAt = (calls: Iterable<PortCall>, at: Instant) =>
  occupancy(new CallIndex(calls, at), at);

/** Distinct vessels in port without those laid up, vessels at anchor, and calls that began or ended in `(at - 24 h, at]`. */
export function occupancy(index: CallIndex, at: Instant) {
  const inPort = new Set<string>();
  const atAnchor = new Set<string>();
  let arrivals24h = 0;
  let departures24h = 0;
  for (const presence of index.presences()) {
    const { call, toAt } = presence;
    if (isInPort(presence, at)) inPort.add(call.vesselId);
    if (isAtAnchor(presence, at)) atAnchor.add(call.vesselId);
    if (!call.ataInferred && within24h(call.ataAt, at)) arrivals24h += 1;
    const atdAt = knownDepartureAt(call);
    if (atdAt !== undefined && atdAt <= toAt && within24h(atdAt, at)) departures24h += 1;
  }
  return { inPort: inPort.size, atAnchor: atAnchor.size, arrivals24h, departures24h };
}

/** Distinct vessels in port at any time of `[day.fromAt, day.toAt)`. */
export function vesselsDuring(present: readonly Presence[], day: Interval): number {
  const vessels = new Set<string>();
  for (const { call, fromAt, toAt } of present) {
    if (fromAt < day.toAt && (toAt > day.fromAt || fromAt === day.fromAt)) vessels.add(call.vesselId);
  }
  return vessels.size;
}

const distinctVessels = (presences: readonly Presence[]): number =>
  new Set(presences.map(({ call }) => call.vesselId)).size;

/** Queue term of the cargo vessels at one instant. */
export function queueTermAt(present: readonly Presence[], at: Instant): number {
  const cargo = present.filter((presence) => presence.cargo && isInPort(presence, at));
  const anchored = cargo.filter((presence) => isAtAnchor(presence, at));
  return queueTerm(distinctVessels(anchored), distinctVessels(cargo));
}

/** Vessels at an instant of the day. */
interface Counts {
  cargoInPort: number;
  cargoAtAnchor: number;
  atAnchor: number;
}

/** A change of one of the counts at one instant. */
interface Step {
  readonly at: Instant;
  readonly count: keyof Counts;
  readonly by: 1 | -1;
}

/**
 * Exact means over the covered part of `span`, because counts are step functions: vessels at anchor, with most of them at
 * one time and those at its end, and the queue term of the cargo vessels. A span of zero length gives those of its instant.
 */
export function meanOccupancy(present: readonly Presence[], span: Interval, coverage: Coverage) {
  const covered = coverage
    .map((run) => ({ fromAt: Math.max(run.fromAt, span.fromAt), toAt: Math.min(run.toAt, span.toAt) }))
    .filter((run) => run.toAt > run.fromAt);
  const total = covered.reduce((sum, run) => sum + run.toAt - run.fromAt, 0);
  if (total === 0) {
    const atAnchor = distinctVessels(present.filter((presence) => isAtAnchor(presence, span.toAt)));
    const queueTerm = queueTermAt(present, span.toAt);
    return { atAnchor, mostAtAnchor: atAnchor, endAtAnchor: atAnchor, queueTerm };
  }
  const { counts, steps } = countVessels(present, span);
  const sums = { atAnchor: 0, queueTerm: 0 };
  let mostAtAnchor = 0;
  let fromAt = span.fromAt;
  const advanceTo = (toAt: Instant): void => {
    let ms = 0;
    for (const run of covered) ms += Math.max(0, Math.min(run.toAt, toAt) - Math.max(run.fromAt, fromAt));
    if (ms > 0) mostAtAnchor = Math.max(mostAtAnchor, counts.atAnchor);
    sums.atAnchor += counts.atAnchor * ms;
    sums.queueTerm += queueTerm(counts.cargoAtAnchor, counts.cargoInPort) * ms;
    fromAt = toAt;
  };
  for (const step of steps) {
    advanceTo(step.at);
    counts[step.count] += step.by;
  }
  advanceTo(span.toAt);
  return {
    atAnchor: sums.atAnchor / total,
    mostAtAnchor,
    endAtAnchor: counts.atAnchor,
    queueTerm: sums.queueTerm / total,
  };
}

/** The spans in order of time; overlapping and adjoining spans are joined. */
const united = (spans: readonly Interval[]): readonly Interval[] =>
  spans.length < 2 ? spans : spans.reduce<readonly Interval[]>(addCoverage, []);

const anchoredSpans = (presences: readonly Presence[]): readonly Interval[] =>
  united(presences.flatMap(({ anchored }) => anchored));

/** The counts at the start of `span`, and every change within it in order of time. */
function countVessels(present: readonly Presence[], span: Interval): { counts: Counts; steps: Step[] } {
  const counts: Counts = { cargoInPort: 0, cargoAtAnchor: 0, atAnchor: 0 };
  const steps: Step[] = [];
  const add = (part: Interval, count: keyof Counts): void => {
    if (part.toAt <= span.fromAt || part.fromAt >= span.toAt) return;
    if (part.fromAt <= span.fromAt) counts[count] += 1;
    else steps.push({ at: part.fromAt, count, by: 1 });
    if (part.toAt < span.toAt) steps.push({ at: part.toAt, count, by: -1 });
  };
  // Calls of one vessel overlap where an earlier one was never closed, and the vessel counts once.
  for (const presences of groupBy(present, ({ call }) => call.vesselId).values()) {
    const cargo = presences.filter((presence) => presence.cargo);
    for (const part of united(cargo)) add(part, 'cargoInPort');
    for (const part of anchoredSpans(cargo)) add(part, 'cargoAtAnchor');
    for (const part of anchoredSpans(presences)) add(part, 'atAnchor');
  }
  return { counts, steps: steps.sort((a, b) => a.at - b.at) };
}

// Berthings as a flow: how many a port usually has on a weekday, and how many there were in 24 hours.

/** The usual number is taken from the days of eight weeks, and needs this many of them. */
export const USUAL_MEMORY_DAYS = 56;
const MIN_USUAL_DAYS = 28;
const WEEK_DAYS = 7;

/** Rows by the midnight at which the day begins; one of a day that is not covered has no berthings. */
type KnownDay = Pick<DayFigures, 'day' | 'dayBerthings' | keyof HourCounts>;
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
  for (let ago = 1; ago <= USUAL_MEMORY_DAYS; ago += 1) {
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
}: DailyInput & { readonly days: readonly Day[] }): DayFigures[] {
  const index = new CallIndex(input.calls, input.asOfAt, input.coverage[0]?.fromAt);
  return dayFiguresOf(days, index, input.coverage);
}

/** The same from an existing index. `days` are oldest first, `earlier` contains the rows of the eight weeks before them. */
export function dayFiguresOf(
  days: readonly Day[],
  index: CallIndex,
  coverage: Coverage,
  earlier: Iterable<DayFigures> = [],
): DayFigures[] {
  const known = new Map<Instant, DayFigures>();
  for (const row of earlier) known.set(startOfDay(row.day), row);
  return days.map((day) => {
    const row = metrics(day, index, coverage, known);
    known.set(startOfDay(day), row);
    return row;
  });
}

/** The rows of the eight weeks before the day that begins at `dayAt`, oldest first. */
const rowsBefore = (dayAt: Instant, known: KnownDays): KnownDay[] =>
  Array.from(
    { length: USUAL_MEMORY_DAYS },
    (_, i) => known.get(dayAt - (USUAL_MEMORY_DAYS - i) * DAY_MS) ?? [],
  ).flat();

function metrics(day: Day, index: CallIndex, coverage: Coverage, known: KnownDays): DayFigures {
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
    ...ownFigures(index, span.fromAt, untilAt, occupancy.queueTerm),
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
): Partial<DayFigures> {
  const avgWaitHours = dayAverageWait(index, day, untilAt);
  const terms: ScoreTerms = {
    delayedShare: weekDelayedShare(index, day, untilAt),
    ...live,
    ...(avgWaitHours !== undefined && {
      waitTerm: waitTerm(scoreWait(index, day, untilAt, avgWaitHours)),
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
function ownFigures(index: CallIndex, fromAt: Instant, untilAt: Instant, queue: number): Partial<DayFigures> {
  const berthings = index.berthingsIn(fromAt, untilAt);
  const hours = dailyMean(berthings);
  if (hours === undefined) return {};
  const terms = { delayedShare: delayedShareOf(berthings), waitTerm: waitTerm(hours), queueTerm: queue };
  const score = congestionScore(terms);
  return { dayWaitHours: round(hours, HOURS_DECIMALS), ...(score !== undefined && { dayScore: score }) };
}
