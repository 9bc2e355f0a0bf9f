/** Singapore port calls: arrivals joined with departures, and the stays that a vessel's movements state. */
import type { CallRecord, RecordedStop, Traffic } from '../../calls/observation.ts';
import { HOUR_MS, type Instant } from '../../reference/time.ts';
import { DECIMAL, timeFault } from '../../upstream/fields.ts';
import type { Refusals } from '../../upstream/refusals.ts';
import { readPlaceZone } from './places.ts';
import { type DayRow, isImoForm, type MovementRow, readImoNumber, singaporeTime } from './replies.ts';

/** The arrival and movement lists may state the same arrival this far apart. */
const SAME_ARRIVAL_MS = 12 * HOUR_MS;
/** Vessels below this tonnage are harbour vessels. */
const MIN_CARGO_TONNAGE = 500;

interface Visit {
  readonly callId: string;
  readonly vesselId: string;
  readonly imoNumber: string | undefined;
  readonly arrivedAt: Instant;
  readonly leftAt?: Instant;
}

interface TimedRow {
  readonly vesselId: string;
  readonly imo: string | undefined;
  readonly at: Instant;
  readonly purpose: string;
}

/** Rows with a vessel and a time in `[fromAt, latestAt]`; the others are refused. */
export function timed(
  rows: readonly DayRow[],
  time: 'arrivedTime' | 'departedTime' | 'reportedArrivalTime',
  [fromAt, latestAt]: readonly [Instant, Instant],
  refusals: Refusals,
): TimedRow[] {
  return rows.flatMap((row) => {
    const { imoNumber, callSign } = row.vesselParticulars;
    const imo = readImoNumber(imoNumber);
    const sign = callSign?.trim().toUpperCase();
    const vesselId = imo !== undefined ? `imo:${imo}` : sign && `call-sign:${sign}`;
    const at = singaporeTime(row[time]);
    const refuse = (reason: string, who: unknown): [] => {
      refusals.push({ reason, detail: `${time} ${row[time] ?? ''} of ${who}`.slice(0, 160) });
      return [];
    };
    if (!isImoForm(imoNumber)) return refuse('malformed', imoNumber);
    if (!vesselId) return refuse('no-vessel', 'no vessel');
    const fault = timeFault(at, latestAt);
    if (at === undefined || fault !== undefined) return refuse(fault ?? 'malformed', vesselId);
    if (at < fromAt) return refuse('outside-span', vesselId);
    return [{ vesselId, imo, at, purpose: row.purpose?.toUpperCase() ?? '' }];
  });
}

/**
 * Visits in order of arrival, each with the first departure of its vessel before the vessel's next arrival. A departure
 * whose arrival is on no list belongs to a call before the window, and is left out.
 */
export function findVisits(arrivals: readonly TimedRow[], departures: readonly TimedRow[]): Visit[] {
  const left = [...departures].sort((a, b) => a.at - b.at);
  const arrived = [...arrivals].sort((a, b) => a.at - b.at);
  const visits = arrived.map(({ vesselId, imo, at }, index): Visit => {
    const nextAt = arrived.slice(index + 1).find((later) => later.vesselId === vesselId && later.at > at)?.at;
    const leftAt = left.find(
      (row) => row.vesselId === vesselId && row.at >= at && row.at <= (nextAt ?? Number.POSITIVE_INFINITY),
    )?.at;
    const callId = `${vesselId}-${new Date(at).toISOString().slice(0, 16)}`;
    return { callId, vesselId, imoNumber: imo, arrivedAt: at, leftAt };
  });
  return [...new Map(visits.map((visit) => [visit.callId, visit])).values()];
}

interface Movement {
  readonly type: string;
  readonly startAt: Instant;
  readonly endAt: Instant;
  readonly from: string;
  readonly to: string;
}

const placeName = (name: string | null | undefined): string => name?.trim().toUpperCase() ?? '';

/** Completed movements, in order. A missing time is that of the other; one that ends before its start takes no time. */
function movementsIn(rows: readonly MovementRow[], asOfAt: Instant): Movement[] {
  return rows
    .flatMap((row): Movement[] => {
      const endAt = singaporeTime(row.movementEndDateTime) ?? singaporeTime(row.movementStartDateTime);
      const startAt = singaporeTime(row.movementStartDateTime) ?? endAt;
      if (startAt === undefined || endAt === undefined || Math.max(startAt, endAt) > asOfAt) return [];
      return [
        {
          type: row.movementType?.trim().toUpperCase() ?? '',
          startAt,
          endAt: Math.max(startAt, endAt),
          from: placeName(row.locationFrom),
          to: placeName(row.locationTo),
        },
      ];
    })
    .sort((a, b) => a.startAt - b.startAt || a.endAt - b.endAt);
}

/**
 * The stays of a visit: each movement ends at its `locationTo`, and the next one begins there. `isWhole` is false when a
 * movement is missing: no arrival near that of the visit, a second arrival, or a start at another place than the last end.
 */
function stays(visit: Visit, movements: readonly Movement[]): { stops: RecordedStop[]; isWhole: boolean } {
  const first = movements.findIndex(
    ({ type, endAt }) => type === 'A' && Math.abs(endAt - visit.arrivedAt) <= SAME_ARRIVAL_MS,
  );
  const after =
    first < 0 ? movements.filter(({ startAt }) => startAt >= visit.arrivedAt) : movements.slice(first);
  const last = after.findIndex(({ type }, index) => type === 'D' || (index > 0 && type === 'A'));
  const own = last < 0 ? after : after.slice(0, last);
  const arrivesAgain = after[last]?.type === 'A';
  /** The movement that ends the stay after the one at `index`. */
  const nextIn = (index: number): Movement | undefined =>
    index + 1 === own.length && arrivesAgain ? undefined : after[index + 1];
  const stops = own.flatMap(({ to, endAt }, index): RecordedStop[] => {
    const untilAt = nextIn(index)?.startAt;
    if (untilAt !== undefined && untilAt < endAt) return [];
    // At an unknown place the vessel is in port, but not known to be at a berth.
    return [{ zone: readPlaceZone(to) ?? 'moving', place: to, ataAt: endAt, atdAt: untilAt }];
  });
  const isJoined = own.every(({ to }, index) => (nextIn(index)?.from ?? to) === to);
  return { stops, isWhole: first >= 0 && isJoined && !arrivesAgain };
}

/** The vessel may have berthed at an unknown place before the first berth that is known. */
function isWaitKnown(stops: readonly RecordedStop[]): boolean {
  const zones = stops.map(({ place }) => readPlaceZone(place));
  const unknown = zones.indexOf(undefined);
  const berth = zones.indexOf('berth');
  return unknown < 0 || (berth >= 0 && berth < unknown);
}

/** Data about vessels, apart from their calls. */
interface Register {
  /** Gross tonnage by IMO number; undefined where it cannot be read. */
  readonly tonnage: ReadonlyMap<string, number | undefined>;
  /** Declared arrivals with their purposes. */
  readonly declared: readonly TimedRow[];
}

export const readTonnage = (
  vessels: readonly Pick<DayRow, 'vesselParticulars'>[],
  refusals: Refusals,
): Register['tonnage'] =>
  new Map(
    vessels.flatMap(({ vesselParticulars: { imoNumber, grossTonnage } }) => {
      const imo = readImoNumber(imoNumber);
      const text = String(grossTonnage ?? '').trim();
      const tons = DECIMAL.read(text);
      if (!isImoForm(imoNumber) || (text !== '' && tons === undefined)) {
        const detail = `grossTonnage ${text.slice(0, 20)} of ${String(imoNumber).slice(0, 20)}`;
        refusals.push({ reason: 'malformed', detail });
      }
      return imo === undefined || text === '' ? [] : [[imo, tons] as const];
    }),
  );

/**
 * Vessels without an IMO number and small ones are harbour craft; a call declared for bunkers and not for cargo waits
 * for a barge. The lists of calls state no type, so a vessel with an IMO number counts as cargo where nothing says otherwise;
 * with a tonnage that cannot be read it is unknown.
 */
function traffic(visit: Visit, { tonnage, declared }: Register): Traffic {
  if (visit.imoNumber === undefined) return 'ferry';
  if (tonnage.has(visit.imoNumber)) {
    const tons = tonnage.get(visit.imoNumber);
    if (tons === undefined) return 'unknown';
    if (tons < MIN_CARGO_TONNAGE) return 'ferry';
  }
  const { purpose = '' } =
    declared.find(
      ({ vesselId, at }) => vesselId === visit.vesselId && Math.abs(at - visit.arrivedAt) <= SAME_ARRIVAL_MS,
    ) ?? {};
  return /BUNKER/.test(purpose) && !/CARGO/.test(purpose) ? 'visitor' : 'cargo';
}

/** The record of a visit. Without movements in this fetch, the stays of an earlier one still count. */
export function toRecord(
  visit: Visit,
  movements: readonly MovementRow[] | undefined,
  register: Register,
  asOfAt: Instant,
  refusals: Refusals,
): CallRecord {
  const { stops, isWhole } =
    movements === undefined ? { stops: [], isWhole: true } : stays(visit, movementsIn(movements, asOfAt));
  if (!isWhole) refusals.push({ reason: 'incomplete-chain', detail: visit.callId });
  return {
    callId: visit.callId,
    vesselId: visit.vesselId,
    traffic: traffic(visit, register),
    recordedAt: asOfAt,
    stops: stops.filter(({ ataAt }) => visit.leftAt === undefined || (ataAt ?? 0) < visit.leftAt),
    ataAt: visit.arrivedAt,
    atdAt: visit.leftAt,
    waitKnown: isWhole && isWaitKnown(stops) ? undefined : false,
    keepsEarlier: 'log',
  };
}
