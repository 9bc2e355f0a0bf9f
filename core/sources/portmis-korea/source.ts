/** PORT-MIS as a source: calls of the Korean ports from the log of vessel traffic control. */
import {
  DAY_MS,
  dayOf,
  dividedSpan,
  HOUR_MS,
  type Instant,
  type Interval,
  startOfDay,
  wholeSecond,
} from '../../reference/time.ts';
import { inTurns } from '../../reference/turns.ts';
import { REQUEST_FILE, writeRequestNote } from '../../upstream/files/notes.ts';
import { getBody, type HttpClient, UpstreamFailure } from '../../upstream/http/http-client.ts';
import { type FetchContext, type FetchedFiles, RefusedReply, type Source } from '../../upstream/source.ts';
import { AUTHORITIES, portmisKoreaDeclaration as declaration } from './declaration.ts';
import { parsePortMis } from './parse.ts';
import { CODE_ADVICE, LIST_KINDS, type ListKind, pageFile, ReplyError, readPage } from './replies.ts';

// Fetches the control events, entries and exits of each authority from PORT-MIS, in pages of fifty calls.

const API = 'https://apis.data.go.kr/1192000';

/** `deGb` selects the date to filter by: I entry, O exit. Without it the filter lets other days through. */
const QUESTIONS: Readonly<Record<ListKind, { readonly path: string; readonly deGb: 'I' | 'O' }>> = {
  events: { path: 'CntlVssl2/Info', deGb: 'I' },
  entries: { path: 'VsslEtrynd5/Info5', deGb: 'I' },
  exits: { path: 'VsslEtrynd5/Info5', deGb: 'O' },
};

/** The API silently drops more rows per page than this. */
const ROWS_A_PAGE = 50;
/** Korea Standard Time, without summer time since 1988. */
const KOREA_OFFSET_MS = 9 * HOUR_MS;

/** An hourly pass reads the entries and exits of a week; the first of a UTC day, and the first ever, of 60 days. */
const BACK_DAYS = 7;
const FAR_BACK_DAYS = 60;
/** Spans of 91 days work and a year does not; a month has few pages. */
const DAYS_A_WINDOW = 30;

/** Requests at once; the API allows thirty a second. */
const CONCURRENCY = 4;
/**
 * Most requests of a pass. A day of 23 hourly passes of about 90 requests for each API and one of about 700 stays under
 * 3,000 of the 10,000 requests a day that a development account has for each API.
 */
const MAX_REQUESTS = 4_000;

/** A key may be plain or URL-encoded, as the portal shows it; it is encoded exactly once. */
const encodedKey = (key: string): string => (key.includes('%') ? key : encodeURIComponent(key));

const compactDay = (at: Instant): string => dayOf(at + KOREA_OFFSET_MS).replaceAll('-', '');

/** Midnight in Korea. */
const endOfKoreanDay = (at: Instant): Instant =>
  startOfDay(dayOf(at + KOREA_OFFSET_MS)) + DAY_MS - KOREA_OFFSET_MS;

/** A query, which is fetched page by page. */
interface Query {
  readonly kind: ListKind;
  readonly authority: string;
  readonly window: Interval;
  readonly windowIndex: number;
}

function address({ kind, authority, window }: Query, page: number, key: string): string {
  const { path, deGb } = QUESTIONS[kind];
  const parameters = new URLSearchParams({
    prtAgCd: authority,
    sde: compactDay(window.fromAt),
    // The last day is included.
    ede: compactDay(window.toAt - 1),
    deGb,
    pageNo: String(page),
    numOfRows: String(ROWS_A_PAGE),
  });
  return `${API}/${path}?serviceKey=${encodedKey(key)}&${parameters}`;
}

/** An error code that affects every request ends the pass; any other affects only its authority. */
function readFailure({ code }: ReplyError, nowAt: Instant): UpstreamFailure | undefined {
  const advice = CODE_ADVICE[code];
  if (advice === undefined) return undefined;
  const pause = code === '22' ? Math.ceil((endOfKoreanDay(nowAt) - nowAt) / 1000) : undefined;
  return new UpstreamFailure(
    code === '22' ? 'quota' : 'key-refused',
    `PORT-MIS result code ${code}: ${advice}`,
    pause,
  );
}

/** Whether the cause concerns one authority; any other ends the pass. */
const isOfAuthority = (error: unknown): boolean =>
  error instanceof ReplyError || error instanceof UpstreamFailure || error instanceof RefusedReply;

interface Pass {
  readonly http: HttpClient;
  readonly key: string;
  readonly nowAt: Instant;
  /** Requests so far. */
  requests: number;
}

/** Every page of a query; undefined when one of them fails for a cause that concerns its authority alone. */
async function fetchQuery(query: Query, pass: Pass): Promise<[string, Uint8Array][] | undefined> {
  const files: [string, Uint8Array][] = [];
  let pages = 1;
  for (let page = 1; page <= pages; page += 1) {
    pass.requests += 1;
    if (pass.requests > MAX_REQUESTS)
      throw new UpstreamFailure('too-many-pages', `${MAX_REQUESTS} requests in one pass`);
    const file = pageFile(query.kind, query.authority, query.windowIndex, page);
    try {
      const body = await getBody(pass.http, address(query, page, pass.key), file);
      const { totalCount } = readPage(file, body);
      if (totalCount === undefined) return undefined;
      pages = Math.ceil(totalCount / ROWS_A_PAGE);
      files.push([file, body]);
    } catch (error) {
      const failure = error instanceof ReplyError ? readFailure(error, pass.nowAt) : undefined;
      if (failure !== undefined || !isOfAuthority(error)) throw failure ?? error;
      return undefined;
    }
  }
  return files;
}

/**
 * The files of one pass, with a note of the span and of the authorities without a complete reply. Throws
 * `UpstreamFailure`: `no-key` without the secret, `key-refused` and `quota` by the gateway's code, `refused` when no
 * authority has a complete reply, `too-many-pages` beyond the budget of a pass.
 */
export async function fetchPortMis({ http, now, lastFetchAt, secret }: FetchContext): Promise<FetchedFiles> {
  if (!secret) throw new UpstreamFailure('no-key', `${declaration.secret} is not configured`);
  const nowAt = wholeSecond(now());
  const readFarBack = lastFetchAt === undefined || dayOf(lastFetchAt) !== dayOf(nowAt);
  const toAt = endOfKoreanDay(nowAt);
  const fromAt = toAt - ((readFarBack ? FAR_BACK_DAYS : BACK_DAYS) + 1) * DAY_MS;
  const windows = dividedSpan({ fromAt, toAt }, DAYS_A_WINDOW * DAY_MS);
  const queries = AUTHORITIES.flatMap(({ code }) =>
    LIST_KINDS.flatMap((kind) =>
      windows.map((window, windowIndex): Query => ({ kind, authority: code, window, windowIndex })),
    ),
  );
  const pass: Pass = { http, key: secret, nowAt, requests: 0 };
  const files = new Map<string, Uint8Array>();
  const unanswered = new Set<string>();
  await inTurns(queries, CONCURRENCY, async (query) => {
    const pages = await fetchQuery(query, pass);
    if (pages === undefined) unanswered.add(query.authority);
    for (const [file, body] of pages ?? []) files.set(file, body);
  });
  if (unanswered.size === AUTHORITIES.length)
    throw new UpstreamFailure('refused', 'no authority has a complete reply');
  const note = writeRequestNote({ fromAt, toAt }, [...unanswered].sort());
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map([...sorted, [REQUEST_FILE, note]]);
}

export const source: Source = {
  declaration,
  fetch: fetchPortMis,
  parse: parsePortMis,
};
