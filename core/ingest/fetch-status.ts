/** The status of a source after a fetch: applied, or not accepted. */
import type { FetchedInterval } from '../contracts/status.ts';
import type { Instant } from '../reference/time.ts';
import { outagesAfter } from '../status/outages.ts';
import type { SourceStatus } from '../store/source-status.ts';
import type { Verdict } from '../upstream/judgement.ts';
import { learned } from '../upstream/list-doubts.ts';
import type { ParsedFetch } from '../upstream/source.ts';
import { listCounts } from './reply-counts.ts';

/** A fetch after which nothing but the status of the source differs. */
export type NotAccepted = Verdict & { readonly outcome: 'refused' | 'held' };

export function afterGoodFetch(
  status: SourceStatus,
  fetchedAt: Instant,
  parsed: ParsedFetch,
  interval: FetchedInterval,
): SourceStatus {
  const { pausedUntilAt: _, doubt: __, outages: before = [], ...rest } = status;
  // The fetch of a release that the tables began with is another service's.
  const lastAt = status.knownSinceAt === undefined ? undefined : status.lastFetchAt;
  const outages = outagesAfter(before, lastAt, fetchedAt, interval);
  return {
    ...rest,
    failures: 0,
    checkpointAt: fetchedAt,
    lastFetchAt: fetchedAt,
    asOfAt: parsed.asOfAt,
    knownSinceAt: status.knownSinceAt ?? fetchedAt,
    shown: learned(status.shown ?? {}, listCounts(parsed)),
    ...(outages.length > 0 && { outages }),
  };
}

/** Only a reply that cannot be used counts as a failure of the upstream, which is then asked less often. */
export function afterDoubt(
  status: SourceStatus,
  fetchedAt: Instant,
  { outcome, reason = outcome, detail = '' }: NotAccepted,
): SourceStatus {
  const sinceAt = status.doubt?.sinceAt ?? fetchedAt;
  return {
    ...status,
    failures: status.failures + (outcome === 'refused' ? 1 : 0),
    checkpointAt: fetchedAt,
    doubt: { sinceAt, fetchedAt, outcome, reason, detail },
  };
}
