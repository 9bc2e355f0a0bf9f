/** Sources: every upstream that has been fetched at least once, with the time of its newest good fetch. */
import { sourcesRoute } from '../contracts/sources.ts';
import { formatInstant } from '../reference/time.ts';
import { createSourceStatusStore } from '../store/source-status.ts';
import { endpoint } from './endpoint.ts';

export const sources = endpoint({
  route: sourcesRoute,
  tables: { sourceStatus: 'scan' },
  memoryMb: 512,
  create({ sourceStatus }, { now }) {
    const statuses = createSourceStatusStore(sourceStatus, now);
    return async () =>
      (await statuses.all()).flatMap(({ source, lastFetchAt }) =>
        lastFetchAt === undefined ? [] : [{ source, last_fetch_iso: formatInstant(lastFetchAt) }],
      );
  },
});
