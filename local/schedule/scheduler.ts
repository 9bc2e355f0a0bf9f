/** Runs scheduled jobs on the machine's clock. A run that is due while the previous one is still running is skipped. */
import { type NextRun, readScheduleExpression } from './schedule-expression.ts';

export interface ScheduledJob {
  readonly name: string;
  /** `rate(...)` or `cron(...)`. */
  readonly expression: string;
  /** Resolves when the run is over; must not reject. */
  readonly run: () => Promise<void>;
}

export interface Scheduler {
  /** Starts no further run. Resolves when the current ones are over. */
  stop(): Promise<void>;
}

/** The longest delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Throws `StartError` at an unsupported expression.
 * @param now epoch milliseconds, with which cron expressions are compared
 * @param report gets one line for each skipped run
 */
export function startScheduler(
  jobs: readonly ScheduledJob[],
  now: () => number,
  report: (line: string) => void,
): Scheduler {
  const timers = new Map<ScheduledJob, NodeJS.Timeout>();
  const running = new Map<ScheduledJob, Promise<void>>();
  let stopped = false;

  const start = (job: ScheduledJob): void => {
    if (running.has(job)) report(`${job.name}: still running, this run is skipped`);
    else
      running.set(
        job,
        job.run().finally(() => running.delete(job)),
      );
  };

  const arm = (job: ScheduledJob, next: NextRun, dueAt: number | undefined): void => {
    if (stopped || dueAt === undefined) return;
    const delayMs = Math.min(Math.max(0, dueAt - now()), MAX_TIMER_MS);
    const timer = setTimeout(() => {
      if (now() < dueAt) return arm(job, next, dueAt);
      start(job);
      // Runs that were missed while the machine slept are not made up.
      const follows = next(dueAt);
      arm(job, next, follows !== undefined && follows <= now() ? next(now()) : follows);
    }, delayMs);
    timers.set(job, timer);
  };

  const due = jobs.map((job) => [job, readScheduleExpression(job.expression)] as const);
  for (const [job, next] of due) arm(job, next, next(now()));

  return {
    async stop() {
      stopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(running.values());
    },
  };
}
