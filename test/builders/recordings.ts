/** The recorded replies and series in `recordings/`; its README states what each one is. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseInstant } from '../../core/reference/time.ts';
import type { ArchivedFetch } from '../../core/upstream/source.ts';

/** The folder of the recordings, which is also the root of a raw archive. */
export const RECORDINGS = fileURLToPath(new URL('../../recordings/', import.meta.url));

/** The polls of August 2025, in an archive of their own. */
export const AUGUST_2025 = join(RECORDINGS, 'august-2025');

/** The recorded fetches of a source, of every archive, whose times begin with `from` (`202508`, say), oldest first. */
export function recordedFetches(source: string, from = ''): ArchivedFetch[] {
  return [AUGUST_2025, RECORDINGS].flatMap((root) => fetchesIn(join(root, source), from));
}

/** Those in one folder of an archive. */
export function fetchesIn(folder: string, from = ''): ArchivedFetch[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((stamp) => stamp.startsWith(from) && !stamp.endsWith('.json'))
    .sort()
    .map((stamp) => {
      const time = stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
      const fetchedAt = parseInstant(time);
      if (fetchedAt === undefined) throw new Error(`${join(folder, stamp)} is not named after a time`);
      const names = readdirSync(join(folder, stamp));
      const files = new Map(
        names.map((name) => [name, new Uint8Array(readFileSync(join(folder, stamp, name)))]),
      );
      return { fetchedAt, files };
    });
}
