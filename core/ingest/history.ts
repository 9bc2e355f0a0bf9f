/** The first step of a back-fill: loads past fetches that the upstream still serves into the archive, day by day. */
import { addDays, type Day, formatInstant, startOfDay } from '../reference/time.ts';
import type { PastFetches, Source } from '../sources/source.ts';
import type { RawArchive } from '../store/raw-archive.ts';
import type { Lease } from '../store/source-status.ts';
import type { IngestDependencies } from './dependencies.ts';

export interface HistoryDays {
  readonly fromDay: Day;
  /** Included. */
  readonly toDay: Day;
}

export interface HistoryLimits {
  /** Called before each day, and within a day by histories whose days take long; true stops there. */
  readonly outOfTime?: (() => boolean) | undefined;
  readonly onDay?: ((day: Day) => void) | undefined;
}

/** The history cannot be fetched; the message says why and what to do. */
export class HistoryRefused extends Error {
  override readonly name = 'HistoryRefused';
}

const pastFetchesIn = (archive: RawArchive, source: string): PastFetches => ({
  has: async (at) => (await archive.fetches(source, at - 1, at)).length > 0,
  read: async (at) =>
    (await archive.fetches(source, at - 1, at)).length > 0 ? archive.read(source, at) : undefined,
  write: ({ fetchedAt, files }) => archive.write(source, fetchedAt, files),
});

/**
 * Writes the fetches of the days to the archive, under the given lease.
 * @returns the day to continue from when time ran out, undefined when all days are done
 * @throws HistoryRefused when the source has no history, or when the tables are ahead of the first day: fetches older
 *   than the checkpoint are never applied
 */
export async function fetchHistory(
  { archive, httpFor, now }: Pick<IngestDependencies, 'archive' | 'httpFor' | 'now'>,
  { declaration, history }: Source,
  lease: Lease,
  { fromDay, toDay, outOfTime, onDay }: HistoryDays & HistoryLimits,
): Promise<Day | undefined> {
  const { id } = declaration;
  if (history === undefined) throw new HistoryRefused(`${id} serves no past fetches`);
  const { checkpointAt } = lease.status;
  if (checkpointAt !== undefined && checkpointAt > startOfDay(fromDay))
    throw new HistoryRefused(
      `the tables have applied ${id} up to ${formatInstant(checkpointAt)}, and older fetches are not applied: ` +
        'back-fill into empty tables, or start after that time',
    );
  const http = httpFor({ ...declaration, hosts: history.hosts });
  const past = pastFetchesIn(archive, id);
  let day = fromDay;
  const limits = { now, outOfTime: () => outOfTime?.() ?? false };
  while (day <= toDay && !limits.outOfTime()) {
    const isDone = await history.fetchDay(http, past, day, limits);
    await lease.renewIfDue();
    if (isDone === false) break;
    onDay?.(day);
    day = addDays(day, 1);
  }
  return day > toDay ? undefined : day;
}
