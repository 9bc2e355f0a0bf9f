/** Which ports a poll covers: those at which it receives about as many vessels as usual. */

import { type PortReception, receptionAfter } from '../../ais/outages.ts';
import type { Approach, PortBox } from '../../ais/port-areas.ts';
import { MAX_POLL_GAP_MS } from '../../calls/coverage.ts';
import type { Locode } from '../../reference/locode.ts';
import type { Instant } from '../../reference/time.ts';
import { POLL_MEMORY, receiveAt, type UsualReception } from './usual-reception.ts';

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
