/**
 * One pass over one source: what the archive holds and the tables do not is applied first, then the upstream is
 * asked once more. Everything goes through the archive, so a pass that died is made good by the next, and a replay
 * is a pass that does not ask.
 */
import type { Port } from '../../core/reference/ports.ts';
import { type Clock, type Instant, MINUTE_MS, wholeSecond } from '../../core/reference/time.ts';
import { pausedUntil } from '../../core/sources/circuit.ts';
import { type HttpClient, UpstreamFailure } from '../../core/sources/http-client.ts';
import type { Refusal, Source, SourceDeclaration } from '../../core/sources/source.ts';
import type { RawArchive } from '../../core/store/raw-archive.ts';
import type { Lease, SourceStatus, SourceStatusStore } from '../../core/store/source-status.ts';
import { StoreFailure } from '../../core/store/table.ts';
import { applyFetch } from './fetch-application.ts';
import type { PortStores } from './held-port.ts';
import { createReportWriter } from './report-writer.ts';
import type { TradeStores } from './trade-book.ts';

export interface IngestStores extends PortStores, TradeStores {
  readonly statuses: SourceStatusStore;
}

export interface IngestParts extends IngestStores {
  readonly archive: RawArchive;
  readonly httpFor: (declaration: SourceDeclaration) => HttpClient;
  readonly secretFor: (declaration: SourceDeclaration) => Promise<string | undefined>;
  readonly findPort: (code: string) => Port | undefined;
  readonly now: Clock;
  /** Identifies this process to the lease: a pass of the same owner that died does not lock it out. */
  readonly owner: string;
}

export interface PassRequest {
  /** False: only what the archive holds is applied. */
  readonly ask: boolean;
  /** Fetches before this time are left out. */
  readonly fromAt?: Instant;
  /** Fetches after this time are left alone; all up to the present when absent, as far as clocks differ. */
  readonly untilAt?: Instant;
  /** When it is time to stop between two fetches and to leave the rest to another pass. */
  readonly outOfTime?: () => boolean;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface PassOutcome {
  readonly source: string;
  /** `busy`: another pass holds the source. `paused`: its circuit is open. `off`: its secret is not configured. */
  readonly state: 'ok' | 'busy' | 'paused' | 'off' | 'failed';
  /** Fetches that were dealt with. */
  readonly fetches: number;
  readonly changedRecords: number;
  readonly refusals: readonly Refusal[];
  /** Why it failed. */
  readonly reason?: string;
  readonly detail?: string;
  /** There is more in the archive than this pass had time for. */
  readonly unfinished: boolean;
  readonly status: SourceStatus | undefined;
}

const LEASE_MS = 15 * MINUTE_MS;
/** The clock may stand behind the last fetch by this much, as when two machines take turns; more is a fault. */
const CLOCK_ALLOWANCE_MS = 10 * MINUTE_MS;

export function createPass(
  parts: IngestParts,
): (source: Source, request: PassRequest) => Promise<PassOutcome> {
  const writer = createReportWriter(parts);
  const underWay = new Set<string>();
  /** Until when each source is left alone, as far as this process knows. */
  const resting = new Map<string, Instant>();

  /** Asks the upstream and archives the reply; the time of the fetch, which is after every one before it. */
  async function fetchOnce(source: Source, status: SourceStatus): Promise<Instant | 'off'> {
    const { declaration } = source;
    const secret = await parts.secretFor(declaration);
    if (declaration.secret !== undefined && secret === undefined) return 'off';
    const files = await source.fetch({
      http: parts.httpFor(declaration),
      now: parts.now,
      lastFetchAt: toldUpTo(status),
      secret,
    });
    const nowAt = wholeSecond(parts.now());
    // A clock that was ahead and has been put back since must not change the order of the fetches.
    const beyond = await parts.archive.fetches(declaration.id, nowAt - 1000, Infinity);
    const lastAt = Math.max(status.checkpointAt ?? -Infinity, beyond.at(-1) ?? -Infinity);
    const fetchedAt = Math.max(nowAt, lastAt + 1000);
    await parts.archive.write(declaration.id, fetchedAt, files);
    return fetchedAt;
  }

  async function run(source: Source, lease: Lease, request: PassRequest, progress: Progress) {
    const { id } = source.declaration;
    const refusals = await writer.register(source.declaration);
    const tally: Tally = { status: lease.status, fetches: 0, changedRecords: 0, refusals: [...refusals] };
    const outcome = (state: PassOutcome['state'], more: Partial<PassOutcome> = {}): PassOutcome => ({
      source: id,
      state,
      unfinished: false,
      ...tally,
      ...more,
    });
    const end = async (state: PassOutcome['state'], more: Partial<PassOutcome> = {}) => {
      resting.set(id, tally.status.pausedUntilAt ?? 0);
      return (await lease.finish(tally.status)) ? outcome(state, more) : outcome('busy');
    };
    const take = async (fetchedAt: Instant): Promise<Refusal | undefined> => {
      const {
        status,
        changed,
        refusals: found,
        refused,
      } = await applyFetch(parts, writer, source, { fetchedAt, status: tally.status });
      tally.status = status;
      tally.fetches += 1;
      tally.changedRecords += changed;
      tally.refusals.push(...found);
      return refused;
    };

    const { untilAt = wholeSecond(parts.now()) + CLOCK_ALLOWANCE_MS } = request;
    const afterAt = Math.max(tally.status.checkpointAt ?? -Infinity, (request.fromAt ?? -Infinity) - 1);
    const archived = await parts.archive.fetches(
      id,
      Number.isFinite(afterAt) ? afterAt : undefined,
      Infinity,
    );
    const pending = archived.filter((fetchedAt) => fetchedAt <= untilAt);
    for (const fetchedAt of pending) {
      if (request.outOfTime?.()) return end('ok', { unfinished: true });
      await take(fetchedAt);
      request.onProgress?.(tally.fetches, pending.length);
      if (!(await lease.save(tally.status))) return outcome('busy');
    }

    if (!request.ask) return end('ok');
    if ((tally.status.pausedUntilAt ?? 0) > parts.now()) return end('paused');
    const aheadMs =
      Math.max(tally.status.checkpointAt ?? -Infinity, archived.at(-1) ?? -Infinity) - parts.now();
    if (aheadMs > CLOCK_ALLOWANCE_MS)
      return end('failed', {
        reason: 'clock-behind',
        detail: `the clock stands ${Math.round(aheadMs / MINUTE_MS)} minutes before the last fetch`,
      });
    try {
      const fetchedAt = await fetchOnce(source, tally.status);
      if (fetchedAt === 'off')
        return end('off', { detail: `${source.declaration.secret} is not configured` });
      progress.archived = true;
      const refused = await take(fetchedAt);
      if (refused === undefined) return end('ok');
      tally.status = failed(tally.status, tally.status.failures, undefined);
      return end('failed', refused);
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      progress.archived = true;
      tally.status = failed(tally.status, tally.status.failures + 1, error.retryAfterSeconds);
      return end('failed', { reason: error.reason, detail: error.message });
    }
  }

  function failed(
    status: SourceStatus,
    failures: number,
    retryAfterSeconds: number | undefined,
  ): SourceStatus {
    const pausedUntilAt = pausedUntil(failures, parts.now(), retryAfterSeconds);
    return { ...status, failures, ...(pausedUntilAt === undefined ? {} : { pausedUntilAt }) };
  }

  async function leased(source: Source, request: PassRequest): Promise<PassOutcome> {
    const { id, kind } = source.declaration;
    const progress: Progress = { archived: false };
    try {
      const lease = await parts.statuses.lease(id, parts.owner, LEASE_MS);
      return lease === undefined ? busy(id) : await run(source, lease, request, progress);
    } catch (error) {
      // What is in memory may be ahead of the tables now.
      writer.forget();
      // A look at the present cannot be had later: it is kept for the pass that finds the tables up again.
      const mayAsk = request.ask && (resting.get(id) ?? 0) <= parts.now();
      const isLost = mayAsk && kind === 'polls' && !progress.archived;
      if (isLost && error instanceof StoreFailure)
        await fetchOnce(source, { source: id, failures: 0 }).catch(() => undefined);
      throw error;
    }
  }

  return async (source, request) => {
    const { id } = source.declaration;
    // The lease tells processes apart; one process is kept from itself here.
    if (underWay.has(id)) return busy(id);
    underWay.add(id);
    try {
      return await leased(source, request);
    } finally {
      underWay.delete(id);
    }
  };
}

const busy = (source: string): PassOutcome => ({
  source,
  state: 'busy',
  fetches: 0,
  changedRecords: 0,
  refusals: [],
  unfinished: false,
  status: undefined,
});

/**
 * The time up to which the newest good reply tells: a reply that a cache held up is fetched now and tells of then,
 * and what happened in between has yet to be asked for.
 */
function toldUpTo({ lastFetchAt, asOfAt = lastFetchAt }: SourceStatus): Instant | undefined {
  return lastFetchAt === undefined || asOfAt === undefined ? lastFetchAt : Math.min(lastFetchAt, asOfAt);
}

interface Tally {
  status: SourceStatus;
  fetches: number;
  changedRecords: number;
  readonly refusals: Refusal[];
}

/** How far a pass has come, for what has to be done when it fails. */
interface Progress {
  /** What the upstream had to say has been kept, or it said nothing. */
  archived: boolean;
}
