/** Lambda's asynchronous invocation: events are queued, failures are retried, and then become dead letters. */
import { appendFileSync } from 'node:fs';
import timers from 'node:timers/promises';
import { diskFault } from '../disk-fault.ts';
import { errorText } from '../start-error.ts';
import type { FunctionModel } from '../template/service-model.ts';
import type { Invoke } from './functions.ts';

export interface AsynchronousOptions {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Aborted when the service stops: there are no retries after that. */
  readonly signal: AbortSignal;
  /** File for events that failed permanently, one per line; none when undefined. */
  readonly deadLetterFile: string | undefined;
  readonly report: (line: string) => void;
}

/** Lambda waits one minute before the second attempt and two before the third. */
const DELAYS_MS = [60_000, 120_000];

/** Processes events one after the other. The promise resolves when the event succeeded or became a dead letter; it never rejects. */
export function createAsynchronous(
  model: Pick<FunctionModel, 'name' | 'retryAttempts' | 'eventAgeMs' | 'deadLetters'>,
  invoke: Invoke,
  { now, signal, deadLetterFile, report }: AsynchronousOptions,
): (event: unknown) => Promise<void> {
  const { name, retryAttempts, eventAgeMs, deadLetters: queue = 'none' } = model;
  let last: Promise<void> = Promise.resolve();

  const putAside = (event: unknown, attempts: number, reason: string): void => {
    if (deadLetterFile === undefined) return;
    try {
      const letter = { at: now(), functionName: name, queue, event, attempts, reason };
      appendFileSync(deadLetterFile, `${JSON.stringify(letter)}\n`);
    } catch (thrown) {
      report(`the dead letter of ${name} is not in ${deadLetterFile}: ${diskFault(thrown)}`);
    }
  };

  const run = async (event: unknown): Promise<void> => {
    const acceptedAt = now();
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        await invoke(event);
        return;
      } catch (thrown) {
        const reason = errorText(thrown);
        const delayMs = DELAYS_MS[Math.min(attempt, DELAYS_MS.length) - 1] ?? 0;
        const tooLate = now() + delayMs - acceptedAt > eventAgeMs;
        if (attempt > retryAttempts || tooLate) {
          report(`${name} failed permanently after ${attempt} attempts: ${reason}`);
          return putAside(event, attempt, reason);
        }
        report(`${name} failed, retry in ${delayMs / 1000} s: ${reason}`);
        await timers.setTimeout(delayMs, undefined, { ref: false, signal }).catch(() => undefined);
      }
    }
  };

  return (event) => {
    last = last.then(() => run(event));
    return last;
  };
}
