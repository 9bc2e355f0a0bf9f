/** The first half of a back-fill: past fetches that the upstream still has are brought into the archive, day by day. */
import { addDays, type Day, formatInstant, MINUTE_MS, startOfDay } from '../../core/reference/time.ts';
import type { PastFetches, Source } from '../../core/sources/source.ts';
import type { RawArchive } from '../../core/store/raw-archive.ts';
import type { IngestParts } from './pass.ts';

export interface HistoryRequest {
  readonly fromDay: Day;
  /** Included. */
  readonly toDay: Day;
  /** When it is time to stop between two days. */
  readonly outOfTime?: () => boolean;
  /** Keep passes away between this step and the next: a fetch of the present would shut the past out. */
  readonly keepLease?: boolean;
  readonly onDay?: (day: Day) => void;
}

/** The past cannot be brought in; the message says why and what to do. */
export class HistoryRefused extends Error {
  override readonly name = 'HistoryRefused';
}

/** Steps of one back-fill follow one another from different processes, and are one owner to the lease. */
const OWNER = 'history';
const LEASE_MS = 20 * MINUTE_MS;

const pastFetchesIn = (archive: RawArchive, source: string): PastFetches => ({
  has: async (at) => (await archive.fetches(source, at - 1, at)).length > 0,
  write: ({ fetchedAt, files }) => archive.write(source, fetchedAt, files),
});

type HistoryParts = Pick<IngestParts, 'archive' | 'httpFor' | 'statuses'>;

/**
 * Brings the fetches of the days into the archive; gives the day to go on from when time was up, undefined when all
 * are there. Throws `HistoryRefused` when the tables are ahead of the first day already: what is older than the last
 * change applied changes nothing any more.
 */
export function createHistory(
  parts: HistoryParts,
): (source: Source, request: HistoryRequest) => Promise<Day | undefined> {
  return async ({ declaration, history }, { fromDay, toDay, outOfTime, keepLease = false, onDay }) => {
    const { id } = declaration;
    if (history === undefined) throw new HistoryRefused(`${id} has no past fetches to offer`);
    const lease = await parts.statuses.lease(id, OWNER, LEASE_MS);
    if (lease === undefined) throw new HistoryRefused(`another pass holds ${id}: try again when it is over`);
    const { checkpointAt } = lease.status;
    if (checkpointAt !== undefined && checkpointAt > startOfDay(fromDay)) {
      await lease.finish(lease.status);
      throw new HistoryRefused(
        `the tables hold ${id} up to ${formatInstant(checkpointAt)}, and fetches older than that change nothing: ` +
          'bring the past into empty tables, or begin after that time',
      );
    }
    const http = parts.httpFor({ ...declaration, hosts: history.hosts });
    const past = pastFetchesIn(parts.archive, id);
    let day = fromDay;
    for (; day <= toDay && !outOfTime?.(); day = addDays(day, 1)) {
      await history.fetchDay(http, past, day);
      await lease.save(lease.status);
      onDay?.(day);
    }
    const whole = day > toDay;
    if (whole || !keepLease) await lease.finish(lease.status);
    return whole ? undefined : day;
  };
}
