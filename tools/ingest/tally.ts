/** Progress of all partitions of a run, with an estimate of the remaining time. */
import { MINUTE_MS, SECOND_MS } from '../../core/reference/time.ts';
import type { WorkNews } from './worker-pool.ts';

/** `2 h 05 min`, `3 min`, `40 s`. */
function formatDuration(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
  return ms < 1.5 * MINUTE_MS ? `${Math.ceil(ms / SECOND_MS)} s` : `${minutes} min`;
}

/** @param stepsOf steps by the subject of a message: fetches of a partition, days of a source's history */
export function createTally(stepsOf: ReadonlyMap<string, number>, beganMs: number) {
  const sum = (counts: ReadonlyMap<string, number>): number =>
    [...counts.values()].reduce((all, count) => all + count, 0);
  const total = sum(stepsOf);
  /** Steps done, and how many of them before the run began. */
  const behind = new Map<string, number>();
  const before = new Map<string, number>();
  return {
    total,
    /** Counts a message of a worker; returns the steps done so far. */
    receive(news: WorkNews): number {
      const { of } = news;
      const steps = stepsOf.get(of) ?? 0;
      if (news.news === 'day') behind.set(of, Math.min(steps, (behind.get(of) ?? 0) + 1));
      if (news.news === 'fetch') {
        // The days of a history were planned before the number of fetches was known.
        const pending = Math.min(steps, news.total);
        if (!before.has(of)) before.set(of, steps - pending);
        behind.set(of, steps - pending + Math.floor((pending * news.done) / Math.max(1, news.total)));
      }
      if (news.news === 'over') {
        // A subject without an earlier message was completed before the run.
        if (!behind.has(of)) before.set(of, steps);
        behind.set(of, steps);
      }
      return sum(behind);
    },
    /** `about 3 min left`; empty before an estimate is possible. */
    left(nowMs: number): string {
      const done = sum(behind) - sum(before);
      const rest = total - sum(behind);
      if (done <= 0 || rest <= 0) return '';
      return `about ${formatDuration(((nowMs - beganMs) / done) * rest)} left`;
    },
  };
}
