/** Outages that stop all receivers for some hours of each day. */

import { MAX_POLL_GAP_MS } from '../../../core/calls/port-call.ts';
import type { OutageSeconds } from '../../../core/positions/reception.ts';
import { DAY_MS, HOUR_MS, type Interval } from '../../../core/reference/time.ts';
import type { GeneratedFix, WorldOptions } from './world-types.ts';

/** Hours by which the outage of a day begins later than that of the day before. */
const LATER_HOURS = 7.3;

export const dailyOutages = (
  { startAt, days }: Pick<WorldOptions, 'startAt' | 'days'>,
  hours: number,
): Interval[] =>
  Array.from({ length: hours === 0 ? 0 : days }, (_, day) => {
    const fromAt = startAt + day * DAY_MS + ((day * LATER_HOURS) % (24 - hours)) * HOUR_MS;
    return { fromAt, toAt: fromAt + hours * HOUR_MS };
  });

export function* receivedFixes(
  fixes: Iterable<GeneratedFix>,
  outages: readonly Interval[],
): Generator<GeneratedFix> {
  for (const fix of fixes)
    if (!outages.some(({ fromAt, toAt }) => fromAt <= fix.at && fix.at < toAt)) yield fix;
}

/** Milliseconds between two times without those of the outages. */
export const receivedMs = (fromAt: number, toAt: number, outages: readonly Interval[]): number =>
  outages.reduce(
    (sum, outage) => sum - Math.max(0, Math.min(outage.toAt, toAt) - Math.max(outage.fromAt, fromAt)),
    toAt - fromAt,
  );

/** What the service knows of the outages: a port without a poll for up to four hours is covered all the same. */
export function knownOutages(outages: readonly Interval[]): OutageSeconds {
  const known = outages.filter(({ fromAt, toAt }) => toAt - fromAt > MAX_POLL_GAP_MS);
  return (_, from, to) => to - from - receivedMs(from * 1000, to * 1000, known) / 1000;
}
