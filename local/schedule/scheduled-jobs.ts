/** The schedules of the template as jobs that call functions asynchronously, as EventBridge does. */
import { appendFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { createAsynchronous, type DeadLetter } from '../functions/asynchronous.ts';
import type { Invoke } from '../functions/functions.ts';
import type { FunctionModel, ScheduleModel } from '../template/model.ts';
import type { ScheduledJob } from './scheduler.ts';

export interface ScheduledJobParts {
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
    if (deadLetterFile !== undefined)
      appendFileSync(deadLetterFile, `${JSON.stringify({ at: now(), ...letter })}\n`);
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
