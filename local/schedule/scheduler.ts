/** Runs scheduled jobs on the machine's clock. A run that is due while the previous one is still running is skipped. */
import { appendFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { diskFault } from '../disk-fault.ts';
import { createAsynchronous, type DeadLetter } from '../functions/asynchronous.ts';
import type { Invoke } from '../functions/functions.ts';
import type { FunctionModel, ScheduleModel } from '../template/model.ts';
import { type NextRun, readScheduleExpression } from './schedule-expression.ts';

interface ScheduledJob {
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

// The schedules of the template as jobs that call functions asynchronously, as EventBridge does.

interface ScheduledJobParts {
  readonly functions: ReadonlyMap<string, FunctionModel>;
  /** The function behind an ARN. */
  readonly invokerOf: (functionArn: string) => Invoke;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Aborted when the service stops: there are no retries after that. */
  readonly signal: AbortSignal;
  /** File for events that failed permanently, one per line; none when undefined. */
  readonly deadLetterFile: string | undefined;
  readonly report: (line: string) => void;
}

/** The job of a schedule. All jobs of one function share its queue. */
export function createScheduledJobs(parts: ScheduledJobParts): (schedule: ScheduleModel) => ScheduledJob {
  const { invokerOf, now, signal, deadLetterFile, report } = parts;
  const wait = async (ms: number): Promise<void> => {
    await delay(ms, undefined, { signal }).catch(() => {});
  };
  const putAside = (letter: DeadLetter): void => {
    if (deadLetterFile === undefined) return;
    try {
      appendFileSync(deadLetterFile, `${JSON.stringify({ at: now(), ...letter })}\n`);
    } catch (thrown) {
      report(`the dead letter of ${letter.functionName} is not in ${deadLetterFile}: ${diskFault(thrown)}`);
    }
  };
  const ended = (): boolean => signal.aborted;
  const queues = new Map(
    [...parts.functions].map(([arn, model]) => [
      arn,
      createAsynchronous({ model, invoke: invokerOf(arn), now, wait, ended, putAside, report }),
    ]),
  );
  return ({ name, expression, functionArn, input }) => ({
    name,
    expression,
    run: async () => queues.get(functionArn)?.(input),
  });
}
