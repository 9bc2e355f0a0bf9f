/** A poll prepared for reconstruction: its rows by vessel, its coverage, and the poll before it. */
import { groupBy } from '../reference/grouping.ts';
import { earliestOf, type Instant } from '../reference/time.ts';
import { addPollCoverage, MAX_POLL_GAP_MS } from './coverage.ts';
import type { Ledger } from './ledger.ts';
import type { PortPoll, VesselInPort } from './observation.ts';
import { type ChangeTime, isOpen } from './port-call.ts';

/** An in-port list is implausible when it lacks more than half of the vessels expected, of at least this many. */
const MIN_JUDGED = 20;

/** One row for each vessel, that of its newest arrival; ties are resolved by place, never by the order of the list. */
function newestByVessel(rows: readonly VesselInPort[]): Map<string, VesselInPort> {
  const newest = new Map<string, VesselInPort>();
  for (const row of rows) {
    const known = newest.get(row.vesselId);
    const later = known === undefined || row.ataAt > known.ataAt;
    if (later || (row.ataAt === known.ataAt && row.place < known.place)) newest.set(row.vesselId, row);
  }
  return newest;
}

/** Whether most vessels are missing without an event that explains it: a truncated report, not an empty port. */
function isTruncated(
  ledger: Ledger,
  inPort: ReadonlyMap<string, VesselInPort>,
  mentioned: ReadonlySet<string>,
): boolean {
  let expected = 0;
  let missing = 0;
  for (const call of ledger.calls.values()) {
    if (!isOpen(call) || mentioned.has(call.vesselId)) continue;
    expected += 1;
    if (!inPort.has(call.vesselId)) missing += 1;
  }
  return expected >= MIN_JUDGED && missing > expected / 2;
}

/** The time of a change between two polls: their midpoint, or unknown when they are too far apart. */
export function changeBetween(beforeAt: Instant, afterAt: Instant): ChangeTime {
  const unknown = afterAt - beforeAt > MAX_POLL_GAP_MS;
  return { at: unknown ? afterAt : Math.floor((beforeAt + afterAt) / 2000) * 1000, unknown };
}

/** `poll` next to `ledger`. An implausible in-port list counts as absent while the previous poll is near. */
export function viewPoll(ledger: Ledger, poll: PortPoll) {
  const { observedAt } = poll;
  /** `observedAt` of the last poll with a usable in-port list. */
  const previousAt = ledger.lastInPortAt;
  const arrived = groupBy(poll.arrived ?? [], ({ vesselId }) => vesselId);
  const departed = groupBy(poll.departed ?? [], ({ vesselId }) => vesselId);
  const near = previousAt !== undefined && observedAt - previousAt <= MAX_POLL_GAP_MS;
  const listed = poll.inPort && newestByVessel(poll.inPort);
  const unreadable = new Set(poll.unreadable);
  const mentioned = new Set([...arrived.keys(), ...departed.keys(), ...unreadable]);
  const inPort = listed && near && isTruncated(ledger, listed, mentioned) ? undefined : listed;
  const eventTimes = [
    ...(poll.arrived ?? []).map((row) => row.ataAt),
    ...(poll.departed ?? []).map((row) => row.atdAt),
  ];
  return {
    poll,
    previousAt,
    coverage: inPort ? addPollCoverage(ledger.coverage, observedAt) : ledger.coverage,
    inPort,
    /** Vessels in port at a place that could not be read. */
    unreadable,
    arrived,
    departed,
    /** The time of a change since the previous poll. */
    change: changeBetween(previousAt ?? observedAt, observedAt),
    /** A vessel that only departed arrived before it. */
    oldestEventAt: Math.min(observedAt, earliestOf(eventTimes)),
  };
}
export type PollView = ReturnType<typeof viewPoll>;

/** Whether `ataAt` lies in covered time and a poll soon after it saw the arrival. */
export function isArrivalSeen(view: PollView, ataAt: Instant): boolean {
  const { previousAt, poll } = view;
  if (previousAt === undefined || poll.observedAt - previousAt > MAX_POLL_GAP_MS) return false;
  if (poll.observedAt - ataAt > MAX_POLL_GAP_MS) return false;
  return ataAt >= previousAt || view.coverage.some((run) => run.fromAt <= ataAt && ataAt <= run.toAt);
}
