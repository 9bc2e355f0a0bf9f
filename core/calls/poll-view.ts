/** A poll made ready to be applied: by vessel, one row each, next to the poll before it. */
import type { Instant } from '../reference/time.ts';
import { addPollCoverage, type Coverage, LONGEST_POLL_GAP_MS } from './coverage.ts';
import type { Ledger } from './ledger.ts';
import type { PortPoll, VesselArrived, VesselDeparted, VesselInPort } from './observation.ts';
import { isOpen } from './presence.ts';

/** A list that drops more than half of at least this many vessels from one poll to the next is half a list. */
const FEWEST_TO_JUDGE = 20;

export interface PollView {
  readonly poll: PortPoll;
  /** `observedAt` of the last poll with a usable in-port list. */
  readonly previousAt: Instant | undefined;
  /** Coverage with this poll in it. */
  readonly coverage: Coverage;
  /** Undefined when the list is absent or implausible. */
  readonly inPort: ReadonlyMap<string, VesselInPort> | undefined;
  /** Vessels that are in port somewhere, by a row that could not be read. */
  readonly unreadable: ReadonlySet<string>;
  readonly arrived: ReadonlyMap<string, readonly VesselArrived[]>;
  readonly departed: ReadonlyMap<string, readonly VesselDeparted[]>;
  /** When a change happened that was seen between the poll before and this one: at their midpoint. */
  readonly changeAt: Instant;
  /** No arrival is stated for a vessel that left: it arrived before the oldest event of this poll's lists. */
  readonly oldestEventAt: Instant;
}

function byVessel<Row extends { readonly vesselId: string }>(rows: readonly Row[] = []): Map<string, Row[]> {
  const grouped = new Map<string, Row[]>();
  for (const row of rows) {
    const group = grouped.get(row.vesselId);
    if (group) group.push(row);
    else grouped.set(row.vesselId, [row]);
  }
  return grouped;
}

/** One row a vessel, that of its newest arrival; between equals the order of names decides, not that of the list. */
function newestByVessel(rows: readonly VesselInPort[]): Map<string, VesselInPort> {
  const newest = new Map<string, VesselInPort>();
  for (const row of rows) {
    const held = newest.get(row.vesselId);
    const later = held === undefined || row.ataAt > held.ataAt;
    if (later || (row.ataAt === held.ataAt && row.place < held.place)) newest.set(row.vesselId, row);
  }
  return newest;
}

/** Whether most vessels are missing at once without notice: a report cut short upstream, not an emptied port. */
function isHalf(
  ledger: Ledger,
  inPort: ReadonlyMap<string, VesselInPort>,
  noticed: ReadonlySet<string>,
): boolean {
  let expected = 0;
  let missing = 0;
  for (const call of ledger.calls.values()) {
    if (!isOpen(call) || noticed.has(call.vesselId)) continue;
    expected += 1;
    if (!inPort.has(call.vesselId)) missing += 1;
  }
  return expected >= FEWEST_TO_JUDGE && missing > expected / 2;
}

/** `poll` as seen from `ledger`. An implausible in-port list counts as absent while the poll before it is near. */
export function viewPoll(ledger: Ledger, poll: PortPoll): PollView {
  const { observedAt } = poll;
  const previousAt = ledger.lastInPortAt;
  const arrived = byVessel(poll.arrived);
  const departed = byVessel(poll.departed);
  const near = previousAt !== undefined && observedAt - previousAt <= LONGEST_POLL_GAP_MS;
  const listed = poll.inPort && newestByVessel(poll.inPort);
  const unreadable = new Set(poll.unreadable);
  const noticed = new Set([...arrived.keys(), ...departed.keys(), ...unreadable]);
  const inPort = listed && near && isHalf(ledger, listed, noticed) ? undefined : listed;
  const eventTimes = [
    ...(poll.arrived ?? []).map((row) => row.ataAt),
    ...(poll.departed ?? []).map((row) => row.atdAt),
  ];
  return {
    poll,
    previousAt,
    coverage: inPort ? addPollCoverage(ledger.coverage, observedAt) : ledger.coverage,
    inPort,
    unreadable,
    arrived,
    departed,
    changeAt: previousAt === undefined ? observedAt : Math.floor((previousAt + observedAt) / 2000) * 1000,
    oldestEventAt: eventTimes.reduce((oldest, at) => Math.min(oldest, at), observedAt),
  };
}

/** Whether polls no further apart than allowed saw the vessel arrive at `ataAt`, soon after it did. */
export function isArrivalSeen(view: PollView, ataAt: Instant): boolean {
  const { previousAt, poll } = view;
  if (previousAt === undefined || poll.observedAt - previousAt > LONGEST_POLL_GAP_MS) return false;
  if (poll.observedAt - ataAt > LONGEST_POLL_GAP_MS) return false;
  return ataAt >= previousAt || view.coverage.some((run) => run.fromAt <= ataAt && ataAt <= run.toAt);
}
