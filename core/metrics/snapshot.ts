/** The snapshot: the state of one port at its newest observation, never with a figure missing. */
import type { PortCall } from '../calls/port-call.ts';
import { HOURS_DECIMALS, round } from '../reference/rounding.ts';
import { dayOf, HOUR_MS, type Instant, startOfDay } from '../reference/time.ts';
import { CallIndex } from './call-index.ts';
import type { Snapshot } from './figures.ts';
import { occupancyOf, queueTermAt } from './occupancy.ts';
import { congestionScore, waitTerm } from './score.ts';
import { averageWait, berthingsForAverage, weekDelayedShare } from './wait-figures.ts';
import { anchoredMsBefore, firstBerthAt } from './waiting.ts';

export interface SnapshotInput {
  /** Newest good observation of the port. */
  readonly asOfAt: Instant;
  readonly calls: Iterable<PortCall>;
}

/**
 * Counts of the instant, the running average wait of today and the score with the queue of the instant. With too
 * few berthings in 28 days the average uses what there is; with none, the mean age of the open waits, else 0.
 */
export function snapshotAt({ asOfAt, calls }: SnapshotInput): Snapshot {
  const index = new CallIndex(calls, asOfAt);
  const day = dayOf(asOfAt);
  const berthings = berthingsForAverage(index, day, asOfAt + 1);
  const avgWaitHours = averageWait(berthings) ?? meanOpenWait(index, asOfAt);
  const terms = {
    delayedShare: weekDelayedShare(index, day, asOfAt + 1),
    waitTerm: waitTerm(avgWaitHours),
    queueTerm: queueTermAt(index.presentOn(startOfDay(day)), asOfAt),
  };
  return {
    asOfAt,
    congestionScore: congestionScore(terms) ?? 0,
    avgWaitHours,
    ...occupancyOf(index, asOfAt),
  };
}

/** Mean hours waited so far by cargo vessels at anchor that have not berthed; 0 when there are none. */
function meanOpenWait(index: CallIndex, at: Instant): number {
  const ages = index
    .presentOn(startOfDay(dayOf(at)))
    .filter(
      ({ call, cargo, anchored }) =>
        cargo &&
        firstBerthAt(call) === undefined &&
        anchored.some((span) => span.fromAt <= at && at < span.toAt),
    )
    .map(({ call }) => anchoredMsBefore(call, at) / HOUR_MS);
  if (ages.length === 0) return 0;
  return round(ages.reduce((sum, age) => sum + age, 0) / ages.length, HOURS_DECIMALS);
}
