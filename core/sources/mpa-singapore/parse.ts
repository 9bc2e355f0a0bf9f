/** Parses an OCEANS-X fetch into a call batch. */

import { z } from 'zod';
import type {
  CallRecord,
  CallsObservation,
  Notice,
  RecordedStop,
  Traffic,
  Zone,
} from '../../calls/observation.ts';
import { DAY_MS, HOUR_MS, type Instant } from '../../reference/time.ts';
import { DECIMAL, IMO_NUMBER, rowFaults, timeFault } from '../../upstream/fields.ts';
import { readRequestNote } from '../../upstream/files/notes.ts';
import { readPart, replyJson } from '../../upstream/files/text.ts';
import {
  type ArchivedFetch,
  type ListCount,
  type ParsedFetch,
  Refusals,
  RefusedReply,
} from '../../upstream/source.ts';
import { mpaSingaporeDeclaration as declaration, SINGAPORE_TIME } from './declaration.ts';

// Use of the locations named by OCEANS-X.

/** In order of precedence: an anchorage off a terminal is an anchorage, a berth of another port none of Singapore. */
const ZONES: readonly { readonly zone: Zone; readonly names: RegExp }[] = [
  // Ports of Indonesia and Malaysia on the strait.
  { zone: 'moving', names: /^(?:BATAM|KARIMUN|TANJONG PELEPAS)\b/ },
  { zone: 'anchorage', names: /\bANCH(?:ORAGES?)?\b/ },
  // Pilot boarding grounds, and the buoy before the East Johor Strait, which the lists use like one.
  {
    zone: 'moving',
    names: /\b(?:PILOT|(?:BOARD|BOARDING|DISEMB|DISEMBARKATION) (?:GRD|GROUND)|SHOAL BUOY)\b/,
  },
  { zone: 'moving', names: /^(?:(?:AT |OPEN )?SEA|HIGH SEAS?)\b|\bFAIRWAY\b/ },
  { zone: 'berth', names: /\b(?:BERTHS?|TERMINALS?|WHARF|WHARVES|DOCKS?|JETTY|JETTIES|P\d+)\b/ },
];

/** Use of the place with that name, in upper case; undefined for an unknown name. */
export const readPlaceZone = (name: string): Zone | undefined =>
  ZONES.find(({ names }) => names.test(name))?.zone;

// OCEANS-X replies: the files of a fetch, and the shape of each row. Only the fields that are read are checked.

/** `arrivals-2026-03-10.json` and so on by day in Singapore, `movements-9301234.json` by IMO number, `vessels.json`. */
export type DayList = 'arrivals' | 'departures' | 'declarations';

export const dayFile = (list: DayList, day: string): string => `${list}-${day}.json`;
export const movementsFile = (imoNumber: string): string => `movements-${imoNumber}.json`;
export const VESSELS_FILE = 'vessels.json';

const DAY_FILE = /^(arrivals|departures|declarations)-\d{4}-\d{2}-\d{2}\.json$/;
const MOVEMENTS_FILE = /^movements-(\d{7})\.json$/;

const readDayFileName = (file: string): DayList | undefined =>
  DAY_FILE.exec(file)?.[1] as DayList | undefined;
const readMovementsFileName = (file: string): string | undefined => MOVEMENTS_FILE.exec(file)?.[1];

/** `2026-03-10 07:45:00` in Singapore, without an offset; undefined for another form or a time that does not exist. */
const singaporeTime = (text: string | null | undefined): Instant | undefined =>
  SINGAPORE_TIME.read((text ?? '').trim().replace('T', ' ').replace(/\.0+$/, ''));

/** The IMO number if valid; leading zeros are padding. */
const readImoNumber = (text: string | number | null | undefined): string | undefined =>
  IMO_NUMBER.read(
    String(text ?? '')
      .trim()
      .replace(/^0+/, ''),
  );

/** Vessels without a number have an empty field or a word like `NIL`; digits mixed with anything else are a malformed number. */
const isImoForm = (text: string | number | null | undefined): boolean =>
  /^\D*$|^\d+$/.test(String(text ?? '').trim());

const text = z.string().nullish();
const numeric = z.union([z.string(), z.number()]).nullish();
const particulars = z.object({ vesselName: text, callSign: text, imoNumber: numeric, grossTonnage: numeric });

/** One vessel at one time: an arrival, a departure or a declared arrival. Field names differ in case between lists. */
const dayRow = z.object({
  vesselParticulars: particulars,
  arrivedTime: text,
  departedTime: text,
  reportedArrivalTime: text,
  locationFrom: text,
  locationTo: text,
  purpose: text,
});
const vesselRow = z.object({ vesselParticulars: particulars });
const time = text.refine(
  (stated) => !stated?.trim() || timeFault(singaporeTime(stated), Number.POSITIVE_INFINITY) === undefined,
);
const movementRow = z.object({
  movementStartDateTime: time,
  movementEndDateTime: time,
  movementType: text,
  locationFrom: text,
  locationTo: text,
});

export type DayRow = z.output<typeof dayRow>;
type MovementRow = z.output<typeof movementRow>;

/** A row as a file has it, before its fields are checked. */
export interface Entry {
  readonly file: string;
  readonly value: unknown;
}

/** Throws `RefusedReply` as `replyJson` does, and with `malformed` for an object, with which OCEANS-X reports an error. */
export function readEntries(file: string, bytes: Uint8Array): Entry[] {
  const content = replyJson(file, bytes, declaration);
  if (!Array.isArray(content)) throw new RefusedReply('malformed', `${file} is not a list`);
  return content.map((value: unknown) => ({ file, value }));
}

const particularsIn = z.object({ vesselParticulars: z.unknown() });

/** Undefined for a refused row. Throws `RefusedReply` (`missing-field`) when no row of the list has a needed field. */
function readRows<Row extends z.ZodType>(
  list: string,
  entries: readonly Entry[],
  shape: Row,
  refusals: Refusals,
): (z.output<Row> | undefined)[] {
  const values = entries.map(({ value }) => value);
  const faults = rowFaults(declaration, list, values);
  const vessels = values.flatMap((value) => particularsIn.safeParse(value).data?.vesselParticulars ?? []);
  rowFaults(declaration, `vesselParticulars of ${list}`, vessels);
  return entries.map(({ file, value }, index) => {
    const parsed = shape.safeParse(value);
    const fault = faults[index] ?? parsed.error?.issues[0]?.path.join('.');
    if (fault === undefined) return parsed.data;
    refusals.push({ reason: 'malformed', detail: `${file} row ${index}: ${fault}` });
    return undefined;
  });
}

/** The rows of a day's list as far as they have the shape, to choose the vessels to ask for. */
export const readDayFile = (file: string, bytes: Uint8Array): DayRow[] =>
  readEntries(file, bytes).flatMap(({ value }) => dayRow.safeParse(value).data ?? []);

const readDayRows = (list: DayList, entries: readonly Entry[], refusals: Refusals): DayRow[] =>
  readRows(list, entries, dayRow, refusals).flatMap((row) => row ?? []);

const readVesselRows = (entries: readonly Entry[], refusals: Refusals) =>
  readRows('vessels', entries, vesselRow, refusals).flatMap((row) => row ?? []);

/** By IMO number, without vessels that have a refused movement: their stays would be wrong without it. */
function readMovements(
  files: ReadonlyMap<string, readonly Entry[]>,
  refusals: Refusals,
): ReadonlyMap<string, MovementRow[]> {
  const rows = readRows('movements', [...files.values()].flat(), movementRow, refusals);
  const movements = new Map<string, MovementRow[]>();
  for (const [imoNumber, { length }] of files) {
    const own = rows.splice(0, length);
    const read = own.flatMap((row) => row ?? []);
    if (read.length === length) movements.set(imoNumber, read);
  }
  return movements;
}

// Singapore port calls: arrivals joined with departures, and the stays that a vessel's movements state.

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

const readTonnage = (
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
function toRecord(
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

const PORT = 'SGSIN';

/** Returns one notice for each place name without a known use. */
function unknownPlaces(records: readonly CallRecord[]): Notice[] {
  const places = records
    .flatMap(({ stops }) => stops.map(({ place }) => place))
    .filter((place) => readPlaceZone(place) === undefined);
  return [...new Set(places)].map((name) => {
    const stays = places.filter((place) => place === name).length;
    const detail = `${JSON.stringify(name.slice(0, 80))} in ${stays} ${stays === 1 ? 'stay' : 'stays'}`;
    return { reason: 'unknown-place', detail };
  });
}

/**
 * One batch of Singapore, as of the fetch. A broken list of arrivals or departures refuses the whole fetch, because the
 * port would look emptier or fuller than it is; broken movements of one vessel do not change its known stays. Throws
 * `RefusedReply`: `empty` without a list of arrivals, `missing-field` when no row of a list has a needed field.
 */
export function parseSingapore({ fetchedAt, files }: ArchivedFetch): ParsedFetch {
  const refusals = new Refusals();
  const entries: Record<DayList, Entry[]> = { arrivals: [], departures: [], declarations: [] };
  const moves = new Map<string, Entry[]>();
  for (const [file, bytes] of files) {
    const list = readDayFileName(file);
    if (list !== undefined) entries[list] = entries[list].concat(readEntries(file, bytes));
    const imoNumber = readMovementsFileName(file);
    const read = imoNumber && readPart(refusals, () => readEntries(file, bytes));
    if (imoNumber && read) moves.set(imoNumber, read);
  }
  if (![...files.keys()].some((file) => readDayFileName(file) === 'arrivals'))
    throw new RefusedReply('empty', 'no list of arrivals');
  const note = readRequestNote(files);
  for (const imoNumber of note?.unanswered ?? [])
    refusals.push({ reason: 'no-reply', detail: `movements of ${imoNumber}` });
  const lists: ListCount[] = [];
  const days = note && { days: (note.toAt - note.fromAt) / DAY_MS };
  /** Reads a list, which refuses each of its rows at most once. */
  const counted = <Rows>(
    list: string,
    rows: number,
    read: () => Rows,
    span: typeof days = undefined,
  ): Rows => {
    const result = refusals.during(read);
    lists.push({ list, port: PORT, rows, refused: result.refused, ...span });
    return result.read;
  };
  const readDays = (list: DayList, time: Parameters<typeof timed>[1], span: Parameters<typeof timed>[2]) => {
    const read = () => timed(readDayRows(list, entries[list], refusals), time, span, refusals);
    return counted(list, entries[list].length, read, days);
  };
  // The lists of the days asked have no earlier row. A day more, because a day of the publisher may begin earlier.
  const fromAt = note === undefined ? Number.NEGATIVE_INFINITY : note.fromAt - DAY_MS;
  const arrivals = readDays('arrivals', 'arrivedTime', [fromAt, fetchedAt]);
  const departures = readDays('departures', 'departedTime', [fromAt, fetchedAt]);
  // A declared arrival may be one of the days before or after.
  const anyTime = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
  const declarations = readDays('declarations', 'reportedArrivalTime', anyTime);
  const declared = declarations.filter(({ at }) => at <= fetchedAt);
  const vesselBytes = files.get(VESSELS_FILE);
  const vessels = vesselBytes === undefined ? [] : readEntries(VESSELS_FILE, vesselBytes);
  const tonnage = counted('vessels', vessels.length, () =>
    readTonnage(readVesselRows(vessels, refusals), refusals),
  );
  const moveRows = [...moves.values()].flat().length;
  const movements = counted('movements', moveRows, () => readMovements(moves, refusals));
  const visits = findVisits(arrivals, departures);
  if (entries.arrivals.length > 0 && visits.length === 0) {
    throw new RefusedReply('nothing-usable', `none of ${entries.arrivals.length} arrivals`);
  }
  const earliestAt = visits.reduce((at, visit) => Math.min(at, visit.arrivedAt), fetchedAt);
  const batch: CallsObservation = {
    kind: 'call-batch',
    port: PORT,
    observedAt: fetchedAt,
    coveredFromAt: Math.min(note?.fromAt ?? earliestAt, fetchedAt),
    ...(note && { window: { fromAt: note.fromAt, toAt: note.toAt } }),
    records: visits.map((visit) => {
      const moved = movements.get(visit.imoNumber ?? '');
      return toRecord(visit, moved, { tonnage, declared }, fetchedAt, refusals);
    }),
  };
  return { asOfAt: fetchedAt, observations: [batch], refusals, lists, notices: unknownPlaces(batch.records) };
}
