/** Lambda's asynchronous invocation: events are queued, failures are retried, and then become dead letters. */
import { errorText } from '../start-error.ts';
import type { FunctionModel } from '../template/model.ts';
import type { Invoke } from './functions.ts';

/** An event after its last attempt. */
export interface DeadLetter {
  readonly functionName: string;
  readonly queue: string;
  readonly event: unknown;
  readonly attempts: number;
  readonly reason: string;
}

export interface AsynchronousOptions {
  readonly model: Pick<FunctionModel, 'name' | 'retryAttempts' | 'eventAgeMs' | 'deadLetters'>;
  readonly invoke: Invoke;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Resolves after that time, or at once when the service stops. */
  readonly wait: (ms: number) => Promise<void>;
  readonly ended: () => boolean;
  readonly putAside: (letter: DeadLetter) => void;
  readonly report: (line: string) => void;
}

/** Lambda waits one minute before the second attempt and two before the third. */
const DELAYS_MS = [60_000, 120_000];

/**
 * Processes events one after the other: the function never runs twice at the same time. The promise resolves when the
 * event succeeded or became a dead letter; it never rejects.
 */
export function createAsynchronous(options: AsynchronousOptions): (event: unknown) => Promise<void> {
  const { model, invoke, now, wait, ended, putAside, report } = options;
  let last: Promise<void> = Promise.resolve();

  const run = async (event: unknown): Promise<void> => {
    const acceptedAt = now();
    for (let attempt = 1; !ended(); attempt += 1) {
      try {
        await invoke(event);
        return;
      } catch (thrown) {
        const reason = errorText(thrown);
        const delayMs = DELAYS_MS[Math.min(attempt, DELAYS_MS.length) - 1] ?? 0;
        const tooLate = now() + delayMs - acceptedAt > model.eventAgeMs;
        if (attempt > model.retryAttempts || tooLate) {
          report(`${model.name} failed permanently after ${attempt} attempts: ${reason}`);
          const queue = model.deadLetters ?? 'none';
          putAside({ functionName: model.name, queue, event, attempts: attempt, reason });
          return;
        }
        report(`${model.name} failed, retry in ${delayMs / 1000} s: ${reason}`);
        await wait(delayMs);
      }
    }
  };

  return (event) => {
    last = last.then(() => run(event));
    return last;
  };
}
