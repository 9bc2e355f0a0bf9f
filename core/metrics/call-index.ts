/** Port calls indexed for the metrics: the vessels in port on a day, and first berths by time. */
import type { VesselClass } from '../calls/observation.ts';
import { LAID_UP_MS, leftAt, type PortCall } from '../calls/port-call.ts';
import type { Instant, Interval } from '../reference/time.ts';
import { DAY_MS, HOUR_MS } from '../reference/time.ts';

/** One call's first berth, and the hours waited at anchor before it (0 when the vessel went straight to the berth). */
export interface Berthing {
  readonly berthedAt: Instant;
  readonly waitHours: number;
  /** Absent where the source does not state it. */
  readonly vesselClass?: VesselClass;
}

/** Start of the first berth leg; undefined while the vessel has not berthed. */
export const firstBerthAt = (call: PortCall): Instant | undefined =>
  call.legs.find((leg) => leg.zone === 'berth')?.startAt;

/** Time at anchor before `untilAt`, in milliseconds. */
export function anchoredMsBefore(call: PortCall, untilAt: Instant): number {
  let ms = 0;
  for (const leg of call.legs) {
    if (leg.zone !== 'anchorage') continue;
    ms += Math.max(0, Math.min(leg.endAt ?? untilAt, untilAt) - leg.startAt);
  }
  return ms;
}

/** The part of a call that counts: until the vessel leaves port waters or is laid up. */
export interface Presence extends Interval {
  readonly call: PortCall;
  readonly cargo: boolean;
  /** Spans at anchor within it, oldest first. */
  readonly anchored: readonly Interval[];
}

/** Built once over the calls of one port. Linear in the calls and in the days that each lasts. */
export class CallIndex {
  readonly #presences: Presence[] = [];
  readonly #byDay = new Map<number, Presence[]>();
  readonly #berthings: Berthing[] = [];

  /** `asOfAt` is the newest observation; calls that begin after it are left out. */
  constructor(
    calls: Iterable<PortCall>,
    readonly asOfAt: Instant,
  ) {
    for (const call of calls) {
      if (call.ataAt > asOfAt) continue;
      this.#addPresence(call, asOfAt);
      this.#addBerthing(call);
    }
    this.#berthings.sort((a, b) => a.berthedAt - b.berthedAt);
  }

  /** Presences on the UTC day that begins at `dayAt`, for any part of it. */
  presentOn(dayAt: Instant): readonly Presence[] {
    return this.#byDay.get(dayAt / DAY_MS) ?? [];
  }

  /** All presences, in the order of the calls given. */
  presences(): readonly Presence[] {
    return this.#presences;
  }

  /** First berths of cargo calls with a known wait in `[fromAt, toAt)`, oldest first. */
  berthingsIn(fromAt: Instant, toAt: Instant): readonly Berthing[] {
    return this.#berthings.slice(this.#firstAtOrAfter(fromAt), this.#firstAtOrAfter(toAt));
  }

  #addPresence(call: PortCall, asOfAt: Instant): void {
    // The instant at which the sixty days are complete still counts, and intervals exclude their end.
    const toAt = Math.min(leftAt(call) ?? Number.POSITIVE_INFINITY, call.ataAt + LAID_UP_MS + 1);
    const anchored: Interval[] = [];
    for (const { zone, startAt, endAt = toAt } of call.legs) {
      if (zone === 'anchorage' && startAt < toAt)
        anchored.push({ fromAt: startAt, toAt: Math.min(endAt, toAt) });
    }
    const presence = { call, cargo: call.traffic === 'cargo', fromAt: call.ataAt, toAt, anchored };
    this.#presences.push(presence);
    const lastDay = Math.floor(Math.min(toAt, asOfAt) / DAY_MS);
    for (let day = Math.floor(call.ataAt / DAY_MS); day <= lastDay; day += 1) {
      const bucket = this.#byDay.get(day);
      if (bucket) bucket.push(presence);
      else this.#byDay.set(day, [presence]);
    }
  }

  #addBerthing(call: PortCall): void {
    if (call.traffic !== 'cargo' || !call.waitKnown) return;
    const berthedAt = firstBerthAt(call);
    if (berthedAt === undefined || berthedAt - call.ataAt > LAID_UP_MS) return;
    this.#berthings.push({
      berthedAt,
      waitHours: anchoredMsBefore(call, berthedAt) / HOUR_MS,
      vesselClass: call.vesselClass,
    });
  }

  #firstAtOrAfter(at: Instant): number {
    let low = 0;
    let high = this.#berthings.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#berthings[middle]?.berthedAt ?? at) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
