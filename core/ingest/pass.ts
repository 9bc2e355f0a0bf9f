/**
 * One pass over one source: applies the archived fetches that the tables lack, so completes a pass that died, then fetches from the
 * upstream once, archives the reply and applies it too. A replay is a pass that does not fetch.
 */

import type { Log } from '../contracts/log.ts';
import { dayOf, earliestStated, type Instant, MINUTE_MS, wholeSecond } from '../reference/time.ts';
import { type Lease, LeaseLost, type SourceStatus } from '../store/source-status.ts';
import { StoreFailure } from '../store/table.ts';
import { pausedUntil } from '../upstream/fetch-client.ts';
import { UpstreamFailure } from '../upstream/http-client.ts';
import { type Refusal, Refusals, type Source } from '../upstream/source.ts';
import type { IngestDependencies } from './dependencies.ts';
import { type AppliedFetches, createFetchApplier, type FetchLimits, nothingApplied } from './fetches.ts';
import { StepConflict } from './positions.ts';

export interface PassRequest extends FetchLimits {
  /** False: applies the archive and does not fetch from the upstream. */
  readonly ask: boolean;
  /** Fetches after this time are skipped; by default now, plus an allowance for clocks that differ. */
  readonly untilAt?: Instant | undefined;
}

export interface PassOutcome extends Omit<AppliedFetches, 'status'> {
  readonly source: string;
  /** `held`: the reply is implausible. `busy`: another pass has the source. `paused`: its circuit is open. `off`: it lacks its secret. */
  readonly state: 'ok' | 'held' | 'busy' | 'paused' | 'off' | 'failed';
  /** Why it failed. */
  readonly reason?: string;
  readonly detail?: string;
  /** The archive has more fetches than this pass had time for. */
  readonly unfinished: boolean;
  /** Undefined where the pass did not run, and for a step of a back-fill, whose data are old by design. */
  readonly status: SourceStatus | undefined;
}

export type Pass = (source: Source, request: PassRequest) => Promise<PassOutcome>;

export const LEASE_MS = 15 * MINUTE_MS;
/** The clock may be this far behind the last fetch, as when two machines take turns; more is a fault. */
export const CLOCK_ALLOWANCE_MS = 10 * MINUTE_MS;

export function createPass(dependencies: IngestDependencies): Pass {
  const { archive, now, statuses, owner } = dependencies;
  const fetches = createFetchApplier(dependencies);
  const running = new Set<string>();
  /** Until when each source is paused, as far as this process knows. */
  const pauses = new Map<string, Instant>();

  /** Fetches from the upstream and archives the reply. The fetch's time is after that of every earlier fetch. */
  async function fetchOnce(source: Source, status: SourceStatus, lease?: Lease): Promise<Instant | 'off'> {
    const { declaration } = source;
    const secret = await dependencies.secretFor(declaration);
    if (declaration.secret !== undefined && secret === undefined) return 'off';
    const files = await source.fetch({
      http: dependencies.httpFor(declaration),
      now,
      // The newest good reply may have come from a cache: events since the time that it states still have to be fetched.
      lastFetchAt: earliestStated([status.lastFetchAt, status.asOfAt]),
      lastFiles: async () =>
        status.checkpointAt === undefined ? undefined : archive.read(declaration.id, status.checkpointAt),
      secret,
    });
    const nowAt = wholeSecond(now());
    // A clock that was ahead and has been set back must not change the order of the fetches.
    const later = await archive.fetches(declaration.id, nowAt - 1000, Infinity);
    const lastAt = Math.max(status.checkpointAt ?? -Infinity, later.at(-1) ?? -Infinity);
    const fetchedAt = Math.max(nowAt, lastAt + 1000);
    await lease?.renewIfDue();
    await archive.write(declaration.id, fetchedAt, files);
    return fetchedAt;
  }

  /** @param onAsked called once the upstream's reply is archived, or the upstream failed: there is nothing left to archive */
  async function runUnder(lease: Lease, source: Source, request: PassRequest, onAsked: () => void) {
    const { id, secret } = source.declaration;
    const { untilAt = wholeSecond(now()) + CLOCK_ALLOWANCE_MS } = request;

    const end = async (
      state: PassOutcome['state'],
      applied: AppliedFetches,
      more: Partial<PassOutcome> = {},
    ): Promise<PassOutcome> => {
      pauses.set(id, applied.status.pausedUntilAt ?? 0);
      await lease.release(applied.status);
      return { source: id, state, ...applied, unfinished: false, ...more };
    };
    /** Ends a pass after a failure of the upstream; `failures` counts failures in a row, this one included. */
    const fail = (applied: AppliedFetches, failures: number, why: Refusal, retryAfterSeconds?: number) => {
      const pausedUntilAt = pausedUntil(failures, now(), retryAfterSeconds);
      const status = { ...applied.status, failures, ...(pausedUntilAt !== undefined && { pausedUntilAt }) };
      return end('failed', { ...applied, status }, why);
    };

    const scope = { source, lease };
    const begun = await fetches.begin(scope);
    const archived = await archive.fetches(id, begun.status.checkpointAt, Infinity);
    const pending = archived.filter((fetchedAt) => fetchedAt <= untilAt);
    const firstDay = dayOf(pending[0] ?? now());
    const refusals = await fetches.register(source.declaration, firstDay, lease.renewIfDue);
    const { unfinished, ...applied } = await fetches.applyAll(
      scope,
      { ...begun, refusals: new Refusals(...refusals).add(begun.refusals) },
      pending,
      request,
    );
    if (unfinished) return end('ok', applied, { unfinished });
    if (!request.ask) return end('ok', applied);

    const { status } = applied;
    if ((status.pausedUntilAt ?? 0) > now()) return end('paused', applied);
    const aheadMs = Math.max(status.checkpointAt ?? -Infinity, archived.at(-1) ?? -Infinity) - now();
    if (aheadMs > CLOCK_ALLOWANCE_MS)
      return end('failed', applied, {
        reason: 'clock-behind',
        detail: `the clock is ${Math.round(aheadMs / MINUTE_MS)} minutes behind the last fetch`,
      });
    try {
      const fetchedAt = await fetchOnce(source, status, lease);
      if (fetchedAt === 'off') return end('off', applied, { detail: `${secret} is not configured` });
      onAsked();
      const { notAccepted, ...withReply } = await fetches.apply(scope, applied, fetchedAt);
      if (notAccepted === undefined) return end('ok', withReply);
      const { outcome, reason = outcome, detail = '' } = notAccepted;
      // The reason is that of the whole reply; it is not counted again among the refusals.
      const withReason = { ...withReply, refusals: applied.refusals };
      if (outcome === 'held') return end('held', withReason, { reason, detail });
      return fail(withReason, withReply.status.failures, { reason, detail });
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      onAsked();
      const { reason, message, retryAfterSeconds } = error;
      return fail(applied, status.failures + 1, { reason, detail: message }, retryAfterSeconds);
    }
  }

  async function run(source: Source, request: PassRequest): Promise<PassOutcome> {
    const { id, kind } = source.declaration;
    let asked = false;
    try {
      const lease = await statuses.lease(id, owner, LEASE_MS);
      if (lease === undefined) return busy(id);
      return await runUnder(lease, source, request, () => {
        asked = true;
      });
    } catch (error) {
      // Steps overlap where a pass is retried while the first still runs; the other one has made this step.
      if (error instanceof LeaseLost || error instanceof StepConflict) return busy(id);
      // A poll of the present cannot be repeated later: it is archived for the pass that runs once the tables are available again.
      const mayAsk = request.ask && (pauses.get(id) ?? 0) <= now();
      const isLost = mayAsk && kind === 'polls' && !asked;
      if (isLost && error instanceof StoreFailure)
        await fetchOnce(source, { source: id, failures: 0 }).catch(() => undefined);
      throw error;
    }
  }

  return async (source, request) => {
    const { id } = source.declaration;
    // The lease separates processes; this separates two passes of one process.
    if (running.has(id)) return busy(id);
    running.add(id);
    try {
      return await run(source, request);
    } finally {
      running.delete(id);
    }
  };
}

const busy = (source: string): PassOutcome => ({
  source,
  state: 'busy',
  ...nothingApplied({ source, failures: 0 }),
  unfinished: false,
  status: undefined,
});

// Logs a pass with its counts and ages, its refusals and its notices; the dashboard reads these lines.

/** Notices that are logged for one pass, so that one bad reply does not flood the log. */
const NOTICES_LOGGED = 20;

export function createPassRecorder(log: Log): (outcome: PassOutcome, nowAt: Instant) => void {
  return ({ status, refusals, notices, ...outcome }, nowAt) => {
    const { source, state } = outcome;
    const noticed = (reason: string): number => notices.filter((notice) => notice.reason === reason).length;
    const line = {
      ...outcome,
      refused: refusals.count,
      unknownPlaces: noticed('unknown-place'),
      contradictedCalls: noticed('contradicted-call'),
      withdrawnCalls: noticed('withdrawn-call'),
      ...(status?.asOfAt !== undefined && { dataAgeMinutes: (nowAt - status.asOfAt) / MINUTE_MS }),
    };
    if (state === 'failed' || state === 'held') log.warn('pass', line);
    else log.info('pass', line);
    for (const refusal of refusals.first) log.warn('refused', { source, ...refusal });
    for (const notice of notices.slice(0, NOTICES_LOGGED))
      log[notice.reason === 'revoked' ? 'warn' : 'info']('notice', { source, ...notice });
  };
}
