/** The verdicts on archived fetches, as notes beside them: a replay uses them, so that order and batching do not matter. */
import * as z from 'zod/mini';
import type { Instant } from '../reference/time.ts';
import { type RawArchive, READING_NAME, verdictName } from '../store/raw-archive.ts';
import type { Verdict } from '../upstream/judgement.ts';

const verdictShape = z.object({
  outcome: z.enum(['accepted', 'refused', 'held', 'revoked']),
  by: z.enum(['judgement', 'parser', 'operator', 'recovery']),
  reason: z.exactOptional(z.string()),
  detail: z.exactOptional(z.string()),
});

/** The fetch that is being read, and how often reading it has begun. */
const readingShape = z.object({ fetchedAt: z.number(), times: z.int() });

/** Readings of one fetch that may end the process; after them it is refused unread. */
const MAX_DEATHS = 2;

export type Verdicts = ReturnType<typeof createVerdicts>;

export function createVerdicts(archive: RawArchive) {
  return {
    /** Undefined where the fetch is not judged yet, or its verdict is damaged. */
    async of(source: string, fetchedAt: Instant): Promise<Verdict | undefined> {
      return verdictShape.safeParse(await archive.readNote(source, verdictName(fetchedAt))).data;
    },
    /** Notes that a fetch without a verdict is read now. False when reading it has ended the process too often. */
    async beginReading(source: string, fetchedAt: Instant): Promise<boolean> {
      const last = readingShape.safeParse(await archive.readNote(source, READING_NAME)).data;
      const times = last?.fetchedAt === fetchedAt ? last.times : 0;
      if (times >= MAX_DEATHS) return false;
      await archive.writeNote(source, READING_NAME, { fetchedAt, times: times + 1 });
      return true;
    },
    /** Notes that the process has survived the reading, where it ends without a verdict. */
    endReading: (source: string): Promise<void> => archive.writeNote(source, READING_NAME, {}),
    write: (source: string, fetchedAt: Instant, verdict: Verdict): Promise<void> =>
      archive.writeNote(source, verdictName(fetchedAt), verdict),
  };
}
