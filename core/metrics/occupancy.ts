/** Vessels in port: counts at an instant, distinct vessels of a day, and means over the covered hours of a day. */
import { addCoverage, type Coverage } from '../calls/coverage.ts';
import { knownDepartureAt, type PortCall } from '../calls/port-call.ts';
import { groupBy } from '../reference/grouping.ts';
import { DAY_MS, type Instant, type Interval } from '../reference/time.ts';
import { CallIndex, type Presence } from './call-index.ts';
import { queueTerm } from './score.ts';

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
