/** A vessel's calls with the events of a poll read into them. */
import { HOUR_MS, type Instant } from '../reference/time.ts';
import { callIdOf } from './call-id.ts';
import { depart } from './departure.ts';
import { legsFrom } from './legs.ts';
import { callArrived, callDeparted } from './new-call.ts';
import type { VesselInPort } from './observation.ts';
import type { PollView } from './poll-view.ts';
import type { PortCall } from './port-call.ts';
import {
  type Arrival,
  CORRECTION_MS,
  type Departure,
  SAME_VISIT_MS,
  timelineOf,
  type VesselEvent,
} from './vessel-timeline.ts';

/** A stated ATD replaces one concluded from absence when it is no further off than lists and gaps may reach. */
const LATE_NOTICE_MS = 48 * HOUR_MS;

export interface Visits {
  /** All calls of the vessel, oldest first. */
  readonly calls: readonly PortCall[];
  /** The call that the in-port list speaks of. */
  readonly listed: string | undefined;
  /** The call whose vessel the lists still have in port, if any. */
  readonly present: string | undefined;
}

/**
 * The calls of one vessel while events are read into them. Events that a call states to the second are matched
 * first, and such a call to no other event; so reading events again, in whole or in part, changes nothing.
 */
class VisitReader {
  private calls: PortCall[];
  private readonly arrivals: readonly Arrival[];
  private readonly departures: readonly Departure[];

  constructor(
    held: readonly PortCall[],
    private readonly timeline: readonly VesselEvent[],
    private readonly view: PollView,
  ) {
    this.calls = [...held];
    this.sort();
    this.arrivals = timeline.filter((one) => one.event === 'arrival');
    this.departures = timeline.filter((one) => one.event === 'departure');
  }

  read(): Visits {
    const ended = this.matchDepartures();
    const matched = this.matchArrivals(ended);
    for (const [arrival, known] of matched) this.put(corrected(known, arrival));
    const callIds = new Map<VesselEvent, string>();
    for (const arrival of this.arrivals) {
      const call = matched.get(arrival) ?? callArrived(arrival, this.view, this.nextAtaAfter(arrival.at));
      if (!matched.has(arrival)) this.put(call);
      callIds.set(arrival, call.callId);
    }
    for (const departure of this.departures) {
      const before = this.timeline[this.timeline.indexOf(departure) - 1];
      const call = this.callDeparting(
        departure.at,
        ended.get(departure),
        before && callIds.get(before),
        ended,
      );
      this.put(depart(call ?? callDeparted(departure.row, this.view), departure.row, this.view.previousAt));
    }
    const idOf = (arrival: Arrival | undefined): string | undefined => arrival && callIds.get(arrival);
    const listed = idOf(this.arrivals.find((arrival) => arrival.listed));
    const present = listed ?? idOf(this.arrivals.findLast((arrival) => !arrival.departed));
    return { calls: this.calls, listed, present };
  }

  /** Ids of the calls that state the departures already: born of them, or ended by them. */
  private matchDepartures(): Map<VesselEvent, string> {
    const matched = new Map<VesselEvent, string>();
    for (const departure of this.departures) {
      const born = this.callBorn('atd', departure);
      if (born) matched.set(departure, born.callId);
    }
    for (const departure of this.departures.filter((one) => !matched.has(one))) {
      const taken = new Set(matched.values());
      const same = this.calls.find(
        (call) => call.atdAt === departure.at && !call.atdInferred && !taken.has(call.callId),
      );
      if (same) matched.set(departure, same.callId);
    }
    return matched;
  }

  /** The calls that the arrivals belong to, the in-port list's first; an arrival of no known call is not in it. */
  private matchArrivals(ended: ReadonlyMap<VesselEvent, string>): Map<Arrival, PortCall> {
    const matched = new Map<Arrival, PortCall>();
    const inOrder = this.arrivals.toSorted((a, b) => Number(b.listed) - Number(a.listed) || a.at - b.at);
    const listed = inOrder.find((arrival) => arrival.listed);
    for (const arrival of inOrder) {
      // The call that the in-port list speaks of takes its ATA from there, and so is no other arrival's by its ATA.
      const corrected = listed && matched.get(listed);
      const same = this.calls.find(
        (call) => !call.ataInferred && call.ataAt === arrival.at && call !== corrected,
      );
      const exact = this.callBorn('ata', arrival) ?? same;
      if (exact) matched.set(arrival, exact);
    }
    for (const arrival of inOrder.filter((one) => !matched.has(one))) {
      const taken = new Set([...matched.values()].map((call) => call.callId));
      const free = this.calls.filter((call) => !taken.has(call.callId));
      const call = this.callNear(free, arrival) ?? this.callWithoutAta(free, arrival, ended);
      if (call) matched.set(arrival, call);
    }
    return matched;
  }

  /** The call whose identity the event gave. */
  private callBorn(event: 'ata' | 'atd', { at, row }: VesselEvent): PortCall | undefined {
    if (this.calls.length === 0) return undefined;
    const callId = callIdOf(this.view.poll.port, row.vesselId, { event, at });
    return this.calls.find((call) => call.callId === callId);
  }

  /** The call whose ATA the arrival states otherwise. A new ATA after a departure is a new call. */
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

  /** The call, so far known by its departure alone, that the arrival begins: the one that ends next. */
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

  /** Whether the vessel had left on that call by `at`; one that this very poll may have missed has not. */
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

  /** The call that ended at `at`: `same`, else that of the arrival before it, else the newest that has no other end. */
  private callDeparting(
    at: Instant,
    same: string | undefined,
    visit: string | undefined,
    ended: ReadonlyMap<VesselEvent, string>,
  ): PortCall | undefined {
    if (same !== undefined) return this.calls.find((call) => call.callId === same);
    const stated = new Set(this.departures.map((one) => one.at));
    const taken = new Set(ended.values());
    const isFree = (call: PortCall, lateMs: number): boolean => {
      const isStated = call.atdAt !== undefined && !call.atdInferred && stated.has(call.atdAt);
      return !isStated && !taken.has(call.callId) && mayEndAt(call, at, lateMs);
    };
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
    return Math.min(...[...known, ...stated].filter((ataAt) => ataAt > at));
  }

  private put(next: PortCall): void {
    const index = this.calls.findIndex((call) => call.callId === next.callId);
    if (index < 0) this.calls.push(next);
    else this.calls[index] = next;
    this.sort();
  }

  private sort(): void {
    this.calls.sort((a, b) => a.ataAt - b.ataAt || (a.callId < b.callId ? -1 : 1));
  }
}

/** Whether a departure stated for `at` can be that of `call`: it has none yet, or one that this may correct. */
function mayEndAt(call: PortCall, at: Instant, lateMs: number): boolean {
  if (call.atdAt === undefined) return true;
  return Math.abs(at - call.atdAt) <= (call.atdInferred ? lateMs : CORRECTION_MS);
}

/** `call` with the ATA as now stated, where the list may correct it; its first leg begins there. */
function corrected(call: PortCall, { at, listed }: Arrival): PortCall {
  if (!call.ataInferred && (!listed || call.ataAt === at)) return call;
  if (!call.ataInferred && call.atdAt !== undefined && !call.atdInferred && at >= call.atdAt) return call;
  const { ataInferred: _, ...stated } = call;
  const legs = legsFrom(call.legs, at);
  const [first, ...others] = legs;
  const isWayOut = first === undefined || (call.atdAt !== undefined && first.startAt >= call.atdAt);
  return { ...stated, ataAt: at, legs: isWayOut ? legs : [{ ...first, startAt: at }, ...others] };
}

/** Reads the poll's events of `vesselId` into its calls; reading them again changes nothing. */
export function readVisits(
  held: readonly PortCall[],
  vesselId: string,
  row: VesselInPort | undefined,
  view: PollView,
): Visits {
  const timeline = timelineOf(view.arrived.get(vesselId) ?? [], view.departed.get(vesselId) ?? [], row);
  return new VisitReader(held, timeline, view).read();
}
