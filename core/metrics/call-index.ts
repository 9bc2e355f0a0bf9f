/** Port calls indexed for the metrics: the vessels in port on a day, and first berths by time. */
import { anchoredMsBefore, berthingAt, firstBerthAt, isBerthWait } from '../calls/berth-wait.ts';
import { LAID_UP_MS, leftAt, type PortCall } from '../calls/port-call.ts';
import type { VesselClass } from '../reference/figure-names.ts';
import { DAY_MS, HOUR_MS, type Instant, type Interval } from '../reference/time.ts';

/** Hours of one call at anchor, and its class where the source states it. */
export interface Wait {
  readonly waitHours: number;
  readonly vesselClass?: VesselClass;
}

/** A first berth with a known wait, of 0 hours where the vessel went straight to the berth. */
export interface Berthing extends Wait {
  readonly berthedAt: Instant;
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
  readonly #cargoCalls: PortCall[] = [];
  readonly #berthings: Berthing[] = [];
  readonly #longBerthings: Berthing[] = [];
  readonly #firstBerthAts: Instant[] = [];
  readonly #unknownBerthedAts: Instant[] = [];

  /**
   * Calls after `asOfAt`, the newest observation, and calls that count in no figure are left out. What happened before
   * `observedFromAt` is known only in part.
   */
  constructor(
    calls: Iterable<PortCall>,
    readonly asOfAt: Instant,
    readonly observedFromAt: Instant = Number.NEGATIVE_INFINITY,
  ) {
    for (const call of calls) {
      if (call.ataAt > asOfAt || call.traffic === 'ferry') continue;
      this.#addPresence(call, asOfAt);
      this.#addBerthing(call);
      if (call.traffic === 'cargo') this.#cargoCalls.push(call);
    }
    this.#cargoCalls.sort((a, b) => a.ataAt - b.ataAt);
    this.#firstBerthAts.sort((a, b) => a - b);
    for (const berthings of [this.#berthings, this.#longBerthings])
      berthings.sort((a, b) => a.berthedAt - b.berthedAt);
  }

  /** Presences on the UTC day that begins at `dayAt`, for any part of it. */
  presentOn(dayAt: Instant): readonly Presence[] {
    return this.#byDay.get(dayAt / DAY_MS) ?? [];
  }

  presences(): readonly Presence[] {
    return this.#presences;
  }

  /** Cargo calls that arrived in `[fromAt, toAt)`, oldest first. */
  cargoCallsIn(fromAt: Instant, toAt: Instant): readonly PortCall[] {
    return between(this.#cargoCalls, ({ ataAt }) => ataAt, fromAt, toAt);
  }

  /** Times of the first berths of all cargo calls in `[fromAt, toAt)`, whatever is known of the wait, oldest first. */
  firstBerthsIn(fromAt: Instant, toAt: Instant): readonly Instant[] {
    return between(this.#firstBerthAts, (at) => at, fromAt, toAt);
  }

  /** First berths of cargo calls with a known wait for a berth in `[fromAt, toAt)`, oldest first. */
  berthingsIn(fromAt: Instant, toAt: Instant): readonly Berthing[] {
    return between(this.#berthings, timeOfBerthing, fromAt, toAt);
  }

  /** The same for waits too long to be for a berth. */
  longBerthingsIn(fromAt: Instant, toAt: Instant): readonly Berthing[] {
    return between(this.#longBerthings, timeOfBerthing, fromAt, toAt);
  }

  /** Number of first berths in `[fromAt, toAt)` of calls of vessels whose type the source does not state. */
  unknownBerthingsIn(fromAt: Instant, toAt: Instant): number {
    return this.#unknownBerthedAts.filter((at) => fromAt <= at && at < toAt).length;
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
    const berthedAt = firstBerthAt(call);
    if (berthedAt === undefined || berthedAt - call.ataAt > LAID_UP_MS) return;
    if (call.traffic === 'unknown') this.#unknownBerthedAts.push(berthedAt);
    if (call.traffic !== 'cargo') return;
    const at = berthingAt(call);
    if (at !== undefined) this.#firstBerthAts.push(at);
    if (!call.waitKnown) return;
    const waitHours = anchoredMsBefore(call, berthedAt) / HOUR_MS;
    const berthings = isBerthWait(waitHours) ? this.#berthings : this.#longBerthings;
    berthings.push({ berthedAt, waitHours, vesselClass: call.vesselClass });
  }
}

const timeOfBerthing = ({ berthedAt }: Berthing): Instant => berthedAt;

/** The items of `[fromAt, toAt)`, of `items` in ascending order of time. */
function between<Item>(
  items: readonly Item[],
  timeOf: (item: Item) => Instant,
  fromAt: Instant,
  toAt: Instant,
): readonly Item[] {
  const firstFrom = (at: Instant): number => {
    let low = 0;
    let high = items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const item = items[middle];
      if (item !== undefined && timeOf(item) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return items.slice(firstFrom(fromAt), firstFrom(toAt));
}
