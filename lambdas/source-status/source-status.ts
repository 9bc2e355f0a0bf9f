/** Sources: every upstream that has been fetched at least once, with the time of its newest good fetch. */
import type { Endpoint } from '../../core/http/chain.ts';
import { formatInstant } from '../../core/reference/time.ts';
import type { SourceStatusStore } from '../../core/store/source-status.ts';

export function createSourceStatus(statuses: Pick<SourceStatusStore, 'all'>): Endpoint<'sources'> {
  return async () =>
    (await statuses.all()).flatMap(({ source, lastFetchAt }) =>
      lastFetchAt === undefined ? [] : [{ source, last_fetch_iso: formatInstant(lastFetchAt) }],
    );
}
