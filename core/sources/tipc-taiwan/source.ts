/** TIPC's vessel lists as a source: calls of Taiwan's commercial ports, with anchoring and berthing times. */
import {
  DAY_MS,
  type Day,
  dayOf,
  dividedSpan,
  HOUR_MS,
  type Instant,
  type Interval,
  MINUTE_MS,
  startOfDay,
  wholeSecond,
} from '../../reference/time.ts';
import { REQUEST_FILE, writeRequestNote } from '../../upstream/files/notes.ts';
import { getBody, type HttpClient, UpstreamFailure, WholeFailure } from '../../upstream/http-client.ts';
import type { FetchContext, FetchedFiles, PastFetches, Source } from '../../upstream/source.ts';
import { TAIPEI_MINUTES, TIPC_PORTS, type TipcPort, tipcTaiwanDeclaration } from './declaration.ts';
import { type Direction, listFile, parseTaiwan } from './parse.ts';

// Fetches the inbound and outbound list of each port from TIPC, by window of the forecast entry or departure.

const REPORTS = 'https://tpnet.twport.com.tw/IFAWeb/Reports';
const PAGES: Readonly<Record<Direction, string>> = { in: 'InPortShipList', out: 'OutPortShipList' };

/** All but one vessel in a thousand berth within this time of their forecast. */
const BACK_MS = 10 * DAY_MS;
/** Forecasts reach about this far. */
const AHEAD_MS = 7 * DAY_MS;
/** The first pass, and one pass a day, read as far back as a vessel may stay in port without being laid up. */
const FAR_BACK_MS = 60 * DAY_MS;
/** TIPC returns a month in one reply; longer spans are untested. */
const MAX_WINDOW_MS = 31 * DAY_MS;

const TAIPEI_OFFSET_MS = TAIPEI_MINUTES * MINUTE_MS;

/** Characters of a port's cause in the note of a fetch. */
const MAX_CAUSE = 200;

/** Start of the day in Taipei. */
const startOfTaipeiDay = (at: Instant): Instant =>
  startOfDay(dayOf(at + TAIPEI_OFFSET_MS)) - TAIPEI_OFFSET_MS;

/** `yyyy/MM/dd HH:mm` in Taipei. */
const formTime = (at: Instant): string =>
  new Date(at + TAIPEI_OFFSET_MS).toISOString().slice(0, 16).replaceAll('-', '/').replace('T', ' ');

function question(direction: Direction, port: TipcPort, { fromAt, toAt }: Interval): string {
  const parameters = {
    selectPort: port,
    orderBy: 'expectDt',
    orderAsc: 'ASC',
    spExpectDtFrom: formTime(fromAt),
    // The end is included. At 00:00 the form drops the whole last day, so every window ends at 23:59.
    spExpectDtTo: formTime(toAt - 60_000),
    special01: 'False',
    special02: 'False',
  };
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${REPORTS}/${PAGES[direction]}/DownloadXMLReport?${query.join('&')}`;
}

/** The failure of all ports: reason and pause of the first, and each cause once. */
function failure(failures: ReadonlyMap<TipcPort, UpstreamFailure>): UpstreamFailure {
  const causes = new Map<string, TipcPort[]>();
  for (const [port, { message }] of failures) causes.set(message, [...(causes.get(message) ?? []), port]);
  const lines = [...causes].map(([cause, ports]) => `${ports.join(', ')}: ${cause}`);
  const [first] = failures.values();
  const detail = causes.size === 1 ? `all ports: ${first?.message}` : lines.join('; ');
  return new UpstreamFailure(first?.reason ?? 'refused', detail, first?.retryAfterSeconds);
}

/**
 * The lists of every port over `[fromAt, toAt)`, with a note of the span. A port without complete replies has no file and
 * is named in the note with the cause; the others continue. Throws `UpstreamFailure` when no port has complete replies.
 */
async function fetchLists(http: HttpClient, fromAt: Instant, toAt: Instant): Promise<FetchedFiles> {
  const windows = dividedSpan({ fromAt, toAt }, MAX_WINDOW_MS);
  const files = new Map<string, Uint8Array>();
  const failures = new Map<TipcPort, UpstreamFailure>();
  for (const port of Object.keys(TIPC_PORTS) as TipcPort[]) {
    const lists = new Map<string, Uint8Array>();
    try {
      for (const [index, window] of windows.entries())
        for (const direction of ['in', 'out'] as const) {
          const body = await getBody(http, question(direction, port, window), PAGES[direction]);
          lists.set(listFile(direction, port, index), body);
        }
      for (const [name, body] of lists) files.set(name, body);
    } catch (error) {
      if (!(error instanceof UpstreamFailure) || error instanceof WholeFailure) throw error;
      failures.set(port, error);
    }
  }
  if (files.size === 0) throw failure(failures);
  const unanswered = [...failures].map(([port, { message }]) => `${port}: ${message}`.slice(0, MAX_CAUSE));
  files.set(REQUEST_FILE, writeRequestNote({ fromAt, toAt }, unanswered));
  return files;
}

/** The files of one pass: two requests for each port, or six on the first pass of a UTC day. */
export function fetchTaiwan({ http, now, lastFetchAt }: FetchContext): Promise<FetchedFiles> {
  const nowAt = wholeSecond(now());
  const readFarBack = lastFetchAt === undefined || dayOf(lastFetchAt) !== dayOf(nowAt);
  const fromAt = startOfTaipeiDay(nowAt - (readFarBack ? FAR_BACK_MS : BACK_MS));
  return fetchLists(http, fromAt, startOfTaipeiDay(nowAt + AHEAD_MS) + DAY_MS);
}

/** On the first day of a month: the previous month and the ten days before it, for vessels that arrived late. */
export async function fetchPastDay(http: HttpClient, past: PastFetches, day: Day): Promise<void> {
  const fetchedAt = startOfDay(day);
  if (!day.endsWith('-01') || (await past.has(fetchedAt))) return;
  const toAt = startOfTaipeiDay(fetchedAt);
  const monthBeganAt = startOfTaipeiDay(startOfDay(`${dayOf(fetchedAt - HOUR_MS).slice(0, 7)}-01`));
  await past.write({ fetchedAt, files: await fetchLists(http, monthBeganAt - BACK_MS, toAt) });
}

export const source: Source = {
  declaration: tipcTaiwanDeclaration,
  fetch: fetchTaiwan,
  parse: parseTaiwan,
  history: { hosts: tipcTaiwanDeclaration.hosts, fetchDay: fetchPastDay },
};
