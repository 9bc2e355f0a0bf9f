/** How far all partitions of a run have come, with an estimate of what is left. */
import { MINUTE_MS, SECOND_MS } from '../../core/reference/time.ts';
import type { WorkNews } from './work.ts';

export interface Tally {
  readonly total: number;
  /** Counts a message of a worker; returns the steps done so far. */
  hear(news: WorkNews): number;
  /** `about 3 min left`; empty while there is nothing to go by. */
  left(nowMs: number): string;
}

/** `2 h 05 min`, `3 min`, `40 s`. */
export function formatDuration(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
  return ms < 1.5 * MINUTE_MS ? `${Math.ceil(ms / SECOND_MS)} s` : `${minutes} min`;
}

/**
 * @param stepsOf steps by what the news are of: fetches of a partition, days of a source's past
 * @param beganMs when the run began
 */
export function createTally(stepsOf: ReadonlyMap<string, number>, beganMs: number): Tally {
  const sum = (counts: ReadonlyMap<string, number>): number =>
    [...counts.values()].reduce((all, count) => all + count, 0);
  const total = sum(stepsOf);
  /** Steps that are behind the run, and how many of those were before it began. */
  const behind = new Map<string, number>();
  const before = new Map<string, number>();
  return {
    total,
    hear(news) {
      const { of } = news;
      const steps = stepsOf.get(of) ?? 0;
      if (news.news === 'day') behind.set(of, Math.min(steps, (behind.get(of) ?? 0) + 1));
      if (news.news === 'fetch') {
        // Days of a past were counted before it was known how many fetches they hold.
        const pending = Math.min(steps, news.total);
        if (!before.has(of)) before.set(of, steps - pending);
        behind.set(of, steps - pending + Math.floor((pending * news.done) / Math.max(1, news.total)));
      }
      if (news.news === 'over') {
        // Without a word before, all of it was there already.
        if (!behind.has(of)) before.set(of, steps);
        behind.set(of, steps);
      }
      return sum(behind);
    },
    left(nowMs) {
      const done = sum(behind) - sum(before);
      const rest = total - sum(behind);
      if (done <= 0 || rest <= 0) return '';
      return `about ${formatDuration(((nowMs - beganMs) / done) * rest)} left`;
    },
  };
}
