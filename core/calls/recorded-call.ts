/** A port call from one record with event times: its stops in order, their legs, ATA and ATD. */
import { earliestStated, type Instant } from '../reference/time.ts';
import type { CallBatch, CallRecord, RecordedStop } from './observation.ts';
import type { Leg, PortCall } from './port-call.ts';

interface TimedStop extends RecordedStop {
  readonly at: Instant;
}

const ZONE_ORDER = { anchorage: 0, moving: 1, berth: 2 } as const;

export function orderedStops(stops: readonly RecordedStop[]): TimedStop[] {
  return stops
    .flatMap((stop) => {
      const at = stop.ataAt ?? stop.atdAt;
      return at === undefined ? [] : [{ ...stop, at }];
    })
    .sort(
      (a, b) =>
        a.at - b.at ||
        ZONE_ORDER[a.zone] - ZONE_ORDER[b.zone] ||
        (a.atdAt ?? Number.POSITIVE_INFINITY) - (b.atdAt ?? Number.POSITIVE_INFINITY) ||
        (a.place < b.place ? -1 : 1),
    );
}

/**
 * Legs of the stops: each ends at its ATD, the next one's start, or the call's ATD, whichever is first. A stop with an
 * ATD alone begins where the one before it ended, the first at the call's ATA; its start is then inferred.
 */
function toLegs(record: CallRecord, ataAt: Instant | undefined, atdAt: Instant | undefined): Leg[] {
  const legs: Leg[] = [];
  let freeFromAt = ataAt;
  const stops = orderedStops(record.stops);
  for (const [index, stop] of stops.entries()) {
    const { zone, place, ataAt: beganAt, atdAt: leftAt } = stop;
    const startAt = beganAt ?? freeFromAt;
    if (startAt === undefined) continue;
    const nextAt = stops.slice(index + 1).find((stop) => stop.ataAt !== undefined)?.ataAt;
    const ends = [leftAt, nextAt, atdAt].filter((at) => at !== undefined);
    const endAt = ends.length > 0 ? Math.min(...ends) : undefined;
    if (endAt !== undefined && endAt <= startAt) continue;
    legs.push({
      zone,
      place,
      startAt,
      endAt,
      inferred: beganAt === undefined || undefined,
      startUnknown: stop.startUnknown,
      endUnknown: endAt === leftAt ? stop.endUnknown : undefined,
    });
    freeFromAt = endAt;
  }
  return legs;
}

/** A vessel in port that has left its last place is under way. */
function withWayAfter(legs: readonly Leg[]): readonly Leg[] {
  const endAt = legs.at(-1)?.endAt;
  return endAt === undefined ? legs : [...legs, { zone: 'moving', place: '', startAt: endAt }];
}

/**
 * The record's own ATD, else that of the last stop, inferred where unknown, unless the vessel left an anchorage for a
 * planned stop.
 */
function departureTime(record: CallRecord): Pick<PortCall, 'atdAt' | 'atdInferred'> {
  if (record.atdAt !== undefined) return { atdAt: record.atdAt };
  const stops = orderedStops(record.stops);
  const last = stops.at(-1);
  const planned = stops.length < record.stops.length;
  if (last?.zone === 'anchorage' && planned) return {};
  return { atdAt: last?.atdAt, atdInferred: last?.endUnknown };
}

/** The call of a record; undefined when it has no event yet. */
export function toPortCall(
  record: CallRecord,
  batch: Pick<CallBatch, 'port' | 'observedAt'>,
): PortCall | undefined {
  const statedAtaAt = earliestStated([record.ataAt, ...record.stops.map((stop) => stop.ataAt)]);
  const ataAt = statedAtaAt ?? earliestStated([record.atdAt, ...record.stops.map((stop) => stop.atdAt)]);
  if (ataAt === undefined) return undefined;
  const { atdAt, atdInferred } = departureTime(record);
  const endAt = atdAt === undefined ? undefined : Math.max(atdAt, ataAt);
  const legs = toLegs(record, statedAtaAt, endAt);
  const isAtaInferred = statedAtaAt === undefined || record.ataInferred === true;
  const firstBerth = legs.find((leg) => leg.zone === 'berth');
  return {
    callId: record.callId,
    port: batch.port,
    vesselId: record.vesselId,
    traffic: record.traffic,
    vesselClass: record.vesselClass,
    ataAt,
    ataInferred: isAtaInferred || undefined,
    atdAt: endAt,
    atdInferred,
    legs: endAt === undefined ? withWayAfter(legs) : legs,
    waitKnown: record.waitKnown !== false && !isAtaInferred && firstBerth?.inferred !== true,
    firstAtaAt: ataAt,
    changedAt: batch.observedAt,
    recordedAt: record.recordedAt,
    listedAt: record.listedAt,
  };
}
