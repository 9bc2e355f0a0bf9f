/** Limits the time of one attempt, and ends it early when the caller aborts. */

/** The reason of an attempt that ran out of time. */
export const OUT_OF_TIME = Symbol('out of time');

/**
 * Runs `work` for at most `ms`. Rejects with `OUT_OF_TIME` or the signal's reason at once, even when `work` ignores
 * the signal that it gets.
 */
export function withinTime<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const controller = new AbortController();
    const clear = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const end = (reason: unknown): void => {
      clear();
      controller.abort();
      reject(reason);
    };
    const onAbort = (): void => end(signal?.reason);
    const timer = setTimeout(end, ms, OUT_OF_TIME);
    signal?.addEventListener('abort', onAbort, { once: true });
    work(controller.signal).then(resolve, reject).finally(clear);
  });
}
