/** Notices that npm has ended: it passes a signal only to the shell between itself and this process. */

const CHECK_MS = 500;

/** Calls `end` once when the process that started this one has ended. Does nothing unless npm started it. */
export function whenOrphaned(end: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    end();
  }, CHECK_MS);
  watch.unref();
}
