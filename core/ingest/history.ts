/** The first half of a back-fill: past fetches that the upstream still has are brought into the archive, day by day. */
import { addDays, type Day, formatInstant, startOfDay } from '../reference/time.ts';
import type { PastFetches, Source } from '../sources/source.ts';
import type { RawArchive } from '../store/raw-archive.ts';
import type { Lease } from '../store/source-status.ts';
import type { IngestDependencies } from './pass.ts';

export interface HistoryRequest {
  readonly fromDay: Day;
  /** Included. */
  readonly toDay: Day;
  /** When it is time to stop between two days. */
  readonly outOfTime?: () => boolean;
  readonly onDay?: (day: Day) => void;
}

/** The past cannot be brought in; the message says why and what to do. */
export class HistoryRefused extends Error {
  override readonly name = 'HistoryRefused';
}

const pastFetchesIn = (archive: RawArchive, source: string): PastFetches => ({
  has: async (at) => (await archive.fetches(source, at - 1, at)).length > 0,
  write: ({ fetchedAt, files }) => archive.write(source, fetchedAt, files),
});

/**
 * Brings the fetches of the days into the archive, under the lease of whoever asks; gives the day to go on from when
 * time was up, undefined when all are there. Throws `HistoryRefused` when the tables are ahead of the first day already:
 * what is older than the last change applied changes nothing any more.
 */
export async function bringHistory(
  { archive, httpFor }: Pick<IngestDependencies, 'archive' | 'httpFor'>,
  { declaration, history }: Source,
  lease: Lease,
  { fromDay, toDay, outOfTime, onDay }: HistoryRequest,
): Promise<Day | undefined> {
  const { id } = declaration;
  if (history === undefined) throw new HistoryRefused(`${id} has no past fetches to offer`);
  const { checkpointAt } = lease.status;
  if (checkpointAt !== undefined && checkpointAt > startOfDay(fromDay))
    throw new HistoryRefused(
      `the tables hold ${id} up to ${formatInstant(checkpointAt)}, and fetches older than that change nothing: ` +
        'bring the past into empty tables, or begin after that time',
    );
  const http = httpFor({ ...declaration, hosts: history.hosts });
  const past = pastFetchesIn(archive, id);
  let day = fromDay;
  for (; day <= toDay && !outOfTime?.(); day = addDays(day, 1)) {
    await history.fetchDay(http, past, day);
    await lease.keep();
    onDay?.(day);
  }
  return day > toDay ? undefined : day;
}
