/** Kaohsiung's real lists, which TIPC publishes by month and without a licence. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { startOfDay } from '../core/reference/time.ts';
import { parseTaiwan } from '../core/sources/tipc-taiwan/parse.ts';

/** After the last of them: each month is complete. */
export const FETCHED_AT = startOfDay('2026-06-01');

/** TIPC's lists of Kaohsiung in a folder and in those within it, as the service parses them. */
export function readLists(folder: string): ReturnType<typeof parseTaiwan> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = new Map(
    paths.flatMap((path) => {
      const [, direction, month] = /khh_(in|out)port_expect_\d{4}(\d{2})\.xml\.gz$/.exec(path) ?? [];
      if (direction === undefined) return [];
      return [[`${direction}-port-KHH-${month}.xml`, gunzipSync(readFileSync(join(folder, path)))] as const];
    }),
  );
  return parseTaiwan({ fetchedAt: FETCHED_AT, files });
}
