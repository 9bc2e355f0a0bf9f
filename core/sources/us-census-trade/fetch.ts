/** Fetches general imports, all countries together, by chapter, heading and subheading from the Census API. */
import { wholeSecond } from '../../reference/time.ts';
import { UpstreamFailure } from '../http/http-client.ts';
import type { FetchContext, FetchedFiles } from '../source.ts';
import { usCensusTradeDeclaration } from './declaration.ts';
import { sliceFile, type TradeSlice, tradeSlices } from './slices.ts';

const API = 'https://api.census.gov/data/timeseries/intltrade/imports/hs';

function question({ level, fromMonth, toMonth }: TradeSlice, key: string): string {
  const parameters = new URLSearchParams({
    get: 'I_COMMODITY,CTY_CODE,GEN_VAL_MO',
    COMM_LVL: level,
    // All countries together: rows by country and by group of countries are mixed, and must never be added up.
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
