/** Sources: every upstream that has been fetched at least once, with the time of its newest good fetch. */
import { sourcesRoute } from '../../core/contracts/sources.ts';
import { NO_FETCHES, sourceEvidence } from '../../core/reference/evidence.ts';
import { formatInstant } from '../../core/reference/time.ts';
import { createSourceStatusStore, statedTable } from '../../core/store/source-status.ts';
import { endpoint } from './endpoint.ts';

export const sources = endpoint({
  route: sourcesRoute,
  tables: { sourceStatus: 'scan' },
  memoryMb: 512,
  create({ sourceStatus }, { now, replays }) {
    const statuses = createSourceStatusStore(sourceStatus, now);
    return async () => {
      const all = await statuses.all();
      const fetched = all.flatMap(({ lastFetchAt, ...status }) =>
        lastFetchAt === undefined ? [] : [{ ...status, lastFetchAt }],
      );
      const fetches = new Map(fetched.map(({ source, lastFetchAt }) => [source, lastFetchAt]));
      const nowAt = now();
      return fetched.map(({ source, lastFetchAt, doubt, imported, tables }) => ({
        source,
        last_fetch_iso: formatInstant(lastFetchAt),
        evidence: sourceEvidence(source, replays ? NO_FETCHES : fetches, nowAt),
        ...(doubt && {
          not_accepted: {
            since: formatInstant(doubt.sinceAt),
            outcome: doubt.outcome,
            reason: doubt.detail,
          },
        }),
        ...(imported && {
          imported: {
            release: imported.release,
            made: imported.madeAt === undefined ? null : formatInstant(imported.madeAt),
            replayed: imported.replayed === true,
          },
        }),
        ...(tables && { tables: tables.map(statedTable) }),
      }));
    };
  },
});
