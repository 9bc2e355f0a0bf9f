/** Kaohsiung's real lists, which TIPC publishes by month and without a licence. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { CallBatch } from '../../core/calls/observation.ts';
import { addDays, type Day, HOUR_MS, startOfDay } from '../../core/reference/time.ts';
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

/** Columns of past events, in local time. Forecasts stay. */
const EVENT = /<(ACT_PORT_DT|ARRV_DT|LEAVE_PORT_DT|SP5NM|VHF_DT)>(\d{12})</g;
const TAIPEI_MS = 8 * HOUR_MS;
const STAMP_LENGTH = 12;

/**
 * The lists of 2025 as at the end of each day: later events are blank. They cover the month and the one before.
 */
export function* batchesKnownOn(folder: string, days: readonly Day[]): Generator<CallBatch> {
  const lists = readMonths(folder);
  for (const day of days) {
    const fetchedAt = startOfDay(addDays(day, 1));
    const now = new Date(fetchedAt + TAIPEI_MS).toISOString().replaceAll(/\D/g, '').slice(0, STAMP_LENGTH);
    const latest = Number(now.slice('YYYY'.length, 'YYYYMM'.length));
    const known = lists
      .filter(({ month }) => Number(month) <= latest && Number(month) >= latest - 1)
      .map((list) => {
        const text = Buffer.from(list.bytes).toString('latin1');
        const blanked = text.replace(EVENT, (whole, tag, at) => (at > now ? `<${tag}><` : whole));
        return { ...list, bytes: Buffer.from(blanked, 'latin1') };
      });
    const { reports } = parseTaiwan({ fetchedAt, files: filesOf(known) });
    yield* reports.filter((report) => report.kind === 'call-batch');
  }
}
