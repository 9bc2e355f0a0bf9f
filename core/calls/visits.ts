/** Matches the events of a poll with the calls of a vessel, and applies them to the calls. */
import { earliestOf, HOUR_MS, type Instant } from '../reference/time.ts';
import type { PollView } from './poll-view.ts';
import { makeCallId, type PortCall } from './port-call.ts';
import {
  type Arrival,
  CORRECTION_MS,
  callArrived,
  callDeparted,
  type Departure,
  SAME_VISIT_MS,
  type VesselEvent,
  withArrival,
  withDeparture,
} from './vessel-events.ts';

/** A stated ATD replaces one inferred from absence when the two differ by this much or less. */
const LATE_NOTICE_MS = 48 * HOUR_MS;

export interface Visits {
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
export class EventMatcher {
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
