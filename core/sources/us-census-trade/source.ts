/** US Census international trade as a source: monthly import values by HS code. */
import { addMonths, DAY_MS, type Instant, type Month, monthOf, wholeSecond } from '../../reference/time.ts';
import { UpstreamFailure } from '../../upstream/http/http-client.ts';
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
      const next = addMonths(fromMonth, MONTHS_A_QUESTION[level]);
      slices.push({ level, fromMonth, toMonth: next > last ? last : addMonths(next, -1) });
      fromMonth = next;
    }
    return slices;
  });
}

/** `imports-hs6-2024-01.json`: the reply to one request. */
const sliceFile = ({ level, fromMonth }: TradeSlice): string =>
  `imports-${level.toLowerCase()}-${fromMonth}.json`;

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
 * One file for each request. A 204 means that nothing is published for the span, and gives no file; a 204 to
 * every request is an outage. Throws `UpstreamFailure`: `no-key` without the secret, `refused` for any other
 * status, `empty` when there is nothing at all.
 */
export async function fetchTrade({ http, now, lastFetchAt, secret }: FetchContext): Promise<FetchedFiles> {
  if (!secret) throw new UpstreamFailure('no-key', `${usCensusTradeDeclaration.secret} is not configured`);
  const files = new Map<string, Uint8Array>();
  for (const slice of tradeSlices(wholeSecond(now()), lastFetchAt)) {
    const { status, body } = await http.get(question(slice, secret));
    if (status === 204) continue;
    if (status !== 200) {
      throw new UpstreamFailure(
        'refused',
        `${sliceFile(slice)}: status ${status} ${beginning(body)}`.replaceAll(secret, '…'),
      );
    }
    files.set(sliceFile(slice), body);
  }
  if (files.size === 0) throw new UpstreamFailure('empty', 'no reply has data');
  return files;
}

export const source: Source = {
  declaration: usCensusTradeDeclaration,
  fetch: fetchTrade,
  parse: parseTrade,
};
