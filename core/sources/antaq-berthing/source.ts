/** ANTAQ's berthing statistics as a source: exact waits of the Brazilian public ports, published months late. */
import { type Day, dayOf, startOfDay } from '../../reference/time.ts';
import { type HttpClient, UpstreamFailure } from '../../upstream/http/http-client.ts';
import type { FetchContext, FetchedFiles, PastFetches, Source } from '../../upstream/source.ts';
import { downloadMembers } from './archive-download.ts';
import { antaqBerthingDeclaration, antaqBerthingDeclaration as declaration } from './declaration.ts';
import { parseBerthings } from './parse.ts';
import { MAX_MEMBER_BYTES } from './tables.ts';

// Downloads ANTAQ's yearly tables: this year's and the last, or the years of a back-fill.

/** One address of the tables: a folder with a zip file for each, or one zip archive of all. */
export interface Address {
  readonly form: 'folder' | 'archive';
  readonly url: string;
}

/** In the order in which they are tried; the README states what is known about each. */
const ADDRESSES: readonly Address[] = [
  { form: 'archive', url: 'https://download.antaq.gov.br/ea/estatistico.zip' },
  { form: 'folder', url: 'https://web3.antaq.gov.br/ea/txt' },
  { form: 'folder', url: 'https://estatistica.antaq.gov.br/ea/txt' },
];

/** The first year of the tables. */
const FIRST_YEAR = 2010;

const TABLES = ['Atracacao', 'TemposAtracacao'] as const;

/** Both tables of each year for which `tableOf` has both, as zip files by name. */
async function wholeYears(
  years: readonly number[],
  tableOf: (table: string) => Promise<Uint8Array | undefined>,
): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const year of years) {
    const ofYear: [string, Uint8Array][] = [];
    for (const kind of TABLES) {
      const table = `${year}${kind}`;
      const bytes = await tableOf(table);
      if (bytes === undefined) break;
      ofYear.push([`${table}.zip`, bytes]);
    }
    if (ofYear.length === TABLES.length) for (const [name, bytes] of ofYear) files.set(name, bytes);
  }
  return files;
}

/** A table that is not published yet is a 404. */
const fromFolder = (http: HttpClient, url: string, years: readonly number[]) =>
  wholeYears(years, async (table) => {
    const { status, body } = await http.get(`${url}/${table}.zip`);
    if (status === 404) return undefined;
    if (status !== 200) throw new UpstreamFailure('refused', `${url}/${table}.zip: status ${status}`);
    return body;
  });

async function fromArchive(http: HttpClient, url: string, years: readonly number[]) {
  const names = new Set(years.flatMap((year) => TABLES.map((kind) => `${year}${kind}.txt`)));
  const members = await downloadMembers(http, url, {
    names,
    maxCompressedBytes: declaration.maxReplyBytes,
    maxBytes: MAX_MEMBER_BYTES,
  });
  return wholeYears(years, async (table) => members.get(`${table}.txt`));
}

/**
 * The zip files of `years`, by name, from the first address that has any of them. A year that lacks a table is left out.
 * Throws `UpstreamFailure` with the reason of the last address and the details of all when none has one.
 */
export async function fetchYears(
  http: HttpClient,
  years: readonly number[],
  addresses: readonly Address[] = ADDRESSES,
): Promise<FetchedFiles> {
  const failures: UpstreamFailure[] = [];
  for (const { form, url } of addresses) {
    try {
      const files = await (form === 'archive' ? fromArchive : fromFolder)(http, url, years);
      if (files.size > 0) return files;
      failures.push(new UpstreamFailure('empty', `${url}: none of ${years.join(', ')}`));
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      failures.push(error);
    }
  }
  const pauses = failures.flatMap(({ retryAfterSeconds: pause }) => (pause === undefined ? [] : [pause]));
  throw new UpstreamFailure(
    failures.at(-1)?.reason ?? 'empty',
    failures.map(({ message }) => message).join('; '),
    pauses.length > 0 ? Math.max(...pauses) : undefined,
  );
}

/** Both years, because a vessel that arrives in one may leave in the next, and late reports still change the older one. */
function fetchBerthings({ http, now }: FetchContext): Promise<FetchedFiles> {
  const year = Number(dayOf(now()).slice(0, 4));
  return fetchYears(http, [year - 1, year]);
}

/** By this day the tables of the previous year are complete. */
const SETTLED = '-02-01';

/**
 * Back-fill: the fetch that a pass on `day` would have made. There is one for each year, on 1 February, of the two previous
 * years, because a vessel that arrives in one may leave in the next.
 */
export async function fetchPastDay(http: HttpClient, past: PastFetches, day: Day): Promise<void> {
  const year = Number(day.slice(0, 4));
  const fetchedAt = startOfDay(day);
  if (!day.endsWith(SETTLED) || year - 2 < FIRST_YEAR || (await past.has(fetchedAt))) return;
  await past.write({ fetchedAt, files: await fetchYears(http, [year - 2, year - 1]) });
}

export const antaqBerthing: Source = {
  declaration: antaqBerthingDeclaration,
  fetch: fetchBerthings,
  parse: parseBerthings,
  history: { hosts: antaqBerthingDeclaration.hosts, fetchDay: fetchPastDay },
};
