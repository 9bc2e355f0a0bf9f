/** Downloads ANTAQ's yearly tables: this year's and the last, or the years of a back-fill. */
import { type Day, dayOf, startOfDay } from '../../reference/time.ts';
import { type HttpClient, UpstreamFailure } from '../http-client.ts';
import type { FetchContext, FetchedFiles, PastFetches } from '../source.ts';

const FOLDER = 'https://web3.antaq.gov.br/ea/txt';
/** The first year of the tables. */
export const FIRST_YEAR = 2010;

const TABLES = ['Atracacao', 'TemposAtracacao'] as const;

/** One year's files; undefined when one of them is not published (404). */
async function fetchYear(http: HttpClient, year: number): Promise<[string, Uint8Array][] | undefined> {
  const files: [string, Uint8Array][] = [];
  for (const table of TABLES) {
    const name = `${year}${table}.zip`;
    const { status, body } = await http.get(`${FOLDER}/${name}`);
    if (status === 404) return undefined;
    if (status !== 200) throw new UpstreamFailure('refused', `${name}: status ${status}`);
    files.push([name, body]);
  }
  return files;
}

/**
 * The zip files of `years`, by name. A year that is not published yet is left out. Throws `UpstreamFailure` for any
 * other status, and (`empty`) when no year is there.
 */
export async function fetchYears(http: HttpClient, years: readonly number[]): Promise<FetchedFiles> {
  const files = new Map<string, Uint8Array>();
  for (const year of years) {
    for (const [name, body] of (await fetchYear(http, year)) ?? []) files.set(name, body);
  }
  if (files.size === 0) throw new UpstreamFailure('empty', `none of ${years.join(', ')}`);
  return files;
}

/** Both years, because a vessel that came in one may leave in the next, and late reports still move the older one. */
export function fetchBerthings({ http, now }: FetchContext): Promise<FetchedFiles> {
  const year = Number(dayOf(now()).slice(0, 4));
  return fetchYears(http, [year - 1, year]);
}

/** By this day the tables of the year before are whole. */
const SETTLED = '-02-01';

/**
 * Back-fill: the fetch that asking on `day` would have been, which is one a year, on 1 February, of the two years
 * before. A vessel that came in one may leave in the next.
 */
export async function fetchPastDay(http: HttpClient, past: PastFetches, day: Day): Promise<void> {
  const year = Number(day.slice(0, 4));
  const fetchedAt = startOfDay(day);
  if (!day.endsWith(SETTLED) || year - 2 < FIRST_YEAR || (await past.has(fetchedAt))) return;
  await past.write({ fetchedAt, files: await fetchYears(http, [year - 2, year - 1]) });
}
