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
import { parseRetryAfter } from '../../upstream/fetch-client.ts';
import { REQUEST_FILE, writeRequestNote } from '../../upstream/files/notes.ts';
import { type HttpClient, UpstreamFailure, WholeFailure, wholeFailure } from '../../upstream/http-client.ts';
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
/** A day of 23 passes of about 90 requests for each API and one of 700 stays under 3,000; an account has 10,000 for each. */
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

/** A used-up quota pauses the source until midnight in Korea, unless the reply states a pause. */
function paused({ reason, message, retryAfterSeconds }: WholeFailure, nowAt: Instant): WholeFailure {
  const untilMidnight = reason === 'quota' ? Math.ceil((endOfKoreanDay(nowAt) - nowAt) / 1000) : undefined;
  return new WholeFailure(reason, message, retryAfterSeconds ?? untilMidnight);
}

/** The failure that an error code means for every request; undefined when it affects only its authority. */
function codeFailure({ code }: ReplyError): WholeFailure | undefined {
  const known = CODE_ADVICE[code];
  return known && new WholeFailure(known.reason, `PORT-MIS: result code ${code}: ${known.advice}`);
}

/** Why a query has no complete reply, where the cause concerns one authority; undefined when it ends the pass. */
function causeIn(error: unknown): string | undefined {
  if (error instanceof WholeFailure) return undefined;
  const concernsAuthority =
    error instanceof ReplyError || error instanceof UpstreamFailure || error instanceof RefusedReply;
  return concernsAuthority ? error.message : undefined;
}

interface Pass {
  readonly http: HttpClient;
  readonly key: string;
  readonly nowAt: Instant;
  /** Requests so far. */
  requests: number;
}

/** One page. Throws `WholeFailure` when the reply concerns every request. */
async function fetchPage(query: Query, page: number, { http, key, nowAt }: Pass) {
  const file = pageFile(query.kind, query.authority, query.windowIndex, page);
  const reply = await http.get(address(query, page, key));
  const failure = wholeFailure(
    'PORT-MIS',
    reply,
    declaration.wholeAnswers,
    parseRetryAfter(reply.headers['retry-after'], nowAt),
  );
  if (failure) throw paused(failure, nowAt);
  if (reply.status !== 200) throw new UpstreamFailure('refused', `${file}: status ${reply.status}`);
  try {
    return { file, body: reply.body, ...readPage(file, reply.body) };
  } catch (error) {
    const known = error instanceof ReplyError ? codeFailure(error) : undefined;
    throw known ? paused(known, nowAt) : error;
  }
}

/** Every page of a query, until the stated total is reached; a text that says why it has no complete reply. */
async function fetchQuery(query: Query, pass: Pass): Promise<[string, Uint8Array][] | string> {
  const files: [string, Uint8Array][] = [];
  let rows = 0;
  for (let page = 1; ; page += 1) {
    pass.requests += 1;
    if (pass.requests > MAX_REQUESTS)
      throw new WholeFailure('too-many-pages', `${MAX_REQUESTS} requests in one pass`);
    try {
      const { file, body, items, totalCount } = await fetchPage(query, page, pass);
      if (totalCount === undefined) return `${file}: states no total`;
      files.push([file, body]);
      rows += items.length;
      // The gateway may give fewer rows a page than it was asked for.
      if (rows >= totalCount) return files;
      if (items.length === 0) return `${file}: ${rows} of ${totalCount} rows`;
    } catch (error) {
      const cause = causeIn(error);
      if (cause === undefined) throw error;
      return cause;
    }
  }
}

/**
 * The files of one pass, with a note of the span and of the authorities without a complete reply. Throws
 * `UpstreamFailure`: `no-key` without the secret, `key-refused`, `not-subscribed` and `quota` by the first reply that says so,
 * `refused` when no authority has a complete reply, `too-many-pages` beyond the budget of a pass.
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
  /** Causes by authority. */
  const unanswered = new Map<string, string>();
  const run = async (query: Query): Promise<void> => {
    const pages = await fetchQuery(query, pass);
    if (typeof pages === 'string') unanswered.set(query.authority, pages);
    else for (const [file, body] of pages) files.set(file, body);
  };
  // The first one alone: a refused key or a used-up quota then costs one request.
  const [first, ...others] = queries;
  if (first) await run(first);
  await inTurns(others, CONCURRENCY, run);
  if (unanswered.size === AUTHORITIES.length)
    throw new UpstreamFailure('refused', `no authority has a complete reply; ${[...unanswered.values()][0]}`);
  const note = writeRequestNote({ fromAt, toAt }, [...unanswered.keys()].sort());
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map([...sorted, [REQUEST_FILE, note]]);
}

export const source: Source = {
  declaration,
  fetch: fetchPortMis,
  parse: parsePortMis,
};
