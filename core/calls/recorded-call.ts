/** A port call from one record with event times: its stops in order, their legs, ATA and ATD. */
import { earliestOf, type Instant } from '../reference/time.ts';
import type { CallBatch, CallRecord, RecordedStop } from './observation.ts';
import type { Leg, PortCall } from './port-call.ts';

/** A stop with the time by which it is ordered. */
interface TimedStop extends RecordedStop {
  readonly at: Instant;
}

const ZONE_ORDER = { anchorage: 0, moving: 1, berth: 2 } as const;

function inOrder(stops: readonly RecordedStop[]): TimedStop[] {
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
 * Legs of the stops: each ends at its ATD, at the next one's start, or at the call's ATD, whichever is first. A stop
 * with an ATD alone begins where the one before it ended, the first at the call's ATA; its start is then inferred.
 */
function toLegs(record: CallRecord, ataAt: Instant | undefined, atdAt: Instant | undefined): Leg[] {
  const legs: Leg[] = [];
  let freeFromAt = ataAt;
  const stops = inOrder(record.stops);
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

/**
 * The ATD: the record's own, else that of the last stop, unless the vessel left an anchorage for a planned stop. It is
 * inferred where the end of that stop is unknown.
 */
function departureTime(record: CallRecord): Pick<PortCall, 'atdAt' | 'atdInferred'> {
  if (record.atdAt !== undefined) return { atdAt: record.atdAt };
  const stops = inOrder(record.stops);
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
  const arrivals = [record.ataAt, ...record.stops.map((stop) => stop.ataAt)].filter((at) => at !== undefined);
  const departures = [record.atdAt, ...record.stops.map((stop) => stop.atdAt)].filter(
    (at) => at !== undefined,
  );
  const statedAtaAt = arrivals.length > 0 ? earliestOf(arrivals) : undefined;
  const ataAt = statedAtaAt ?? (departures.length > 0 ? earliestOf(departures) : undefined);
  if (ataAt === undefined) return undefined;
  const { atdAt, atdInferred } = departureTime(record);
  const endAt = atdAt === undefined ? undefined : Math.max(atdAt, ataAt);
  const legs = toLegs(record, statedAtaAt, endAt);
  const last = legs.at(-1);
  const between: Leg[] =
    endAt === undefined && last?.endAt !== undefined
      ? [{ zone: 'moving', place: '', startAt: last.endAt }]
      : [];
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
    legs: [...legs, ...between],
    waitKnown: record.waitKnown !== false && !isAtaInferred && firstBerth?.inferred !== true,
    firstAtaAt: ataAt,
    changedAt: batch.observedAt,
    recordedAt: record.recordedAt,
    listedAt: record.listedAt,
  };
}

/** The stops from which a call was made. A leg that ends with the call has no end of its own. */
const toStops = ({ legs, atdAt }: PortCall): RecordedStop[] =>
  legs
    .filter(({ zone, place }) => zone !== 'moving' || place !== '')
    .map(({ zone, place, startAt, endAt, startUnknown, endUnknown }) => ({
      zone,
      place,
      ataAt: startAt,
      atdAt: endAt === atdAt && !endUnknown ? undefined : endAt,
      startUnknown,
      endUnknown,
    }));

/**
 * A partial record completed from the known call: the stops as a whole, ATA and ATD each by itself. The vessel of a
 * record without an arrival is that of the known call.
 */
export function completed(record: CallRecord, known: PortCall | undefined): CallRecord {
  if (!record.partial || known === undefined) return record;
  const statesStops = record.stops.length > 0;
  const ataAt = record.ataAt ?? (statesStops || known.ataInferred ? undefined : known.ataAt);
  const atdAt = record.atdAt ?? (known.atdInferred ? undefined : known.atdAt);
  return {
    ...record,
    ...(record.ataAt === undefined && !statesStops
      ? {
          vesselId: known.vesselId,
          traffic: known.traffic,
          vesselClass: known.vesselClass,
        }
      : {}),
    ...(statesStops
      ? {}
      : { stops: toStops(known), ...(known.waitKnown ? {} : { waitKnown: false as const }) }),
    ataAt,
    atdAt,
  };
}
