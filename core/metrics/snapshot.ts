/** The snapshot: the figures of one port at its newest observation, all of them always present. */
import type { Coverage } from '../calls/coverage.ts';
import type { PortCall } from '../calls/port-call.ts';
import { dayOf, type Instant, startOfDay } from '../reference/time.ts';
import { CallIndex } from './call-index.ts';
import type { Snapshot } from './figures.ts';
import { occupancyOf, queueTermAt } from './occupancy.ts';
import { pendingWait } from './pending-wait.ts';
import { congestionScore, waitTerm } from './score.ts';
import { runningWait, weekDelayedShare } from './waits.ts';

interface SnapshotInput {
  /** Newest good observation of the port. */
  readonly asOfAt: Instant;
  readonly calls: Iterable<PortCall>;
  readonly coverage: Coverage;
  /** Flow term of the running day, whose 24 hours end at `asOfAt` too. */
  readonly flowTerm?: number | undefined;
}

/**
 * Counts of the instant, the running average wait of today and the score with the queue of the instant. The average is
 * 0 when nothing has berthed in 28 days and nothing waits.
 */
export function snapshotAt({ asOfAt, calls, coverage, flowTerm }: SnapshotInput): Snapshot {
  const index = new CallIndex(calls, asOfAt, coverage[0]?.fromAt);
  const day = dayOf(asOfAt);
  const { hours: avgWaitHours = 0, basis } = runningWait(index, day, asOfAt + 1) ?? {};
  const terms = {
    delayedShare: weekDelayedShare(index, day, asOfAt + 1),
    waitTerm: waitTerm(pendingWait(index, day, asOfAt + 1, avgWaitHours)),
    queueTerm: queueTermAt(index.presentOn(startOfDay(day)), asOfAt),
    ...(flowTerm !== undefined && { flowTerm }),
  };
  return {
    asOfAt,
    congestionScore: congestionScore(terms) ?? 0,
    avgWaitHours,
    ...(basis && { waitBasis: basis }),
    ...occupancyOf(index, asOfAt),
  };
}
