/** Whether reception at a port is as usual, because an outage of the receivers does not mean an empty port. */

import type { PortBox } from '../../ais/port-boxes.ts';
import { LONGEST_POLL_GAP_MS } from '../../calls/coverage.ts';
import type { Locode } from '../../reference/locode.ts';
import type { Instant } from '../../reference/time.ts';

/** State of one port. */
interface PortHearing {
  /** Vessels received per poll, as an exponential moving average over about a day; in thousandths. */
  readonly usual: number;
  /** Time of the last poll that covered the port. */
  readonly coveredAt?: Instant;
}

export type Hearings = Readonly<Record<Locode, PortHearing>>;

/** Weight of one poll: a day has 288 of them. */
const WEIGHT = 1 / 288;
/** With fewer vessels than this share of the usual number, a receiver has failed. */
const LEAST_SHARE = 0.2;
const THOUSAND = 1000;

/** The span that a poll covers: back to the covered poll before it where that is near enough. */
const coveredFrom = ({ coveredAt }: PortHearing, polledAt: Instant): Instant =>
  coveredAt !== undefined && polledAt - coveredAt <= LONGEST_POLL_GAP_MS ? coveredAt : polledAt;

function heardNow(before: PortHearing | undefined, heard: number): { usual: number; isCovered: boolean } {
  const now = heard * THOUSAND;
  // Until the usual number is known, any vessel counts as usual.
  const usual = before === undefined ? now : Math.round(before.usual + (now - before.usual) * WEIGHT);
  return { usual, isCovered: heard >= 1 && now >= LEAST_SHARE * usual };
}

export interface HearingStep {
  readonly hearings: Hearings;
  /** Ports that this poll covers, and from when. */
  readonly covered: ReadonlyMap<Locode, Instant>;
}

/** Updates the usual number of each box with the vessels received in a poll. */
export function hear(
  before: Hearings,
  boxes: readonly PortBox[],
  heard: readonly number[],
  polledAt: Instant,
): HearingStep {
  const hearings: Record<Locode, PortHearing> = { ...before };
  const covered = new Map<Locode, Instant>();
  for (const [index, { ports }] of boxes.entries()) {
    for (const port of ports) {
      const last = before[port];
      const { usual, isCovered } = heardNow(last, heard[index] ?? 0);
      const coveredAt = isCovered ? polledAt : last?.coveredAt;
      hearings[port] = { usual, coveredAt };
      if (isCovered) covered.set(port, last === undefined ? polledAt : coveredFrom(last, polledAt));
    }
  }
  return { hearings, covered };
}
