/** Where and when receivers reach vessels, and which ports a poll or a day covers. */
import { z } from 'zod';
import { MAX_POLL_GAP_MS } from '../calls/port-call.ts';
import type { Locode } from '../reference/codes.ts';
import type { Approach, PortBox } from '../reference/port-boxes.ts';
import type { Instant, Interval } from '../reference/time.ts';
import { DEFAULT_PARAMETERS } from './fix.ts';
import type { Position } from './geometry.ts';
import { BORDER_DEGREES, isInside, MAX_PORT_METRES, type NearestPort } from './port-areas.ts';

// A receiver outage does not mean that a vessel went silent.

/** Returns the seconds without reception at a position between two Unix seconds. */
export type OutageSeconds = (position: Position, from: number, to: number) => number;

export const NO_OUTAGES: OutageSeconds = () => 0;

/** The reception at one port so far. */
export const receptionShape = z.object({
  /** Vessels a poll, in millionths, so that rounding does not add up over weeks; or vessel-hours a day. */
  usual: z.number(),
  /** Number of covering polls or days in the mean, up to the span of the memory; 0 before the first. */
  samples: z.number(),
  /** Start of the oldest covered time, and end of the newest. */
  beganAt: z.number().optional(),
  coveredAt: z.number().optional(),
  /** Outages that have ended, oldest first. */
  outages: z.array(z.object({ fromAt: z.number(), toAt: z.number() })).optional(),
});
type Reception = z.infer<typeof receptionShape>;
export type UsualReception = Pick<Reception, 'usual' | 'samples'>;
export type PortReception = Omit<Reception, 'usual' | 'samples'>;

/** Older outages no longer matter, because tracks without a fix since then are forgotten. */
const KEPT_MS = DEFAULT_PARAMETERS.forgetSeconds * 1000;

/** Returns the outages up to `at`, including one under way. */
function outagesUntil(at: Instant, { coveredAt, outages = [] }: PortReception): Interval[] {
  const kept = outages.filter(({ toAt }) => toAt > at - KEPT_MS);
  const isCovered = coveredAt === undefined || at - coveredAt <= MAX_POLL_GAP_MS;
  return isCovered ? kept : [...kept, { fromAt: coveredAt, toAt: at }];
}

/** Returns the reception after a poll or a day that covers `covered`, or nothing. */
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

/** Returns the outages of all boxes up to `at`, and the time before a port was first covered. Where boxes overlap, the longest counts. */
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

/** Degrees inside a box that a vessel may have sailed before a poll first shows it: six nautical miles to the north. */
const ENTRY_DEGREES = 2 * BORDER_DEGREES;

/** A position is outside the reach if it lies at the border of its box or beyond, or too far from all ports. */
export const outsideReach =
  (boxes: readonly PortBox[], ports: NearestPort): ReceptionLimits['isOutside'] =>
  (position) =>
    !boxes.some((box) => isInside(box, position, -ENTRY_DEGREES)) ||
    ports.within(position.latitude, position.longitude, MAX_PORT_METRES) === undefined;

// An outage of its receivers does not empty a port. A poll or a day that receives less than a fifth of the usual number of vessels does not
// cover the port, and hardly changes the usual number: otherwise the few vessels received in an outage would soon be usual, and the others
// would seem to leave.

/** By name of the port or approach. */
export type Receptions = Readonly<Record<string, Reception>>;

/** Spans over which an exponential moving average forgets, in polls or days. */
interface ReceptionMemory {
  readonly covering: number;
  /** The span in polls or days that do not cover the port. It is longer than outages, so what lasts longer is a change of the port. */
  readonly uncovered: number;
}

const POLLS_A_DAY = 288;
/**
 * One day, so that a port may grow or shrink from day to day. A port that is left with 16, 8 or 4 % of its vessels is covered again
 * after 8, 30 or 50 days.
 */
export const POLL_MEMORY: ReceptionMemory = { covering: POLLS_A_DAY, uncovered: 28 * POLLS_A_DAY };
/** One month, because vessel-hours differ by the day of the week. With 16, 8 or 4 % a port is covered again after 15, 57 or 94 days. */
export const DAY_MEMORY: ReceptionMemory = { covering: 28, uncovered: 56 };

/** Below this share of the usual number a receiver has failed. */
const MIN_SHARE = 0.2;

/** Returns the usual number, whole, after a poll or a day that received `now`, and whether that covers the port. */
export function receiveAt(
  before: UsualReception | undefined,
  now: number,
  { covering, uncovered }: ReceptionMemory,
): { readonly reception: UsualReception; readonly isCovered: boolean } {
  // The first reception is usual.
  const { usual, samples } =
    before === undefined || before.samples === 0 ? { usual: now, samples: 0 } : before;
  const isCovered = now > 0 && now >= MIN_SHARE * usual;
  if (isCovered) {
    // Begin with the plain mean, so that a poor first poll does not set the usual number for a day.
    const polls = Math.min(samples + 1, covering);
    return { reception: { usual: Math.round(usual + (now - usual) / polls), samples: polls }, isCovered };
  }
  // Round down: rounding up would stop above what is received.
  return { reception: { usual: Math.floor(usual + (now - usual) / uncovered), samples }, isCovered };
}

const MILLION = 1_000_000;

/** Returns the usual number of vessels in a poll, 0 before the first. */
export const vesselsAPoll = (reception: UsualReception | undefined): number =>
  (reception?.usual ?? 0) / MILLION;

/** The span that a poll covers: back to the previous covered poll if that is near enough. */
export const coveredFrom = ({ coveredAt }: PortReception, polledAt: Instant): Instant =>
  coveredAt !== undefined && polledAt - coveredAt <= MAX_POLL_GAP_MS ? coveredAt : polledAt;

export interface ReceptionStep {
  readonly receptions: Receptions;
  /** Ports that the poll or day covers, and from when. */
  readonly covered: ReadonlyMap<Locode, Instant>;
}

/** Returns the receptions after a poll or a day; `spanAfter` gives the time that it covers at a port. */
export function receive(
  before: Receptions,
  received: Iterable<readonly [port: Locode, now: number]>,
  memory: ReceptionMemory,
  spanAfter: (last: PortReception) => Interval,
): ReceptionStep {
  const receptions: Record<Locode, Reception> = { ...before };
  const covered = new Map<Locode, Instant>();
  for (const [port, now] of received) {
    const last = before[port];
    const { reception, isCovered } = receiveAt(last, now, memory);
    const span = isCovered ? spanAfter(last ?? {}) : undefined;
    receptions[port] = { ...reception, ...receptionAfter(last, span) };
    if (span !== undefined) covered.set(port, span.fromAt);
  }
  return { receptions, covered };
}

/** Returns the receptions after a poll, given the number of vessels it received in each area. */
export const receivePoll = (
  before: Receptions,
  areas: readonly Pick<PortBox, 'ports'>[],
  vessels: readonly number[],
  polledAt: Instant,
): ReceptionStep =>
  receive(
    before,
    areas.flatMap(({ ports }, index) =>
      ports.map((port) => [port, (vessels[index] ?? 0) * MILLION] as const),
    ),
    POLL_MEMORY,
    (last) => ({ fromAt: coveredFrom(last, polledAt), toAt: polledAt }),
  );

/** With fewer usual vessels an empty roadstead is normal; with more, silence is a fault. */
const MIN_USUAL = 5;

/** Returns the covered ports without those whose approach is silent. Approaches are received under their names. */
export function withoutSilentApproaches(
  received: ReadonlyMap<string, Instant>,
  receptions: Receptions,
  approaches: readonly Approach[],
): Map<Locode, Instant> {
  const covered = new Map(received);
  for (const { name, ports } of approaches) {
    const isSilent = !received.has(name) && (receptions[name]?.usual ?? 0) >= MIN_USUAL * MILLION;
    covered.delete(name);
    for (const port of isSilent ? ports : []) covered.delete(port);
  }
  return covered;
}
