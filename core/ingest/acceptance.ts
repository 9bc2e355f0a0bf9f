/** What an operator decides on a fetch: a refused or held one is accepted, or an accepted one revoked. */
import { formatInstant, type Instant } from '../reference/time.ts';
import type { Source } from '../upstream/source.ts';
import type { IngestDependencies } from './dependencies.ts';
import { createVerdicts } from './fetch-reader.ts';
import { createFetchApplier, nothingApplied } from './fetches.ts';
import { LEASE_MS } from './pass.ts';

/** The fetch cannot be accepted; the message says why. */
class NotAcceptable extends Error {
  override readonly name = 'NotAcceptable';
}

/**
 * Applies a fetch whatever the judgement says of it, and archives that an operator accepted it. A repetition after a failure ends
 * in the same tables.
 * @param onPlan called with what the fetch will change, one line a port, before anything is written
 * @returns the number of records changed
 * @throws NotAcceptable when there is no verdict against it, a later fetch was accepted, it cannot be read, or a pass is running
 */
export async function acceptFetch(
  dependencies: IngestDependencies,
  source: Source,
  fetchedAt: Instant,
  onPlan: (lines: readonly string[]) => void,
): Promise<number> {
  const { archive, statuses, owner } = dependencies;
  const { id } = source.declaration;
  const named = `the fetch of ${id} of ${formatInstant(fetchedAt)}`;
  const verdicts = createVerdicts(archive);
  const verdict = await verdicts.of(id, fetchedAt);
  if (verdict === undefined) throw new NotAcceptable(`${named} has no verdict: a pass judges it`);
  if (verdict.outcome === 'accepted' && verdict.by !== 'operator')
    throw new NotAcceptable(`${named} is accepted already`);
  const lease = await statuses.lease(id, owner, LEASE_MS);
  if (lease === undefined)
    throw new NotAcceptable(`another pass has the lease of ${id}: try again when it is done`);
  const { status } = lease;
  try {
    if (fetchedAt <= (status.lastFetchAt ?? -Infinity))
      throw new NotAcceptable(
        `a later fetch of ${id}, of ${formatInstant(status.lastFetchAt ?? 0)}, was accepted: it says what is true since`,
      );
    const fetches = createFetchApplier(dependencies);
    const scope = { source, lease };
    const planned = await fetches.plan(scope, status, fetchedAt);
    if ('outcome' in planned) throw new NotAcceptable(`${named} cannot be read: ${planned.detail}`);
    onPlan(planned);
    await verdicts.write(id, fetchedAt, { ...verdict, outcome: 'accepted', by: 'operator' });
    const { changedRecords, status: after } = await fetches.apply(scope, nothingApplied(status), fetchedAt);
    const checkpointAt = Math.max(fetchedAt, status.checkpointAt ?? fetchedAt);
    await lease.release({ ...after, checkpointAt });
    return changedRecords;
  } catch (error) {
    if (error instanceof NotAcceptable) await lease.release(status);
    throw error;
  }
}

/**
 * Revokes an accepted fetch: undoes what it and later fetches wrote, then applies the later ones by their verdicts. Where what the
 * fetch replaced is not kept any more, only the verdict is written.
 * @returns whether the tables are restored; otherwise they have to be rebuilt
 * @throws NotAcceptable when it is not accepted, or a pass is running
 */
export async function revokeFetch(
  dependencies: IngestDependencies,
  source: Source,
  fetchedAt: Instant,
): Promise<boolean> {
  const { archive, statuses, owner } = dependencies;
  const { id } = source.declaration;
  const named = `the fetch of ${id} of ${formatInstant(fetchedAt)}`;
  const verdicts = createVerdicts(archive);
  const verdict = await verdicts.of(id, fetchedAt);
  if (verdict?.outcome !== 'accepted') throw new NotAcceptable(`${named} is not accepted`);
  const lease = await statuses.lease(id, owner, LEASE_MS);
  if (lease === undefined)
    throw new NotAcceptable(`another pass has the lease of ${id}: try again when it is done`);
  const fetches = createFetchApplier(dependencies);
  const { status } = lease;
  if (!(await fetches.canRestore(source, fetchedAt))) {
    await verdicts.write(id, fetchedAt, {
      ...verdict,
      outcome: 'revoked',
      by: 'operator',
      reason: 'revoked',
    });
    await lease.release(status);
    return false;
  }
  const untilAt = status.checkpointAt ?? fetchedAt;
  const recovery = {
    at: untilAt,
    by: 'operator',
    revoked: [fetchedAt],
    accepted: [],
    unfinished: true,
  } as const;
  const marked = { ...status, recovery };
  await lease.save(marked);
  const applied = await fetches.goBack({ source, lease }, nothingApplied(marked), untilAt);
  await lease.release(applied.status);
  return true;
}
