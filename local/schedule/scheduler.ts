/** Runs scheduled jobs on the machine's clock. A run that is due while the previous one is still running is skipped. */
import { appendFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { diskFault } from '../disk-fault.ts';
import { createAsynchronous, type DeadLetter } from '../functions/asynchronous.ts';
import type { Invoke } from '../functions/functions.ts';
import type { FunctionModel, ScheduleModel } from '../template/model.ts';

interface ScheduledJob {
  readonly name: string;
  readonly periodMs: number;
  /** Resolves when the run is over; must not reject. */
  readonly run: () => Promise<void>;
}

export interface Scheduler {
  /** Starts no further run. Resolves when the current ones are over. */
  stop(): Promise<void>;
}

/**
 * Runs each job after every period, first after one. Runs that were missed while the machine slept are not made up.
 * @param report gets one line for each skipped run
 */
export function startScheduler(jobs: readonly ScheduledJob[], report: (line: string) => void): Scheduler {
  const running = new Map<ScheduledJob, Promise<void>>();
  const start = (job: ScheduledJob): void => {
    if (running.has(job)) report(`${job.name}: still running, this run is skipped`);
    else
      running.set(
        job,
        job.run().finally(() => running.delete(job)),
      );
  };
  const timers = jobs.map((job) => setInterval(start, job.periodMs, job));
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer);
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
  return ({ name, periodMs, functionArn, input }) => ({
    name,
    periodMs,
    run: async () => queues.get(functionArn)?.(input),
  });
}
