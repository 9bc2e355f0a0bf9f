/** Parses an OCEANS-X fetch into a call batch. */
import type { CallBatch, CallRecord, Notice } from '../../calls/observation.ts';
import { DAY_MS } from '../../reference/time.ts';
import { readRequestNote } from '../../upstream/files/notes.ts';
import { readPart } from '../../upstream/files/text.ts';
import { Refusals } from '../../upstream/refusals.ts';
import { type ArchivedFetch, type ListCount, type ParsedFetch, RefusedReply } from '../../upstream/source.ts';
import { findVisits, readTonnage, timed, toRecord } from './calls.ts';
import { readPlaceZone } from './places.ts';
import {
  type DayList,
  type Entry,
  readDayFileName,
  readDayRows,
  readEntries,
  readMovements,
  readMovementsFileName,
  readVesselRows,
  VESSELS_FILE,
} from './replies.ts';

const PORT = 'SGSIN';

/** One notice for each place name that `places.ts` lacks. */
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
  const batch: CallBatch = {
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
  return { asOfAt: fetchedAt, reports: [batch], refusals, lists, notices: unknownPlaces(batch.records) };
}
