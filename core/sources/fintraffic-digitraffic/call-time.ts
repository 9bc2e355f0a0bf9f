/** Validates the call times that agents enter by hand, which Digitraffic passes on unchecked. */
import { formatInstant, type Instant, parseInstant } from '../../reference/time.ts';
import type { Refusal } from '../source.ts';

/** Portnet began in the nineties; anything older is a typing error. */
const EARLIEST_AT = Date.UTC(2000, 0, 1);

export interface TimeCheck {
  /** Nothing that has happened can be later than this. */
  readonly asOfAt: Instant;
  readonly refusals: Refusal[];
}

/**
 * A time in the past, undefined when none is stated. An impossible time (unreadable, in the future, before
 * 2000) counts as not stated and is reported: the rest of the call, and later corrections, are still valid.
 */
export function passedTime(label: string, text: string | undefined, check: TimeCheck): Instant | undefined {
  if (text === undefined) return undefined;
  const at = parseInstant(text);
  const reason = at === undefined ? 'unreadable-time' : at > check.asOfAt ? 'future-time' : 'ancient-time';
  if (at !== undefined && at <= check.asOfAt && at >= EARLIEST_AT) return at;
  check.refusals.push({
    reason,
    detail: `${label} ${text.slice(0, 40)}, as of ${formatInstant(check.asOfAt)}`,
  });
  return undefined;
}
