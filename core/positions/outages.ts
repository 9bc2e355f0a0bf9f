/** Reception: where and when vessels can be received. One that is not received in an outage has not fallen silent. */
import { z } from 'zod';
import { MAX_POLL_GAP_MS } from '../calls/coverage.ts';
import type { Locode } from '../reference/locode.ts';
import type { PortBox } from '../reference/port-boxes.ts';
import type { Instant, Interval } from '../reference/time.ts';
import type { Position } from './geometry.ts';
import { DEFAULT_PARAMETERS } from './parameters.ts';
import { BORDER_DEGREES, isInside, MAX_PORT_METRES, type NearestPort } from './port-areas.ts';

/** Seconds without reception at a position, between two Unix seconds. */
export type OutageSeconds = (position: Position, from: number, to: number) => number;

export const NO_OUTAGES: OutageSeconds = () => 0;

export const outageShape = z.object({
  beganAt: z.number().optional(),
  coveredAt: z.number().optional(),
  /** Outages that have ended, oldest first. */
  outages: z.array(z.object({ fromAt: z.number(), toAt: z.number() })).optional(),
});
export type PortReception = z.infer<typeof outageShape>;

/** Outages that ended earlier change nothing, because tracks without a fix since then are forgotten. */
const KEPT_MS = DEFAULT_PARAMETERS.forgetSeconds * 1000;

/** The outages up to `at` that have ended, and the one under way. */
function outagesUntil(at: Instant, { coveredAt, outages = [] }: PortReception): Interval[] {
  const kept = outages.filter(({ toAt }) => toAt > at - KEPT_MS);
  const isCovered = coveredAt === undefined || at - coveredAt <= MAX_POLL_GAP_MS;
  return isCovered ? kept : [...kept, { fromAt: coveredAt, toAt: at }];
}

/** The reception after a poll or a day that covers the span, or none. */
export function receptionAfter(before: PortReception = {}, covered: Interval | undefined): PortReception {
  const { beganAt = covered?.fromAt, coveredAt } = before;
  if (covered === undefined) return { beganAt, coveredAt, outages: before.outages };
  const outages = outagesUntil(covered.fromAt, before);
  return { beganAt, coveredAt: covered.toAt, outages: outages.length === 0 ? undefined : outages };
}

const overlapMs = (outages: readonly Interval[], fromAt: Instant, toAt: Instant): number =>
  outages.reduce(
    (sum, outage) => sum + Math.max(0, Math.min(outage.toAt, toAt) - Math.max(outage.fromAt, fromAt)),
    0,
  );

/** The outages of all boxes up to `at`, with the time before a port was first covered. Where boxes overlap, the longest counts. */
export function outagesIn(
  boxes: readonly PortBox[],
  receptions: Readonly<Record<Locode, PortReception>>,
  at: Instant,
): OutageSeconds {
  const interrupted = boxes.flatMap((box) =>
    box.ports.flatMap((port) => {
      const reception = receptions[port];
      if (reception === undefined) return [];
      const before = {
        fromAt: Number.NEGATIVE_INFINITY,
        toAt: reception.beganAt ?? Number.NEGATIVE_INFINITY,
      };
      const outages = [before, ...outagesUntil(at, reception)];
      return [{ box, outages }];
    }),
  );
  if (interrupted.length === 0) return NO_OUTAGES;
  return (position, from, to) => {
    let longest = 0;
    for (const { box, outages } of interrupted)
      if (isInside(box, position, BORDER_DEGREES))
        longest = Math.max(longest, overlapMs(outages, from * 1000, to * 1000));
    return longest / 1000;
  };
}

export interface ReceptionLimits {
  readonly outages: OutageSeconds;
  /** Whether a vessel at a position comes from outside the reach of all ports. */
  readonly isOutside: (position: Position) => boolean;
}

export const UNBROKEN_RECEPTION: ReceptionLimits = { outages: NO_OUTAGES, isOutside: () => false };

/** Degrees inside a box that a vessel may have sailed before a poll first shows it: six nautical miles to the north. */
const ENTRY_DEGREES = 2 * BORDER_DEGREES;

/** Outside the reach is what lies at the border of its box or beyond, or too far from every port to be in one. */
export const outsideReach =
  (boxes: readonly PortBox[], ports: NearestPort): ReceptionLimits['isOutside'] =>
  (position) =>
    !boxes.some((box) => isInside(box, position, -ENTRY_DEGREES)) ||
    ports.within(position.latitude, position.longitude, MAX_PORT_METRES) === undefined;
