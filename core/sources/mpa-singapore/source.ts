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
import { parseRetryAfter } from '../../upstream/fetch-client.ts';
import { WHOLE_NUMBER } from '../../upstream/fields.ts';
import { REQUEST_FILE, writeRequestNote } from '../../upstream/files/notes.ts';
import { UpstreamFailure, wholeFailure } from '../../upstream/http-client.ts';
import {
  type FetchContext,
  type FetchedFiles,
  Refusals,
  RefusedReply,
  type Source,
} from '../../upstream/source.ts';
import { mpaSingaporeDeclaration, SINGAPORE_MINUTES } from './declaration.ts';
import {
  type DayList,
  type DayRow,
  dayFile,
  findVisits,
  movementsFile,
  parseSingapore,
  readDayFile,
  readEntries,
  timed,
  VESSELS_FILE,
} from './parse.ts';

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

/** Vessels with the same remainder are fetched in the same hour. */
const isTurnOf = (imoNumber: string, nowAt: Instant): boolean =>
  (WHOLE_NUMBER.read(imoNumber) ?? 0) % TURN_HOURS === Math.floor(nowAt / HOUR_MS) % TURN_HOURS;

/** IMO numbers to fetch: vessels that just arrived or left, and those in port whose turn it is. */
function vesselsToAsk(arrivals: readonly DayRow[], departures: readonly DayRow[], nowAt: Instant): string[] {
  const refusals = new Refusals();
  const untilNow = [Number.NEGATIVE_INFINITY, nowAt] as const;
  const due = findVisits(
    timed(arrivals, 'arrivedTime', untilNow, refusals),
    timed(departures, 'departedTime', untilNow, refusals),
  ).filter(
    ({ imoNumber, arrivedAt, leftAt }) =>
      imoNumber !== undefined &&
      (Math.max(arrivedAt, leftAt ?? 0) > nowAt - RECENT_MS ||
        (leftAt === undefined && isTurnOf(imoNumber, nowAt))),
  );
  const newestFirst = due.sort((a, b) => b.arrivedAt - a.arrivedAt);
  return [...new Set(newestFirst.map(({ imoNumber }) => imoNumber ?? ''))].slice(0, MAX_VESSELS);
}

const rowsIn = (files: ReadonlyMap<string, Uint8Array>, list: DayList): DayRow[] =>
  [...files].flatMap(([file, bytes]) => (file.startsWith(`${list}-`) ? readDayFile(file, bytes) : []));

/** Whether a list can be read at all. */
function isReadable(file: string, body: Uint8Array): boolean {
  try {
    readEntries(file, body);
    return true;
  } catch (error) {
    if (error instanceof RefusedReply) return false;
    throw error;
  }
}

/**
 * The files of one pass, with a note of the span and of the vessels without a reply. Throws `UpstreamFailure`:
 * `no-key` without the secret, `key-refused`, `not-subscribed`, `maintenance` and `refused` by the first list that says so, and
 * `empty` when nothing arrived in Singapore for days, which is an outage. A list that cannot be read is the last one. A limit of the rate ends the movements: no further vessel is asked for.
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
    const what = `OCEANS-X: ${path.split('/').slice(0, 2).join('/')}`;
    const failure = wholeFailure(
      what,
      reply,
      mpaSingaporeDeclaration.wholeAnswers,
      parseRetryAfter(reply.headers['retry-after'], nowAt),
    );
    if (failure) throw failure;
    if (reply.status !== 200) throw new UpstreamFailure('refused', `${what}: status ${reply.status}`);
    return reply.body;
  };
  const files = new Map<string, Uint8Array>();
  for (const list of ['arrivals', 'departures', 'declarations'] as const)
    for (const day of daysBetween(dayOf(fromAt), dayOf(today))) {
      const file = dayFile(list, day);
      const body = await ask(DAY_PATHS[list](day));
      files.set(file, body);
      // The parser refuses the whole fetch for it, with the reason: no other list is needed.
      if (!isReadable(file, body)) return files;
    }
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
