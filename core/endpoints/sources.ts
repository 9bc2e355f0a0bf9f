/** Sources: every upstream that has been fetched at least once, with the time of its newest good fetch. */
import { sourcesRoute } from '../contracts/sources.ts';
import { knownSource, NO_FETCHES, sourceEvidence } from '../reference/evidence.ts';
import { formatInstant } from '../reference/time.ts';
import { createSourceStatusStore } from '../store/source-status.ts';
import { endpoint } from './endpoint.ts';

export const sources = endpoint({
  route: sourcesRoute,
  tables: { sourceStatus: 'scan' },
  memoryMb: 512,
  create({ sourceStatus }, { now, replays }) {
    const statuses = createSourceStatusStore(sourceStatus, now);
    return async () => {
      const fetches = await statuses.fetchTimes();
      const nowAt = now();
      return [...fetches].map(([source, lastFetchAt]) => {
        const { offlineSince } = knownSource(source);
        return {
          source,
          last_fetch_iso: formatInstant(lastFetchAt),
          evidence: sourceEvidence(source, replays ? NO_FETCHES : fetches, nowAt),
          ...(offlineSince === undefined ? {} : { offline_since: offlineSince }),
        };
      });
    };
  },
});
