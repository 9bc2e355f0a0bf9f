/** Fetches day files: the next one, a corrected one, or that of a past day. */
import { addDays, type Day, dayOf, endOfDay, formatInstant } from '../reference/time.ts';
import { DAY_FILE, readDayNote, writeDayNote } from '../upstream/files/notes.ts';
import { replyText } from '../upstream/files/text.ts';
import { type HttpClient, type HttpReply, UpstreamFailure } from '../upstream/http/http-client.ts';
import {
  type FetchContext,
  type FetchedFiles,
  type PastFetches,
  RefusedReply,
  type Source,
} from '../upstream/source.ts';
import { DayCut, type DayFile, type DayFormat } from './day-cut.ts';

export interface ListedDay extends DayFile {
  readonly address: string;
}

export interface DayPublisher {
  readonly format: DayFormat;
  /** The files of a calendar year, in any order; none when the year is not listed. Throws `UpstreamFailure`. */
  list(http: HttpClient, year: number): Promise<readonly ListedDay[]>;
}

/** The content of a listing's reply. Throws `UpstreamFailure` for a status but 200, and for a listing that cannot be read. */
export function listingIn<T>(
  what: string,
  { status, body }: HttpReply,
  maxBytes: number,
  read: (text: string) => T,
): T {
  if (status !== OK) throw new UpstreamFailure('refused', `the listing of ${what}: status ${status}`);
  try {
    return read(replyText('the listing', body, maxBytes));
  } catch (error) {
    if (!(error instanceof RefusedReply)) throw error;
    throw new UpstreamFailure(error.reason, error.message);
  }
}

/** Files whose version is remembered: a publisher corrects the last year at most. */
const REMEMBERED_DAYS = 400;
const OK = 200;

type Taken = Readonly<Record<Day, string>>;

const readYear = (day: Day): number => Number(day.slice(0, 4));

const remembered = (taken: Taken): Record<Day, string> =>
  Object.fromEntries(
    Object.entries(taken)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(-REMEMBERED_DAYS),
  );

function takenIn(files: FetchedFiles | undefined): Taken {
  try {
    return (files && readDayNote(files)?.taken) ?? {};
  } catch (error) {
    if (error instanceof RefusedReply) return {};
    throw error;
  }
}

/**
 * The cut of a file; of an unusable one a note that says why, so that later days do not wait. Throws `UpstreamFailure`.
 */
async function fetchFile(
  http: HttpClient,
  format: DayFormat,
  { address, ...file }: ListedDay,
  more: { readonly taken: Taken; readonly upTo?: string },
): Promise<FetchedFiles> {
  let files: FetchedFiles | undefined;
  const { status } = await http.get(address, { 'accept-encoding': 'identity' }, async (chunks, head) => {
    if (head.status !== OK) return;
    const cut = new DayCut(file, format);
    try {
      for await (const chunk of chunks) cut.push(chunk);
      files = cut.end(more);
    } catch (error) {
      if (!(error instanceof RefusedReply)) throw error;
      const { reason, message } = error;
      const refused = { refused: { reason, detail: message }, refusals: [], heard: {} };
      const taken = { ...more.taken, [file.day]: file.version };
      files = new Map([[DAY_FILE, writeDayNote({ ...file, ...more, ...refused, taken })]]);
    }
  });
  if (files === undefined) throw new UpstreamFailure('refused', `${file.file}: status ${status}`);
  return files;
}

/**
 * The first new day; else the oldest one with another version than was taken; else a note that there is nothing new.
 * The very first fetch takes the newest day.
 */
async function fetchNextDay(
  { format, list }: DayPublisher,
  { http, now, lastFetchAt: observedUpToAt, lastFiles }: FetchContext,
): Promise<FetchedFiles> {
  const taken = remembered(takenIn(await lastFiles?.()));
  const thisYear = readYear(dayOf(now()));
  const byDay = (files: readonly ListedDay[]): ListedDay[] =>
    [...files].sort((a, b) => (a.day < b.day ? -1 : 1));
  if (observedUpToAt === undefined) {
    const newest = byDay(await list(http, thisYear)).at(-1) ?? byDay(await list(http, thisYear - 1)).at(-1);
    if (newest === undefined) throw new UpstreamFailure('empty', 'no day file is listed');
    return fetchFile(http, format, newest, { taken });
  }
  const next = dayOf(observedUpToAt);
  const upTo = formatInstant(observedUpToAt);
  const isNew = ({ day, version }: ListedDay): boolean => day >= next && taken[day] !== version;
  const listed = byDay(await list(http, readYear(next)));
  let found = listed.find(isNew);
  if (found === undefined && readYear(next) < thisYear)
    found = byDay(await list(http, readYear(next) + 1)).find(isNew);
  if (found !== undefined) return fetchFile(http, format, found, { taken, upTo });
  const older = byDay([...(await list(http, readYear(next) - 1)), ...listed]);
  const corrected = older.find(({ day, version }) => taken[day] !== undefined && taken[day] !== version);
  if (corrected !== undefined) return fetchFile(http, format, corrected, { taken, upTo });
  return new Map([[DAY_FILE, writeDayNote({ refusals: [], heard: {}, upTo, taken })]]);
}

/** Listings of the years of one back-fill, which fetches day after day. */
const listings = new WeakMap<HttpClient, Map<number, readonly ListedDay[]>>();

async function listedOnce(
  { list }: DayPublisher,
  http: HttpClient,
  year: number,
): Promise<readonly ListedDay[]> {
  const known = listings.get(http) ?? new Map<number, readonly ListedDay[]>();
  listings.set(http, known);
  const files = known.get(year) ?? (await list(http, year));
  known.set(year, files);
  return files;
}

/** Back-fill: the file of one day, as if fetched at its end. A day that is not listed is skipped. */
async function fetchPastDay(
  publisher: DayPublisher,
  http: HttpClient,
  past: PastFetches,
  day: Day,
): Promise<void> {
  const fetchedAt = endOfDay(day);
  if (await past.has(fetchedAt)) return;
  const listed = (await listedOnce(publisher, http, readYear(day))).find((file) => file.day === day);
  if (listed === undefined) return;
  const taken = remembered(takenIn(await past.read?.(endOfDay(addDays(day, -1)))));
  await past.write({ fetchedAt, files: await fetchFile(http, publisher.format, listed, { taken }) });
}

/** The members of a source that fetch day files: `fetch`, and `history` over the given hosts. */
export const dayFetcher = (
  publisher: DayPublisher,
  hosts: readonly string[],
): Pick<Source, 'fetch' | 'history'> => ({
  fetch: (context) => fetchNextDay(publisher, context),
  history: { hosts, fetchDay: (http, past, day) => fetchPastDay(publisher, http, past, day) },
});
