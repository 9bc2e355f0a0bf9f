/** A log whose lines a test reads. */
import { createLog } from '../../lambdas/log.ts';

export function readableLog() {
  const written: string[] = [];
  return {
    log: createLog({ service: 'test', write: (line) => void written.push(line), now: Date.now }),
    /** Every line so far, as values. */
    lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>),
    /** Every line so far, as written. */
    text: () => written.join(''),
  };
}
