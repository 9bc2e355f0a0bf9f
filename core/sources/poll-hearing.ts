/** Which ports a poll covers: those at which it hears about as many vessels as usual. */

import { type PortReception, receptionAfter } from '../ais/outages.ts';
import type { Approach, PortBox } from '../ais/port-areas.ts';
import { LONGEST_POLL_GAP_MS } from '../calls/coverage.ts';
import type { Locode } from '../reference/locode.ts';
import type { Instant } from '../reference/time.ts';
import { hearAt, POLL_MEMORY, type UsualHearing } from './usual-hearing.ts';

/** State of one port; `usual` is in millionths of a vessel, so that rounding does not add up over weeks. */
interface PortHearing extends UsualHearing, PortReception {}

export type Hearings = Readonly<Record<Locode, PortHearing>>;

const MILLION = 1_000_000;

/** The usual vessels of each of `ports`. */
export const usualVessels = (hearings: Hearings, ports: readonly Locode[]): Map<Locode, number> =>
  new Map(ports.map((port) => [port, (hearings[port]?.usual ?? 0) / MILLION]));

/** The span that a poll covers: back to the covered poll before it where that is near enough. */
export const coveredFrom = ({ coveredAt }: PortReception, polledAt: Instant): Instant =>
  coveredAt !== undefined && polledAt - coveredAt <= LONGEST_POLL_GAP_MS ? coveredAt : polledAt;

export interface HearingStep {
  readonly hearings: Hearings;
  /** Ports that this poll covers, and from when. */
  readonly covered: ReadonlyMap<Locode, Instant>;
}

/** Updates the usual number of each box with the vessels received in a poll. */
export function hear(
  before: Hearings,
  boxes: readonly Pick<PortBox, 'ports'>[],
  heard: readonly number[],
  polledAt: Instant,
): HearingStep {
  const hearings: Record<Locode, PortHearing> = { ...before };
  const covered = new Map<Locode, Instant>();
  for (const [index, { ports }] of boxes.entries()) {
    for (const port of ports) {
      const last = before[port];
      const { hearing, isCovered } = hearAt(last, (heard[index] ?? 0) * MILLION, POLL_MEMORY);
      const span = isCovered ? { fromAt: coveredFrom(last ?? {}, polledAt), toAt: polledAt } : undefined;
      hearings[port] = { ...hearing, ...receptionAfter(last, span) };
      if (span !== undefined) covered.set(port, span.fromAt);
    }
  }
  return { hearings, covered };
}

/** A roadstead where fewer vessels are usual may be empty; where more are, silence is a fault. */
const LEAST_USUAL = 5;

/** The covered ports of `heard`, without those of an approach that is silent. Approaches are heard under their names. */
export function withHeardApproaches(
  heard: ReadonlyMap<string, Instant>,
  hearings: Hearings,
  approaches: readonly Approach[],
): Map<Locode, Instant> {
  const covered = new Map(heard);
  for (const { name, ports } of approaches) {
    const isSilent = !heard.has(name) && (hearings[name]?.usual ?? 0) >= LEAST_USUAL * MILLION;
    covered.delete(name);
    for (const port of isSilent ? ports : []) covered.delete(port);
  }
  return covered;
}
