/** Port calls from polls: updates the vessels' calls by comparing a poll of a port with the previous one. */
import { groupBy } from '../reference/statistics.ts';
import { earliestOf, HOUR_MS, type Instant } from '../reference/time.ts';
import type { PollObservation, VesselDeparted, VesselInPort } from './observation.ts';
import {
  addPollCoverage,
  type ChangeTime,
  ended,
  endedBy,
  isOpen,
  isSamePosition,
  type Ledger,
  type Leg,
  ledgerClocks,
  legsBefore,
  legsFrom,
  MAX_POLL_GAP_MS,
  makeCallId,
  named,
  type PortCall,
  type Reading,
  reopened,
  startedAt,
  withMove,
} from './port-call.ts';

// A poll prepared for reconstruction: its rows by vessel, its coverage, and the poll before it.

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

/** Whether most vessels are missing without an event that explains it: a truncated observation, not an empty port. */
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
function changeBetween(beforeAt: Instant, afterAt: Instant): ChangeTime {
  const unknown = afterAt - beforeAt > MAX_POLL_GAP_MS;
  return { at: unknown ? afterAt : Math.floor((beforeAt + afterAt) / 2000) * 1000, unknown };
}

/** `poll` next to `ledger`. An implausible in-port list counts as absent while the previous poll is near. */
function viewPoll(ledger: Ledger, poll: PollObservation) {
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
type PollView = ReturnType<typeof viewPoll>;

/** Whether `ataAt` lies in covered time and a poll soon after it saw the arrival. */
function isArrivalSeen(view: PollView, ataAt: Instant): boolean {
  const { previousAt, poll } = view;
  if (previousAt === undefined || poll.observedAt - previousAt > MAX_POLL_GAP_MS) return false;
  if (poll.observedAt - ataAt > MAX_POLL_GAP_MS) return false;
  return ataAt >= previousAt || view.coverage.some((run) => run.fromAt <= ataAt && ataAt <= run.toAt);
}

// The arrivals and departures that a poll states for one vessel, in order of time and without duplicates, and how each changes its call.

/** A stated time that moves by no more than this is a correction of the same event. */
const CORRECTION_MS = 6 * HOUR_MS;
/** Another ATA this near, without a departure between, belongs to the same call: the lists reach back this far. */
const SAME_VISIT_MS = 36 * HOUR_MS;
/** An arrival this much later than one marked as departed begins the next call. */
const NEXT_VISIT_MS = HOUR_MS;

interface Arrival {
  readonly event: 'arrival';
  readonly at: Instant;
  readonly row: VesselInPort;
  /** From the in-port list, which alone may correct an ATA. */
  readonly listed: boolean;
  readonly departed: boolean;
}

interface Departure {
  readonly event: 'departure';
  readonly at: Instant;
  readonly row: VesselDeparted;
}

type VesselEvent = Arrival | Departure;

const rank = (event: VesselEvent): number => {
  if (event.event === 'departure') return 2;
  return event.departed ? 1 : 0;
};

/** By time, arrivals first; ties are resolved by place, never by the order of a list. */
const compareEvents = (a: VesselEvent, b: VesselEvent): number =>
  a.at - b.at || rank(a) - rank(b) || (a.row.place < b.row.place ? -1 : 1);

function isRepeated(before: VesselEvent, next: VesselEvent): boolean {
  if (before.event === 'departure') {
    return next.event === 'departure' && next.at - before.at <= CORRECTION_MS;
  }
  if (next.event === 'departure') return false;
  return next.at - before.at <= (before.departed ? NEXT_VISIT_MS : SAME_VISIT_MS);
}

/** Which of two duplicates counts: the ATA of the in-port list, else the earlier ATA; the later ATD. */
function preferred(before: VesselEvent, next: VesselEvent): VesselEvent {
  if (next.event === 'departure') return next;
  return next.listed ? next : before;
}

/** The vessel's events in the poll. Two arrivals or two departures in a row, close together, are one event. */
function makeTimeline(view: PollView, vesselId: string): VesselEvent[] {
  const arrived = view.arrived.get(vesselId) ?? [];
  const departed = view.departed.get(vesselId) ?? [];
  const listed = view.inPort?.get(vesselId);
  const events: VesselEvent[] = [
    ...arrived.map(
      (row): Arrival => ({ event: 'arrival', at: row.ataAt, row, listed: false, departed: row.departed }),
    ),
    ...departed.map((row): Departure => ({ event: 'departure', at: row.atdAt, row })),
  ];
  if (listed) events.push({ event: 'arrival', at: listed.ataAt, row: listed, listed: true, departed: false });
  const timeline: VesselEvent[] = [];
  for (const next of events.sort(compareEvents)) {
    const before = timeline.at(-1);
    if (before !== undefined && isRepeated(before, next))
      timeline[timeline.length - 1] = preferred(before, next);
    else timeline.push(next);
  }
  return timeline;
}

/** The ATD of a vessel marked as departed without a time: between the last two polls, before its next arrival. */
function untimedDeparture(ataAt: Instant, view: PollView, nextAtaAt: Instant): ChangeTime {
  const { previousAt, poll, change } = view;
  const isBracketed = previousAt !== undefined && !change.unknown;
  const { at, unknown } = isBracketed
    ? change
    : changeBetween(Math.max(ataAt, previousAt ?? ataAt), poll.observedAt);
  return { at: Math.max(ataAt, Math.min(at, nextAtaAt)), unknown };
}

/** The call that an arrival begins; `nextAtaAt` is the vessel's next arrival, infinite when none is known. */
function callArrived(arrival: Arrival, view: PollView, nextAtaAt: Instant): PortCall {
  const { at, row, departed } = arrival;
  const { zone, place, vesselId } = row;
  const { port, observedAt } = view.poll;
  const begun: PortCall = {
    callId: makeCallId(port, vesselId, { event: 'ata', at }),
    port,
    vesselId,
    traffic: row.traffic ?? 'cargo',
    vesselClass: row.vesselClass,
    ataAt: at,
    legs: [{ zone, place, startAt: at }],
    waitKnown: isArrivalSeen(view, at) || (zone === 'anchorage' && !departed),
    firstAtaAt: at,
    changedAt: observedAt,
  };
  if (!departed) return begun;
  const departure = untimedDeparture(at, view, nextAtaAt);
  const leg = endedBy({ zone, place, startAt: at, inferred: true }, departure);
  return { ...begun, legs: departure.at > at ? [leg] : [], atdAt: departure.at, atdInferred: true };
}

/** `call` with the ATA that the arrival states, where the in-port list corrects it; its first leg begins there. */
function withArrival(call: PortCall, { at, listed }: Arrival): PortCall {
  if (!call.ataInferred && (!listed || call.ataAt === at)) return call;
  if (!call.ataInferred && call.atdAt !== undefined && !call.atdInferred && at >= call.atdAt) return call;
  const { ataInferred: _, ...stated } = call;
  const legs = legsFrom(call.legs, at);
  const [first, ...others] = legs;
  const isWayOut = first === undefined || (call.atdAt !== undefined && first.startAt >= call.atdAt);
  return { ...stated, ataAt: at, legs: isWayOut ? legs : [startedAt(first, at), ...others] };
}

// Applies a stated departure to a call: where its last stay ends, and whether the vessel was seen later.

/** A call whose departure alone is reported: it arrived before the oldest event of the lists, and has no stay. */
function callDeparted(row: VesselDeparted, view: PollView): PortCall {
  const { port, observedAt } = view.poll;
  const ataAt = Math.min(view.oldestEventAt, row.atdAt);
  return {
    callId: makeCallId(port, row.vesselId, { event: 'atd', at: row.atdAt }),
    port,
    vesselId: row.vesselId,
    traffic: row.traffic ?? 'cargo',
    ataAt,
    ataInferred: true,
    legs: [],
    waitKnown: false,
    firstAtaAt: ataAt,
    changedAt: observedAt,
  };
}

/** When the vessel moved to a place where no poll saw it: after the last place that a poll saw, if any. */
function unseenMove(
  call: PortCall,
  departure: VesselDeparted,
  seenAt: Instant | undefined,
): ChangeTime | undefined {
  const last = call.legs.at(-1);
  if (last === undefined) return undefined;
  if (last.endAt !== undefined) {
    return call.atdInferred ? { at: last.endAt, unknown: last.endUnknown === true } : undefined;
  }
  return seenAt === undefined ? undefined : changeBetween(Math.max(seenAt, last.startAt), departure.atdAt);
}

/**
 * The legs up to the departure. A last place that no poll saw is inferred: from ATA to ATD when no poll saw another
 * stay either, else from the midpoint between the last poll before the ATD and the ATD.
 */
function legsUntil(call: PortCall, departure: VesselDeparted, seenAt: Instant | undefined): readonly Leg[] {
  const { zone, place, atdAt } = departure;
  const whole: Leg[] =
    atdAt > call.ataAt ? [{ zone, place, startAt: call.ataAt, endAt: atdAt, inferred: true }] : [];
  if (call.ataInferred) return whole.map((leg) => ({ ...leg, zone: 'moving' }));
  const known = legsBefore(call.legs, atdAt);
  const lastStay = known.findLastIndex((leg) => leg.zone !== 'moving');
  const stay = known[lastStay];
  if (zone === 'moving') return known.length > 0 ? known : whole;
  if (stay === undefined || (stay.inferred && lastStay === 0)) return whole;
  const before = known.slice(0, lastStay);
  if (isSamePosition(stay, departure)) return [...before, ended(named(stay, departure), atdAt)];
  const move = unseenMove(call, departure, seenAt);
  if (move?.unknown) return [...before, { ...stay, endUnknown: true }];
  if (move === undefined || move.at >= atdAt) return known;
  return [...legsBefore(known, move.at), { zone, place, startAt: move.at, endAt: atdAt, inferred: true }];
}

/** An outbound vessel that is still listed in port after its ATD: observations are late, and fairways are long. */
function wayOut(call: PortCall, atdAt: Instant, seenAt: Instant | undefined): Leg[] {
  const last = call.legs.at(-1);
  if (last === undefined) return [];
  const after = last.startAt > atdAt || (last.startAt === atdAt && last.zone === 'moving');
  const seenAfter = after || (last.endAt === undefined && seenAt !== undefined && seenAt >= atdAt);
  if (!seenAfter) return [];
  const { inferred: _, ...seen } = last;
  return [{ ...seen, zone: 'moving', startAt: atdAt }];
}

/** Whether the first berthing is inferred over a longer time than lies between polls of covered time. */
function berthedOutOfSight(call: PortCall, departure: VesselDeparted, seenAt: Instant | undefined): boolean {
  if (departure.zone !== 'berth' || call.legs.length === 0) return false;
  if (seenAt === undefined || departure.atdAt - seenAt <= MAX_POLL_GAP_MS) return false;
  return call.atdAt === undefined && call.legs.every((leg) => leg.zone !== 'berth');
}

/** `call` with a stated departure; `seenAt` is the time of the last poll before the one that states it. */
function withDeparture(call: PortCall, departure: VesselDeparted, seenAt: Instant | undefined): PortCall {
  const { atdAt } = departure;
  const { atdInferred: _, ...rest } = call;
  return {
    ...rest,
    ataAt: Math.min(call.ataAt, atdAt),
    atdAt,
    legs: [...legsUntil(call, departure, seenAt), ...wayOut(call, atdAt, seenAt)],
    waitKnown: call.waitKnown && !berthedOutOfSight(call, departure, seenAt),
  };
}

// Identifies the vessel of a row: a call sign that changes under one IMO number is the same vessel.

interface Identity {
  readonly imo?: string;
  /** Ids in the rows of this poll, other than the vessel's own. */
  readonly otherIds: readonly string[];
}

const isBefore = (a: PortCall, b: PortCall): boolean =>
  a.firstAtaAt < b.firstAtaAt || (a.firstAtaAt === b.firstAtaAt && a.callId < b.callId);

const findFirst = (texts: Iterable<string>): string | undefined => [...texts].sort()[0];

/** IMO numbers of the in-port list by listed id. If several are stated for one id, the smallest wins. */
function statedImos({ inPort = [] }: PollObservation): Map<string, string> {
  const stated = new Map<string, string>();
  for (const { vesselId, imo } of inPort) {
    const known = stated.get(vesselId);
    if (imo !== undefined && (known === undefined || imo < known)) stated.set(vesselId, imo);
  }
  return stated;
}

/**
 * The vessels' own ids by the listed ids, where they differ: by a known call with the same IMO number; else by one that
 * has the listed id as a further one; of two new ids under one IMO number, the first.
 */
function ownIds(calls: readonly PortCall[], poll: PollObservation, imos: ReadonlyMap<string, string>) {
  const { inPort = [], arrived = [], departed = [], unreadable = [] } = poll;
  const listed = [...inPort, ...arrived, ...departed].map(({ vesselId }) => vesselId);
  const byImo = new Map<string | undefined, string>();
  const byOtherId = new Map<string, string>();
  for (const { imo, vesselId, otherIds = [] } of calls) {
    if (imo !== undefined && !byImo.has(imo)) byImo.set(imo, vesselId);
    for (const otherId of otherIds) byOtherId.set(otherId, vesselId);
  }
  for (const [imo, stated] of groupBy(imos, ([, imo]) => imo)) {
    const first = findFirst(stated.map(([vesselId]) => vesselId));
    if (first !== undefined && !byImo.has(imo)) byImo.set(imo, byOtherId.get(first) ?? first);
  }
  const own = [...listed, ...unreadable].flatMap((listedId): [string, string][] => {
    const ownId = byImo.get(imos.get(listedId)) ?? byOtherId.get(listedId) ?? listedId;
    return ownId === listedId ? [] : [[listedId, ownId]];
  });
  return new Map(own);
}

/** By the vessels' own ids. */
function readIdentities(
  imos: ReadonlyMap<string, string>,
  ownIdOf: (listedId: string) => string,
): Map<string, Identity> {
  const identities = new Map<string, Identity>();
  for (const [listedId, imo] of imos) {
    const ownId = ownIdOf(listedId);
    const { otherIds = [] } = identities.get(ownId) ?? {};
    identities.set(ownId, { imo, otherIds: listedId === ownId ? otherIds : [...otherIds, listedId].sort() });
  }
  return identities;
}

/**
 * `poll` and the ledger's calls, oldest first, with one id for each vessel, its own; and the calls that are duplicates of
 * another one under another id.
 */
export function identify(ledger: Ledger, poll: PollObservation) {
  const known = [...ledger.calls.values()].sort((a, b) => (isBefore(a, b) ? -1 : 1));
  const imos = statedImos(poll);
  const own = ownIds(known, poll, imos);
  const ownIdOf = (listedId: string): string => own.get(listedId) ?? listedId;
  const withOwnId = <Row extends { readonly vesselId: string }>(row: Row): Row =>
    own.has(row.vesselId) ? { ...row, vesselId: ownIdOf(row.vesselId) } : row;

  const calls: PortCall[] = [];
  const duplicates: PortCall[] = [];
  for (const call of known) {
    const imo = imos.get(call.vesselId);
    const isOfImo = imo !== undefined && (call.imo === undefined || call.imo === imo);
    const moved = isOfImo ? withOwnId(call) : call;
    const isDuplicate =
      moved !== call &&
      known.some(
        (other) => other.vesselId === moved.vesselId && other.ataAt === call.ataAt && !other.ataInferred,
      );
    if (isDuplicate && !call.ataInferred) duplicates.push(call);
    else calls.push(moved);
  }

  return {
    calls,
    duplicates,
    identities: readIdentities(imos, ownIdOf),
    poll: {
      ...poll,
      inPort: poll.inPort?.map(withOwnId),
      arrived: poll.arrived?.map(withOwnId),
      departed: poll.departed?.map(withOwnId),
      unreadable: poll.unreadable?.map(ownIdOf),
    },
  };
}

/** `call` with the known identity of its vessel. A known IMO number does not change. */
function withIdentity(call: PortCall, identity: Identity | undefined): PortCall {
  if (identity === undefined) return call;
  const { imo = identity.imo, otherIds = [] } = call;
  const ids = [...new Set([...otherIds, ...identity.otherIds])].sort();
  return { ...call, imo, otherIds: ids.length > 0 ? ids : undefined };
}

// Matches the events of a poll with the calls of a vessel, and applies them to the calls.

/** A stated ATD replaces one inferred from absence when the two differ by this much or less. */
const LATE_NOTICE_MS = 48 * HOUR_MS;

interface Visits {
  /** All calls of the vessel, oldest first. */
  readonly calls: readonly PortCall[];
  /** Id of the call that the in-port list shows. */
  readonly listed: string | undefined;
  /** Id of the call whose vessel the lists still have in port, if any. */
  readonly present: string | undefined;
}

/**
 * Matches the events of one vessel with its calls. Exact matches come first, and exclude any other event of that kind, so
 * applying the same events again, all or some of them, changes nothing.
 */
class EventMatcher {
  private readonly byId: Map<string, PortCall>;
  private readonly arrivals: readonly Arrival[];
  private readonly departures: readonly Departure[];

  constructor(
    known: readonly PortCall[],
    private readonly timeline: readonly VesselEvent[],
    private readonly view: PollView,
  ) {
    this.byId = new Map(known.map((call) => [call.callId, call]));
    this.arrivals = timeline.filter((stated) => stated.event === 'arrival');
    this.departures = timeline.filter((stated) => stated.event === 'departure');
  }

  /** Oldest first. */
  private get calls(): PortCall[] {
    return [...this.byId.values()].sort((a, b) => a.ataAt - b.ataAt || (a.callId < b.callId ? -1 : 1));
  }

  apply(): Visits {
    const ended = this.matchDepartures();
    const matched = this.matchArrivals(ended);
    for (const [arrival, known] of matched) this.put(withArrival(known, arrival));
    const callIds = new Map<VesselEvent, string>();
    for (const arrival of this.arrivals) {
      const call = matched.get(arrival) ?? callArrived(arrival, this.view, this.nextAtaAfter(arrival.at));
      if (!matched.has(arrival)) this.put(call);
      callIds.set(arrival, call.callId);
    }
    for (const departure of this.departures) {
      const { row } = departure;
      const before = this.timeline[this.timeline.indexOf(departure) - 1];
      const call = this.callDeparting(departure, before && callIds.get(before), ended);
      this.put(withDeparture(call ?? callDeparted(row, this.view), row, this.view.previousAt));
    }
    const idOf = (arrival: Arrival | undefined): string | undefined => arrival && callIds.get(arrival);
    const listed = idOf(this.arrivals.find((arrival) => arrival.listed));
    const present = listed ?? idOf(this.arrivals.findLast((arrival) => !arrival.departed));
    return { calls: this.calls, listed, present };
  }

  /** Ids of the calls that already have the departures: made from them, or ended by them. */
  private matchDepartures(): Map<VesselEvent, string> {
    const matched = new Map<VesselEvent, string>();
    for (const departure of this.departures) {
      const made = this.callMadeFrom('atd', departure);
      if (made) matched.set(departure, made.callId);
    }
    for (const departure of this.departures.filter((event) => !matched.has(event))) {
      const taken = new Set(matched.values());
      const same = this.calls.find(
        (call) => call.atdAt === departure.at && !call.atdInferred && !taken.has(call.callId),
      );
      if (same) matched.set(departure, same.callId);
    }
    return matched;
  }

  /** The known calls of the arrivals, in-port arrivals first; an arrival that begins a call has no entry. */
  private matchArrivals(ended: ReadonlyMap<VesselEvent, string>): Map<Arrival, PortCall> {
    const matched = new Map<Arrival, PortCall>();
    const listedFirst = this.arrivals.toSorted((a, b) => Number(b.listed) - Number(a.listed));
    const listed = listedFirst.find((arrival) => arrival.listed);
    for (const arrival of listedFirst) {
      // The in-port list corrects the ATA of its call, so that call matches no other arrival by its old ATA.
      const corrected = listed && matched.get(listed);
      const same = this.calls.find(
        (call) => !call.ataInferred && call.ataAt === arrival.at && call !== corrected,
      );
      const exact = this.callMadeFrom('ata', arrival) ?? same;
      if (exact) matched.set(arrival, exact);
    }
    for (const arrival of listedFirst.filter((event) => !matched.has(event))) {
      const taken = new Set([...matched.values()].map((call) => call.callId));
      const free = this.calls.filter((call) => !taken.has(call.callId));
      const call = this.callNear(free, arrival) ?? this.callWithoutAta(free, arrival, ended);
      if (call) matched.set(arrival, call);
    }
    return matched;
  }

  private callMadeFrom(event: 'ata' | 'atd', { at, row }: VesselEvent): PortCall | undefined {
    return this.byId.get(makeCallId(this.view.poll.port, row.vesselId, { event, at }));
  }

  /** The call whose ATA the arrival corrects. An ATA after a departure is a new call. */
  private callNear(calls: readonly PortCall[], { at, departed }: Arrival): PortCall | undefined {
    const near = calls.filter((call) => {
      if (call.ataInferred || this.hadLeftBy(call, at) || this.isDepartureBetween(call.ataAt, at))
        return false;
      const laterMs = call.ataAt - at;
      return Math.abs(laterMs) <= CORRECTION_MS || (!departed && laterMs > 0 && laterMs <= SAME_VISIT_MS);
    });
    const [nearest] = near.sort((a, b) => Math.abs(a.ataAt - at) - Math.abs(b.ataAt - at));
    return nearest;
  }

  /** The call, known only by its departure, that the arrival begins: the one that ends next. */
  private callWithoutAta(
    calls: readonly PortCall[],
    arrival: Arrival,
    ended: ReadonlyMap<VesselEvent, string>,
  ): PortCall | undefined {
    const next = this.timeline[this.timeline.indexOf(arrival) + 1];
    const unknown = calls.filter((call) => call.ataInferred);
    if (next?.event === 'departure') return unknown.find((call) => call.callId === ended.get(next));
    const stated = new Set(ended.values());
    const [first] = unknown
      .filter(({ callId, atdAt = arrival.at }) => arrival.at < atdAt && !stated.has(callId))
      .filter(({ atdAt = arrival.at }) => next === undefined || atdAt <= next.at)
      .sort((a, b) => (a.atdAt ?? 0) - (b.atdAt ?? 0));
    return first;
  }

  /** Whether the call was over by `at`; a departure inferred since the previous poll does not count. */
  private hadLeftBy(call: PortCall, at: Instant): boolean {
    if (call.atdAt === undefined) return false;
    const { previousAt } = this.view;
    if (call.atdInferred && previousAt !== undefined && call.atdAt > previousAt) return false;
    return at >= call.atdAt;
  }

  private isDepartureBetween(oneAt: Instant, otherAt: Instant): boolean {
    const fromAt = Math.min(oneAt, otherAt);
    const toAt = Math.max(oneAt, otherAt);
    return this.departures.some(({ at }) => fromAt <= at && at <= toAt);
  }

  /** The call that the departure ended already, else `visit`, of the arrival before it, else the newest without another end. */
  private callDeparting(
    departure: Departure,
    visit: string | undefined,
    ended: ReadonlyMap<VesselEvent, string>,
  ): PortCall | undefined {
    const { at } = departure;
    const same = ended.get(departure);
    if (same !== undefined) return this.byId.get(same);
    const taken = new Set(ended.values());
    const isFree = (call: PortCall, lateMs: number): boolean =>
      !taken.has(call.callId) && mayEndAt(call, at, lateMs);
    const newest = this.calls.findLast((call) =>
      visit === undefined ? !call.ataInferred && call.ataAt <= at : call.callId === visit,
    );
    if (newest && isFree(newest, visit === undefined ? LATE_NOTICE_MS : Number.POSITIVE_INFINITY))
      return newest;
    return this.calls.find((call) => call.ataInferred && isFree(call, LATE_NOTICE_MS));
  }

  private nextAtaAfter(at: Instant): Instant {
    const known = this.calls.filter((call) => !call.ataInferred).map((call) => call.ataAt);
    const stated = this.arrivals.map((arrival) => arrival.at);
    return earliestOf([...known, ...stated].filter((ataAt) => ataAt > at));
  }

  private put(call: PortCall): void {
    this.byId.set(call.callId, call);
  }
}

/** Whether `at` can be the ATD of `call`: the call has none yet, or one that `at` corrects. */
function mayEndAt(call: PortCall, at: Instant, lateMs: number): boolean {
  if (call.atdAt === undefined) return true;
  return Math.abs(at - call.atdAt) <= (call.atdInferred ? lateMs : CORRECTION_MS);
}

// Applies the list of vessels in port to a call: its current place, or its end when the vessel is no longer listed.

/** `call` with its vessel listed at the place of `row`. A change of place is dated by `view.change`. */
function withSighting(call: PortCall, row: VesselInPort, view: PollView): PortCall {
  const last = call.legs.at(-1);
  if (call.atdAt !== undefined && !call.atdInferred) return withWayOut(call, row);
  const { atdAt: _, atdInferred: __, ...open } = call;
  if (last !== undefined && isSamePosition(last, row)) {
    return { ...open, legs: [...call.legs.slice(0, -1), reopened(named(last, row))] };
  }
  const legs = withMove(
    call.legs,
    row,
    last === undefined ? { at: call.ataAt, unknown: false } : view.change,
  );
  return { ...open, legs, waitKnown: call.waitKnown && !waitMovedOutOfSight(call, row, view) };
}

/** Whether a wait may have begun or ended, or the first berth been reached, in a gap that is not covered. */
function waitMovedOutOfSight(call: PortCall, row: VesselInPort, view: PollView): boolean {
  if (!view.change.unknown) return false;
  if (call.legs.some((leg) => leg.zone === 'berth')) return false;
  const last = call.legs.at(-1);
  return last === undefined ? row.zone === 'berth' : last.zone !== row.zone;
}

/** A vessel still listed after its stated ATD is on its way out, wherever the list has it. */
function withWayOut(call: PortCall, row: VesselInPort): PortCall {
  const last = call.legs.at(-1);
  if (last !== undefined && last.endAt === undefined) return call;
  const departedAt = call.atdAt ?? call.ataAt;
  if (last !== undefined && last.zone === 'moving' && last.startAt >= departedAt) {
    return { ...call, legs: [...call.legs.slice(0, -1), reopened(last)] };
  }
  return { ...call, legs: [...call.legs, { zone: 'moving', place: row.place, startAt: departedAt }] };
}

/** `call` with its vessel no longer listed: it left at `departure`. */
function withAbsence(call: PortCall, departure: ChangeTime): PortCall {
  const last = call.legs.at(-1);
  const endAt = Math.max(last?.startAt ?? call.ataAt, departure.at);
  const legs = last === undefined ? [] : [...call.legs.slice(0, -1), endedBy(last, departure)];
  const lasting = legs.filter((leg) => leg.endAt === undefined || leg.endAt > leg.startAt);
  if (call.atdAt !== undefined) return { ...call, legs: lasting };
  return { ...call, legs: lasting, atdAt: endAt, atdInferred: true };
}

/** The vessels whose calls the poll may change: those it names, and those in port so far. */
function vesselsConcerned(view: PollView, callsOf: ReadonlyMap<string, readonly PortCall[]>): Set<string> {
  const vessels = new Set([...(view.inPort?.keys() ?? []), ...view.arrived.keys(), ...view.departed.keys()]);
  for (const [vesselId, calls] of callsOf) if (calls.some(isOpen)) vessels.add(vesselId);
  return vessels;
}

/** The vessel's calls after the in-port list. A vessel that is no longer listed left midway, before its next arrival if any. */
function afterInPortList({ calls, listed, present }: Visits, vesselId: string, view: PollView): PortCall[] {
  const row = view.inPort?.get(vesselId);
  const gone = view.inPort !== undefined && view.previousAt !== undefined && !view.unreadable.has(vesselId);
  return calls.map((call, index) => {
    if (row !== undefined && call.callId === listed) return withSighting(call, row, view);
    if (!gone || !isOpen(call) || call.callId === present) return call;
    const next = calls.slice(index + 1).find((later) => !later.ataInferred);
    const { at, unknown } = view.change;
    return withAbsence(call, { at: Math.min(at, next?.ataAt ?? at), unknown });
  });
}

/** Applies a poll newer than the last observation: identities, then the stated events, then the list of vessels in port. */
export function readPoll(ledger: Ledger, reported: PollObservation): Reading {
  const { poll, calls: known, duplicates, identities } = identify(ledger, reported);
  const view = viewPoll(ledger, poll);
  const vesselCalls = groupBy(known, ({ vesselId }) => vesselId);
  const calls = [...vesselsConcerned(view, vesselCalls)].flatMap((vesselId) => {
    const timeline = makeTimeline(view, vesselId);
    const visits = new EventMatcher(vesselCalls.get(vesselId) ?? [], timeline, view).apply();
    return afterInPortList(visits, vesselId, view).map((call) =>
      call.callId === visits.present ? withIdentity(call, identities.get(vesselId)) : call,
    );
  });
  const { observedAt } = poll;
  const read = { ...ledgerClocks(ledger), coverage: view.coverage, lastObservedAt: observedAt };
  return {
    calls,
    removed: duplicates,
    notices: [],
    clocks: view.inPort === undefined ? read : { ...read, lastInPortAt: observedAt },
  };
}
