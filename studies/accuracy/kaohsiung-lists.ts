/** Kaohsiung's real lists, which TIPC publishes by month and without a licence. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { startOfDay } from '../../core/reference/time.ts';
import { parseTaiwan } from '../../core/sources/tipc-taiwan/parse.ts';

/** After the last of them: each month is complete. */
export const FETCHED_AT = startOfDay('2026-06-01');

interface MonthList {
  readonly direction: string;
  readonly month: string;
  readonly bytes: Uint8Array;
}

function readMonths(folder: string): MonthList[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return paths.flatMap((path) => {
    const [, direction, month] = /khh_(in|out)port_expect_\d{4}(\d{2})\.xml\.gz$/.exec(path) ?? [];
    if (direction === undefined || month === undefined) return [];
    return [{ direction, month, bytes: gunzipSync(readFileSync(join(folder, path))) }];
  });
}

const filesOf = (lists: readonly MonthList[]): Map<string, Uint8Array> =>
  new Map(lists.map(({ direction, month, bytes }) => [`${direction}-port-KHH-${month}.xml`, bytes]));

/** TIPC's lists of Kaohsiung in a folder and in those within it, as the service parses them. */
export const readLists = (folder: string): ReturnType<typeof parseTaiwan> =>
  parseTaiwan({ fetchedAt: FETCHED_AT, files: filesOf(readMonths(folder)) });
