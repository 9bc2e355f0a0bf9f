/** Progress of all sources of a run, with an estimate of the remaining time. */
import { MINUTE_MS, SECOND_MS } from '../../core/reference/time.ts';
import type { WorkNews } from './worker-pool.ts';

/** `2 h 05 min`, `3 min`, `40 s`. */
function formatDuration(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
  return ms < 1.5 * MINUTE_MS ? `${Math.ceil(ms / SECOND_MS)} s` : `${minutes} min`;
}

/** Days of the history to load, and fetches to apply. */
export interface Steps {
  readonly days: number;
  readonly fetches: number;
}

const NONE: Steps = { days: 0, fetches: 0 };
const count = ({ days, fetches }: Steps): number => days + fetches;

export function createTally(stepsOf: ReadonlyMap<string, Steps>, beganMs: number) {
  const sum = (steps: Iterable<Steps>): number => [...steps].reduce((all, of) => all + count(of), 0);
  const total = sum(stepsOf.values());
  /** Steps done by source, and how many of them before the run began. */
  const done = new Map<string, Steps>();
  const before = new Map<string, number>();
  return {
    total,
    /** Counts a message of a worker; returns the steps done so far. */
    receive(news: WorkNews): number {
      const { of } = news;
      const steps = stepsOf.get(of) ?? NONE;
      const { days } = done.get(of) ?? NONE;
      if (news.news === 'day') done.set(of, { days: Math.min(steps.days, days + 1), fetches: 0 });
      if (news.news === 'fetch') {
        // The days of a history were planned before the number of fetches was known.
        const pending = Math.min(steps.fetches, news.total);
        if (!before.has(of)) before.set(of, steps.days - days + steps.fetches - pending);
        const applied = Math.floor((pending * news.done) / Math.max(1, news.total));
        done.set(of, { days: steps.days, fetches: steps.fetches - pending + applied });
      }
      if (news.news === 'over') {
        // A source without an earlier message was completed before the run.
        if (!done.has(of)) before.set(of, count(steps));
        done.set(of, steps);
      }
      return sum(done.values());
    },
    /** `about 3 min left`; empty before an estimate is possible. */
    left(nowMs: number): string {
      const behind = sum(done.values());
      const now = behind - [...before.values()].reduce((all, steps) => all + steps, 0);
      const rest = total - behind;
      if (now <= 0 || rest <= 0) return '';
      return `about ${formatDuration(((nowMs - beganMs) / now) * rest)} left`;
    },
  };
}
