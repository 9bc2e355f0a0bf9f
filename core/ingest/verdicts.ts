/** The verdicts on archived fetches, as notes beside them: a replay uses them, so that order and batching do not matter. */
import * as z from 'zod/mini';
import type { Instant } from '../reference/time.ts';
import { type RawArchive, READING_NAME, verdictName } from '../store/raw-archive.ts';
import type { Verdict } from '../upstream/judgement.ts';

const verdictShape = z.object({
  outcome: z.enum(['accepted', 'refused', 'held']),
  by: z.enum(['judgement', 'parser', 'operator']),
  reason: z.exactOptional(z.string()),
  detail: z.exactOptional(z.string()),
});

/** The fetch that is being read, and how often reading it has begun. */
const readingShape = z.object({ fetchedAt: z.number(), times: z.int() });

/** Readings of one fetch that may end the process; after them it is refused unread. */
const MAX_DEATHS = 2;

export interface Verdicts {
  /** Undefined where the fetch is not judged yet, or its verdict is damaged. */
  of(source: string, fetchedAt: Instant): Promise<Verdict | undefined>;
  /** Notes that a fetch without a verdict is read now. False when reading it has ended the process too often. */
  beginReading(source: string, fetchedAt: Instant): Promise<boolean>;
  /** Notes that the process has survived the reading, where it ends without a verdict. */
  endReading(source: string): Promise<void>;
  write(source: string, fetchedAt: Instant, verdict: Verdict): Promise<void>;
}

export function createVerdicts(archive: RawArchive): Verdicts {
  return {
    async of(source, fetchedAt) {
      return verdictShape.safeParse(await archive.readNote(source, verdictName(fetchedAt))).data;
    },
    async beginReading(source, fetchedAt) {
      const last = readingShape.safeParse(await archive.readNote(source, READING_NAME)).data;
      const times = last?.fetchedAt === fetchedAt ? last.times : 0;
      if (times >= MAX_DEATHS) return false;
      await archive.writeNote(source, READING_NAME, { fetchedAt, times: times + 1 });
      return true;
    },
    endReading: (source) => archive.writeNote(source, READING_NAME, {}),
    write: (source, fetchedAt, verdict) => archive.writeNote(source, verdictName(fetchedAt), verdict),
  };
}
