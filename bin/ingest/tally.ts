/** How far all partitions of a run have come, with an estimate of what is left. */
import { MINUTE_MS, SECOND_MS } from '../../core/reference/time.ts';
import type { WalkNews } from './walk.ts';

export interface Tally {
  readonly total: number;
  /** Takes in what a worker tells; the steps that are behind the run now. */
  hear(news: WalkNews): number;
  /** `about 3 min left`; empty while there is nothing to go by. */
  left(nowMs: number): string;
}

/** `2 h 05 min`, `3 min`, `40 s`. */
export function formatDuration(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
  return ms < 1.5 * MINUTE_MS ? `${Math.ceil(ms / SECOND_MS)} s` : `${minutes} min`;
}

/** @param stepsOf steps of each source: its fetches, or twice the days of its history; @param beganMs when the run began */
export function createTally(stepsOf: ReadonlyMap<string, number>, beganMs: number): Tally {
  const total = [...stepsOf.values()].reduce((sum, steps) => sum + steps, 0);
  /** Steps of each source that are behind it, and how many of those were before this run began. */
  const behind = new Map<string, number>();
  const before = new Map<string, number>();
  /** Days of history that were brought in. */
  const days = new Map<string, number>();
  const sum = (counts: ReadonlyMap<string, number>): number =>
    [...counts.values()].reduce((all, count) => all + count, 0);
  return {
    total,
    hear(news) {
      const { source } = news;
      const steps = stepsOf.get(source) ?? 0;
      if (news.news === 'day') {
        days.set(source, (days.get(source) ?? 0) + 1);
        behind.set(source, Math.min(steps, (behind.get(source) ?? 0) + 1));
      }
      const fetchedDays = days.get(source);
      if (news.news === 'fetch' && fetchedDays !== undefined) {
        // What a history brought is applied in the second half of its steps.
        const share = news.done / Math.max(1, news.total);
        behind.set(source, Math.min(steps, Math.round(fetchedDays * (1 + share))));
      } else if (news.news === 'fetch') {
        const pending = Math.min(steps, news.total);
        if (!before.has(source)) before.set(source, steps - pending);
        behind.set(source, steps - pending + Math.min(news.done, pending));
      }
      if (news.news === 'end' && news.outcome === 'done') behind.set(source, steps);
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
