/** US Census international trade as a source: monthly import values by HS code. */
import {
  addMonths,
  DAY_MS,
  type Instant,
  type Month,
  monthOf,
  startOfDay,
  wholeSecond,
} from '../../reference/time.ts';
import { parseRetryAfter } from '../../upstream/fetch-client.ts';
import { REQUEST_FILE, readRequestNote, writeRequestNote } from '../../upstream/files/notes.ts';
import { UpstreamFailure, wholeFailure } from '../../upstream/http-client.ts';
import type { FetchContext, FetchedFiles, Source } from '../../upstream/source.ts';
import { usCensusTradeDeclaration } from './declaration.ts';
import { parseTrade } from './parse.ts';

// The requests of one pass to the Census API: a level and a span of months each, small enough for one reply.

type Level = 'HS2' | 'HS4' | 'HS6';

interface TradeSlice {
  readonly level: Level;
  readonly fromMonth: Month;
  readonly toMonth: Month;
}

/** 36 months are served; their index needs 15 more before them, and the rest is for late months. */
const MONTHS_READ = 54;
/** A release adds a month and revises the last few; other revisions, as in June, can wait a week. */
const MONTHS_WATCHED = 5;
/** About 100, 1,230 and 5,600 codes a month; the longest reply stays near 20,000 rows. */
const MONTHS_A_QUESTION: Readonly<Record<Level, number>> = { HS2: MONTHS_READ, HS4: 15, HS6: 3 };
const LEVELS: readonly Level[] = ['HS2', 'HS4', 'HS6'];

/** Weeks since the epoch, which began on a Thursday; they begin on Mondays. */
const weekNumber = (at: Instant): number => Math.floor((at / DAY_MS + 3) / 7);

/**
 * All months on the first pass ever and on the first of each week, else those that may be new. Not once a month:
 * releases appear in its first days, and until all months have been read an index mixes two publications.
 */
export function tradeSlices(nowAt: Instant, lastFetchAt: Instant | undefined): TradeSlice[] {
  const last = monthOf(nowAt);
  const whole = lastFetchAt === undefined || weekNumber(lastFetchAt) !== weekNumber(nowAt);
  const first = addMonths(last, 1 - (whole ? MONTHS_READ : MONTHS_WATCHED));
  return LEVELS.flatMap((level) => {
    const slices: TradeSlice[] = [];
    for (let fromMonth = first; fromMonth <= last; ) {
      const slice = sliceFrom(level, fromMonth, last);
      slices.push(slice);
      fromMonth = addMonths(slice.toMonth, 1);
    }
    return slices;
  });
}

function sliceFrom(level: Level, fromMonth: Month, last: Month): TradeSlice {
  const toMonth = addMonths(fromMonth, MONTHS_A_QUESTION[level] - 1);
  return { level, fromMonth, toMonth: toMonth > last ? last : toMonth };
}

/** `imports-hs6-2024-01.json`: the reply to one request. */
const sliceFile = ({ level, fromMonth }: TradeSlice): string =>
  `imports-${level.toLowerCase()}-${fromMonth}.json`;

const SLICE_FILE = /^imports-(hs[246])-(\d{4}-(?:0[1-9]|1[0-2]))\.json$/;

/** The slices that the newest fetch has no reply for, by its note. */
function unansweredSlices(files: FetchedFiles | undefined, nowAt: Instant): TradeSlice[] {
  const note = files && readRequestNote(files);
  return (note?.unanswered ?? []).flatMap((file) => {
    const [, level, fromMonth = ''] = SLICE_FILE.exec(file) ?? [];
    return level === undefined ? [] : [sliceFrom(level.toUpperCase() as Level, fromMonth, monthOf(nowAt))];
  });
}

/** The page of a firewall that lets only some requests of a series through. */
const FIREWALL_PAGE = /^\s*<[\s\S]*<title>\s*request rejected/i;

const API = 'https://api.census.gov/data/timeseries/intltrade/imports/hs';

function question({ level, fromMonth, toMonth }: TradeSlice, key: string): string {
  const parameters = new URLSearchParams({
    get: 'I_COMMODITY,CTY_CODE,GEN_VAL_MO',
    COMM_LVL: level,
    // All countries together: rows by country and by country group overlap and must never be added up.
    CTY_CODE: '-',
    time: `from ${fromMonth} to ${toMonth}`,
    key,
  });
  return `${API}?${parameters}`;
}

/** The start of a body, for the log; the API responds to a bad request with a line of text or a web page. */
const beginning = (body: Uint8Array): string =>
  new TextDecoder().decode(body.slice(0, 120)).replaceAll(/\s+/g, ' ').trim();

/**
 * One file for each request, and a note of those that the firewall rejected, which the next pass sends again. A 204 means that
 * nothing is published for the span, and gives no file; a 204 to every request is an outage. Throws `UpstreamFailure`: `no-key`
 * without the secret, `key-refused` and `maintenance` by the first reply that says so, `refused` for any other status,
 * `rate-limited` when the firewall rejected every request, `empty` when there is nothing at all.
 */
export async function fetchTrade({
  http,
  now,
  lastFetchAt,
  lastFiles,
  secret,
}: FetchContext): Promise<FetchedFiles> {
  if (!secret) throw new UpstreamFailure('no-key', `${usCensusTradeDeclaration.secret} is not configured`);
  const nowAt = wholeSecond(now());
  const due = [...tradeSlices(nowAt, lastFetchAt), ...unansweredSlices(await lastFiles?.(), nowAt)];
  const slices = [...new Map(due.map((slice) => [sliceFile(slice), slice]))];
  const files = new Map<string, Uint8Array>();
  const unanswered: string[] = [];
  for (const [file, slice] of slices) {
    const reply = await http.get(question(slice, secret));
    const { status, body } = reply;
    if (status === 204) continue;
    const failure = wholeFailure(
      'Census API',
      reply,
      usCensusTradeDeclaration.wholeAnswers,
      parseRetryAfter(reply.headers['retry-after'], nowAt),
    );
    if (failure) throw failure;
    if (status !== 200) {
      const detail = `${file}: status ${status} ${beginning(body)}`;
      throw new UpstreamFailure('refused', detail.replaceAll(secret, '…'));
    }
    if (FIREWALL_PAGE.test(beginning(body))) unanswered.push(file);
    else files.set(file, body);
  }
  if (files.size === 0 && unanswered.length > 0)
    throw new UpstreamFailure('rate-limited', 'Census API: its firewall rejects every request');
  if (files.size === 0) throw new UpstreamFailure('empty', 'no reply has data');
  if (unanswered.length === 0) return files;
  const months = slices.map(([, { fromMonth }]) => fromMonth).sort();
  const fromAt = startOfDay(`${months[0]}-01`);
  return files.set(REQUEST_FILE, writeRequestNote({ fromAt, toAt: nowAt }, unanswered));
}

export const source: Source = {
  declaration: usCensusTradeDeclaration,
  fetch: fetchTrade,
  parse: parseTrade,
};
