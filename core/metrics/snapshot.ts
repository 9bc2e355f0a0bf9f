/** The snapshot: the figures of one port at its newest observation, all of them always present. */
import type { Coverage, PortCall } from '../calls/port-call.ts';
import { HOURS_DECIMALS, round, SCORE_DECIMALS } from '../reference/statistics.ts';
import {
  addDays,
  DAY_MS,
  type Day,
  dayOf,
  daysBetween,
  type Instant,
  startOfDay,
} from '../reference/time.ts';
import { dayFiguresOf, occupancy, queueTermAt } from './day-figures.ts';
import type { DayFigures, RecentFigures, Snapshot } from './figures.ts';
import { congestionScore, waitTerm } from './score.ts';
import { averageWait, CallIndex, scoreWait, weekDelayedShare } from './waits.ts';

interface SnapshotInput {
  /** Newest good observation of the port. */
  readonly asOfAt: Instant;
  readonly calls: Iterable<PortCall>;
  readonly coverage: Coverage;
  /** Metrics of the running day, whose 24 hours end at `asOfAt` too. */
  readonly running?: Pick<DayFigures, 'flowTerm' | 'stoppedShare'> | undefined;
}

/**
 * Counts of the instant, the running average wait of today, and the score with the queue of the instant. The average is 0
 * when nothing has berthed in 28 days and nothing waits.
 */
export function snapshotAt({ asOfAt, calls, coverage, running = {} }: SnapshotInput): Snapshot {
  const index = new CallIndex(calls, asOfAt, coverage[0]?.fromAt);
  const day = dayOf(asOfAt);
  const { hours: avgWaitHours = 0, basis } = averageWait(index, day, asOfAt + 1) ?? {};
  const { flowTerm, stoppedShare } = running;
  const terms = {
    delayedShare: weekDelayedShare(index, day, asOfAt + 1),
    waitTerm: waitTerm(scoreWait(index, day, asOfAt + 1, avgWaitHours)),
    queueTerm: queueTermAt(index.presentOn(startOfDay(day)), asOfAt),
    ...(flowTerm !== undefined && { flowTerm }),
    ...(stoppedShare !== undefined && { stoppedShare }),
  };
  return {
    asOfAt,
    congestionScore: congestionScore(terms) ?? 0,
    avgWaitHours,
    ...(basis && { waitBasis: basis }),
    ...occupancy(index, asOfAt),
  };
}

// The history of a snapshot: the scores of its last thirty days, and the change over a week.

/** UTC days of the series of scores, that of the snapshot included. */
const RECENT_DAYS = 30;
const WEEK_DAYS = 7;

interface RecentInput {
  readonly snapshot: Snapshot;
  /** As of the snapshot: the earlier figures are computed with what is known now. */
  readonly calls: Iterable<PortCall>;
  readonly coverage: Coverage;
  /** Metrics by day, up to the day of the snapshot. */
  readonly series: ReadonlyMap<Day, DayFigures>;
}

/**
 * Served scores by day, and each figure of `snapshot` less the same figure seven days before, by the calls known now.
 * No change where that time is not covered, or the port had been observed for less than a week by then: a score of less
 * than seven days grows by itself.
 */
export function recentFigures({ snapshot, calls, coverage, series }: RecentInput): RecentFigures {
  const today = dayOf(snapshot.asOfAt);
  const days = daysBetween(addDays(today, 1 - RECENT_DAYS), today);
  const scores = days.map((day) => series.get(day)?.congestionScore ?? null);
  const thenAt = snapshot.asOfAt - WEEK_DAYS * DAY_MS;
  const observedFromAt = coverage[0]?.fromAt ?? Number.POSITIVE_INFINITY;
  const isCovered = coverage.some(({ fromAt, toAt }) => fromAt <= thenAt && thenAt <= toAt);
  if (!isCovered || thenAt - observedFromAt < WEEK_DAYS * DAY_MS) return { scores };
  const then = dayOf(thenAt);
  const [metrics] = dayFiguresOf(
    [then],
    new CallIndex(calls, thenAt, observedFromAt),
    coverage,
    series.values(),
  );
  const before = snapshotAt({ asOfAt: thenAt, calls, coverage, running: metrics });
  return {
    scores,
    change: {
      congestionScore: round(snapshot.congestionScore - before.congestionScore, SCORE_DECIMALS),
      avgWaitHours: round(snapshot.avgWaitHours - before.avgWaitHours, HOURS_DECIMALS),
      atAnchor: snapshot.atAnchor - before.atAnchor,
    },
  };
}
