/** Whether a port was heard as usual: silence of the receivers is not an empty port. */

import type { PortBox } from '../../ais/port-boxes.ts';
import { LONGEST_POLL_GAP_MS } from '../../calls/coverage.ts';
import type { Locode } from '../../reference/locode.ts';
import type { Instant } from '../../reference/time.ts';

/** What is remembered of one port. */
interface PortHearing {
  /** Vessels heard a poll, as a mean that forgets over about a day; in thousandths. */
  readonly usual: number;
  /** Time of the last poll that covered the port. */
  readonly coveredAt?: Instant;
}

export type Hearings = Readonly<Record<Locode, PortHearing>>;

/** Weight of one poll: a day has 288 of them. */
const WEIGHT = 1 / 288;
/** Fewer vessels than this share of the usual: a receiver is gone. */
const LEAST_SHARE = 0.2;
const THOUSAND = 1000;

/** The span that a poll covers: back to the covered poll before it where that is near enough. */
const coveredFrom = ({ coveredAt }: PortHearing, polledAt: Instant): Instant =>
  coveredAt !== undefined && polledAt - coveredAt <= LONGEST_POLL_GAP_MS ? coveredAt : polledAt;

function heardNow(before: PortHearing | undefined, heard: number): { usual: number; isCovered: boolean } {
  const now = heard * THOUSAND;
  // Until it is known what is usual, any vessel will do.
  const usual = before === undefined ? now : Math.round(before.usual + (now - before.usual) * WEIGHT);
  return { usual, isCovered: heard >= 1 && now >= LEAST_SHARE * usual };
}

export interface HearingStep {
  readonly hearings: Hearings;
  /** Ports that this poll covers, and from when. */
  readonly covered: ReadonlyMap<Locode, Instant>;
}

/** Reads the vessels heard in each box of a poll into what is usual there. */
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
      hearings[port] = { usual, ...(coveredAt === undefined ? {} : { coveredAt }) };
      if (isCovered) covered.set(port, last === undefined ? polledAt : coveredFrom(last, polledAt));
    }
  }
  return { hearings, covered };
}
