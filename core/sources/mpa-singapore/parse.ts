/** Parses an OCEANS-X fetch into a call batch. */
import type { CallBatch, CallRecord, Notice } from '../../calls/observation.ts';
import { readRequestNote } from '../../upstream/files/notes.ts';
import { Refusals } from '../../upstream/refusals.ts';
import { type ArchivedFetch, type ParsedFetch, RefusedReply } from '../../upstream/source.ts';
import { findVisits, makeRegister, toRecord } from './calls.ts';
import { readPlaceZone } from './places.ts';
import {
  type DayList,
  type DayRow,
  type MovementRow,
  readDayFileName,
  readDayRows,
  readMovementRows,
  readMovementsFileName,
  readVesselRows,
  VESSELS_FILE,
} from './replies.ts';

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
 * `RefusedReply`: `empty` without a list of arrivals.
 */
export function parseSingapore({ fetchedAt, files }: ArchivedFetch): ParsedFetch {
  const refusals = new Refusals();
  const rows: Record<DayList, DayRow[]> = { arrivals: [], departures: [], declarations: [] };
  const movements = new Map<string, MovementRow[]>();
  let lists = 0;
  for (const [file, bytes] of files) {
    const list = readDayFileName(file);
    if (list !== undefined) {
      if (list === 'arrivals') lists += 1;
      for (const row of readDayRows(file, bytes, refusals)) rows[list].push(row);
    }
    const imoNumber = readMovementsFileName(file);
    if (imoNumber === undefined) continue;
    try {
      movements.set(imoNumber, readMovementRows(file, bytes, refusals));
    } catch (error) {
      if (!(error instanceof RefusedReply)) throw error;
      refusals.push({ reason: error.reason, detail: error.message });
    }
  }
  if (lists === 0) throw new RefusedReply('empty', 'no list of arrivals');
  const note = readRequestNote(files);
  for (const imoNumber of note?.unanswered ?? [])
    refusals.push({ reason: 'no-reply', detail: `movements of ${imoNumber}` });
  const vesselBytes = files.get(VESSELS_FILE);
  const vessels = vesselBytes === undefined ? [] : readVesselRows(VESSELS_FILE, vesselBytes, refusals);
  const register = makeRegister(vessels, rows.declarations, fetchedAt, refusals);
  const visits = findVisits(rows.arrivals, rows.departures, fetchedAt, refusals);
  if (rows.arrivals.length > 0 && visits.length === 0) {
    throw new RefusedReply('nothing-usable', `none of ${rows.arrivals.length} arrivals`);
  }
  const earliestAt = visits.reduce((at, visit) => Math.min(at, visit.arrivedAt), fetchedAt);
  const batch: CallBatch = {
    kind: 'call-batch',
    port: 'SGSIN',
    observedAt: fetchedAt,
    coveredFromAt: Math.min(note?.fromAt ?? earliestAt, fetchedAt),
    records: visits.map((visit) =>
      toRecord(
        visit,
        visit.imoNumber === undefined ? undefined : movements.get(visit.imoNumber),
        register,
        fetchedAt,
        refusals,
      ),
    ),
  };
  return { asOfAt: fetchedAt, reports: [batch], refusals, lists: [], notices: unknownPlaces(batch.records) };
}
