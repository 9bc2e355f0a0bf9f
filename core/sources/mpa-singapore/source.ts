/** OCEANS-X as a source: calls of Singapore with the stays that each vessel's movements state. */
import {
  DAY_MS,
  dayOf,
  daysBetween,
  HOUR_MS,
  type Instant,
  MINUTE_MS,
  wholeSecond,
} from '../../reference/time.ts';
import { WHOLE_NUMBER } from '../../upstream/fields.ts';
import { REQUEST_FILE, writeRequestNote } from '../../upstream/files/notes.ts';
import { type HttpReply, UpstreamFailure } from '../../upstream/http/http-client.ts';
import { Refusals } from '../../upstream/refusals.ts';
import { type FetchContext, type FetchedFiles, RefusedReply, type Source } from '../../upstream/source.ts';
import { findVisits, timed } from './calls.ts';
import { mpaSingaporeDeclaration, SINGAPORE_MINUTES } from './declaration.ts';
import { parseSingapore } from './parse.ts';
import { type DayList, type DayRow, dayFile, movementsFile, readDayFile, VESSELS_FILE } from './replies.ts';

// Fetches arrivals, departures and declarations by day from OCEANS-X, and the movements of vessels by rotation.

const SINGAPORE_OFFSET_MS = SINGAPORE_MINUTES * MINUTE_MS;

const API = 'https://oceans-x.mpa.gov.sg/api/v1';

const DAY_PATHS: Readonly<Record<DayList, (day: string) => string>> = {
  arrivals: (day) => `vessel/arrivals/1.0.0/date/${day}`,
  departures: (day) => `vessel/departure/1.0.0/date/${day}`,
  declarations: (day) => `vessel/arrivaldeclaration/1.0.0/bydate?date=${day}`,
};

/** Days of lists that an hourly pass reads; the first of a UTC day, and the first ever, reads a month. */
const BACK_DAYS = 10;
const FAR_BACK_DAYS = 30;
/** The movements of a vessel in port are fetched every this many hours, and right after it arrives or leaves. */
const TURN_HOURS = 6;
const RECENT_MS = 3 * HOUR_MS;
/** A pass fetches the movements of at most this many vessels, the newest arrivals first. */
const MAX_VESSELS = 400;

const EMPTY_LIST = new TextEncoder().encode('[]');

/** A wrong key, or one without a product, ends the pass with a message that says what to do. */
function refused(what: string, { status }: HttpReply): UpstreamFailure {
  if (status === 401) return new UpstreamFailure('key-refused', 'OCEANS-X: 401, check MPA_API_KEY');
  if (status === 403)
    return new UpstreamFailure(
      'not-subscribed',
      `OCEANS-X: 403 for ${what}: subscribe the key to that API product`,
    );
  return new UpstreamFailure('refused', `OCEANS-X: ${what}: status ${status}`);
}

/** Vessels with the same remainder are fetched in the same hour. */
const isTurnOf = (imoNumber: string, nowAt: Instant): boolean =>
  (WHOLE_NUMBER.read(imoNumber) ?? 0) % TURN_HOURS === Math.floor(nowAt / HOUR_MS) % TURN_HOURS;

/** IMO numbers to fetch: vessels that just arrived or left, and those in port whose turn it is. */
function vesselsToAsk(arrivals: readonly DayRow[], departures: readonly DayRow[], nowAt: Instant): string[] {
  const refusals = new Refusals();
  const due = findVisits(
    timed(arrivals, 'arrivedTime', nowAt, refusals),
    timed(departures, 'departedTime', nowAt, refusals),
  ).filter(
    ({ imoNumber, arrivedAt, leftAt }) =>
      imoNumber !== undefined &&
      (Math.max(arrivedAt, leftAt ?? 0) > nowAt - RECENT_MS ||
        (leftAt === undefined && isTurnOf(imoNumber, nowAt))),
  );
  const newestFirst = due.sort((a, b) => b.arrivedAt - a.arrivedAt);
  return [...new Set(newestFirst.map(({ imoNumber }) => imoNumber ?? ''))].slice(0, MAX_VESSELS);
}

function rowsIn(files: ReadonlyMap<string, Uint8Array>, list: DayList): DayRow[] {
  return [...files].flatMap(([file, bytes]) => {
    if (!file.startsWith(`${list}-`)) return [];
    try {
      return readDayFile(file, bytes);
    } catch (error) {
      // The parser refuses the file with its reason; there are no vessels to request here.
      if (error instanceof RefusedReply) return [];
      throw error;
    }
  });
}

/**
 * The files of one pass, with a note of the span and of the vessels without a reply. Throws `UpstreamFailure`:
 * `no-key` without the secret, `key-refused`, `not-subscribed` and `refused` by status of the lists, and `empty` when nothing
 * arrived in Singapore for days, which is an outage. A limit of the rate ends the movements: no further vessel is asked for.
 */
export async function fetchSingapore({
  http,
  now,
  lastFetchAt,
  secret,
}: FetchContext): Promise<FetchedFiles> {
  if (!secret) throw new UpstreamFailure('no-key', `${mpaSingaporeDeclaration.secret} is not configured`);
  const nowAt = wholeSecond(now());
  const readFarBack = lastFetchAt === undefined || dayOf(lastFetchAt) !== dayOf(nowAt);
  const today = Math.floor((nowAt + SINGAPORE_OFFSET_MS) / DAY_MS) * DAY_MS;
  const fromAt = today - (readFarBack ? FAR_BACK_DAYS : BACK_DAYS) * DAY_MS;
  /** Asks for a path of the API; an empty list for 204, which means none. */
  const ask = async (path: string): Promise<Uint8Array> => {
    const reply = await http.get(`${API}/${path}`, { apikey: secret });
    if (reply.status === 204) return EMPTY_LIST;
    if (reply.status !== 200) throw refused(path.split('/').slice(0, 2).join('/'), reply);
    return reply.body;
  };
  const files = new Map<string, Uint8Array>();
  for (const list of ['arrivals', 'departures', 'declarations'] as const)
    for (const day of daysBetween(dayOf(fromAt), dayOf(today)))
      files.set(dayFile(list, day), await ask(DAY_PATHS[list](day)));
  const arrivals = rowsIn(files, 'arrivals');
  if (arrivals.length === 0) throw new UpstreamFailure('empty', 'OCEANS-X: no arrival in any list');
  files.set(VESSELS_FILE, await ask('vessel/positions/1.0.0/snapshot'));
  const unanswered: string[] = [];
  const vessels = vesselsToAsk(arrivals, rowsIn(files, 'departures'), nowAt);
  for (const [at, imoNumber] of vessels.entries()) {
    try {
      files.set(movementsFile(imoNumber), await ask(`vessel/movements/1.0.0/imonumber/${imoNumber}`));
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      if (error.reason === 'rate-limited') {
        unanswered.push(...vessels.slice(at));
        break;
      }
      if (error.reason !== 'refused') throw error;
      unanswered.push(imoNumber);
    }
  }
  const span = { fromAt: fromAt - SINGAPORE_OFFSET_MS, toAt: nowAt };
  return files.set(REQUEST_FILE, writeRequestNote(span, unanswered));
}

export const source: Source = {
  declaration: mpaSingaporeDeclaration,
  fetch: fetchSingapore,
  parse: parseSingapore,
};
