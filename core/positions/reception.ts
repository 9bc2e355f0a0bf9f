/** Which ports a poll covers: those at which it receives about as many vessels as usual. */

import { MAX_POLL_GAP_MS } from '../calls/coverage.ts';
import type { Locode } from '../reference/locode.ts';
import type { Instant } from '../reference/time.ts';
import { type PortReception, receptionAfter } from './outages.ts';
import type { Approach, PortBox } from './port-areas.ts';

// What is usual to be received at a port, because an outage of its receivers does not mean an empty port. A poll (or a day)
// with less than a fifth of what is usual does not cover the port, and hardly changes what is usual: otherwise the
// remainder that is received during an outage would soon be usual itself, and the vessels that are not received would leave.

/** Vessels a poll, or vessel-hours a day. */
export interface UsualReception {
  readonly usual: number;
  /** Of how many covering polls or days it is the mean, up to the span of the memory; 0 before anything was received. */
  readonly of: number;
}

/** Spans over which an exponential moving average forgets, in polls or days. */
interface ReceptionMemory {
  readonly covering: number;
  /** Of polls or days that do not cover the port: as long as an outage lasts that is not a change of the port itself. */
  readonly uncovered: number;
}

const POLLS_A_DAY = 288;
/**
 * A day, so that a port may grow or shrink from one day to the next. A port that truly keeps 16, 8 or 4 % of its vessels
 * is covered again after 8, 30 or 50 days, and for as long the remainder during an outage is not taken for the port.
 */
export const POLL_MEMORY: ReceptionMemory = { covering: POLLS_A_DAY, uncovered: 28 * POLLS_A_DAY };
/** A month, as vessel-hours differ by the day of the week. With 16, 8 or 4 % a port is covered again after 15, 57 or 94 days. */
export const DAY_MEMORY: ReceptionMemory = { covering: 28, uncovered: 56 };

/** With less than this share of what is usual, a receiver has failed. */
const MIN_SHARE = 0.2;

/** What is usual after a poll or a day in which `now` was received, and whether that covers the port. In whole numbers. */
export function receiveAt(
  before: UsualReception | undefined,
  now: number,
  { covering, uncovered }: ReceptionMemory,
): { readonly reception: UsualReception; readonly isCovered: boolean } {
  // Until anything was received, whatever is received is usual.
  const { usual, of } = before === undefined || before.of === 0 ? { usual: now, of: 0 } : before;
  const isCovered = now > 0 && now >= MIN_SHARE * usual;
  if (isCovered) {
    // At the beginning the plain mean, so that a poor first poll is not usual for a day.
    const polls = Math.min(of + 1, covering);
    return { reception: { usual: Math.round(usual + (now - usual) / polls), of: polls }, isCovered };
  }
  // Rounded down, so that it never stops short of what is received.
  return { reception: { usual: Math.floor(usual + (now - usual) / uncovered), of }, isCovered };
}

/** State of one port; `usual` is in millionths of a vessel, so that rounding does not add up over weeks. */
interface ReceptionState extends UsualReception, PortReception {}

export type Receptions = Readonly<Record<Locode, ReceptionState>>;

const MILLION = 1_000_000;

/** The usual vessels of each of `ports`. */
export const usualVessels = (receptions: Receptions, ports: readonly Locode[]): Map<Locode, number> =>
  new Map(ports.map((port) => [port, (receptions[port]?.usual ?? 0) / MILLION]));

/** The span that a poll covers: back to the covered poll before it where that is near enough. */
export const coveredFrom = ({ coveredAt }: PortReception, polledAt: Instant): Instant =>
  coveredAt !== undefined && polledAt - coveredAt <= MAX_POLL_GAP_MS ? coveredAt : polledAt;

export interface ReceptionStep {
  readonly receptions: Receptions;
  /** Ports that this poll covers, and from when. */
  readonly covered: ReadonlyMap<Locode, Instant>;
}

/** Updates the usual number of each box with the vessels received in a poll. */
export function receive(
  before: Receptions,
  boxes: readonly Pick<PortBox, 'ports'>[],
  received: readonly number[],
  polledAt: Instant,
): ReceptionStep {
  const receptions: Record<Locode, ReceptionState> = { ...before };
  const covered = new Map<Locode, Instant>();
  for (const [index, { ports }] of boxes.entries()) {
    for (const port of ports) {
      const last = before[port];
      const { reception, isCovered } = receiveAt(last, (received[index] ?? 0) * MILLION, POLL_MEMORY);
      const span = isCovered ? { fromAt: coveredFrom(last ?? {}, polledAt), toAt: polledAt } : undefined;
      receptions[port] = { ...reception, ...receptionAfter(last, span) };
      if (span !== undefined) covered.set(port, span.fromAt);
    }
  }
  return { receptions, covered };
}

/** A roadstead where fewer vessels are usual may be empty; where more are, silence is a fault. */
const MIN_USUAL = 5;

/** The covered ports of `received`, without those of an approach that is silent. Approaches are received under their names. */
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
