/**
 * One pass over one source: what the archive holds and the tables do not is applied first, then the upstream is
 * asked once more. Everything goes through the archive, so a pass that died is made good by the next, and a replay
 * is a pass that does not ask.
 */
import type { Port } from '../reference/ports.ts';
import { type Clock, type Instant, MINUTE_MS, wholeSecond } from '../reference/time.ts';
import { pausedUntil } from '../sources/circuit.ts';
import { type HttpClient, UpstreamFailure } from '../sources/http-client.ts';
import type { Refusal, Source, SourceDeclaration } from '../sources/source.ts';
import type { RawArchive } from '../store/raw-archive.ts';
import { type Lease, LeaseLost, type SourceStatus, type SourceStatusStore } from '../store/source-status.ts';
import { StoreFailure } from '../store/table.ts';
import { beginWalk, type WalkLimits } from './archive-walk.ts';
import type { PortStores } from './held-port.ts';
import { createParsedReplies } from './parsed-replies.ts';
import { createReportWriter } from './report-writer.ts';
import type { TradeStores } from './trade-book.ts';

export interface IngestStores extends PortStores, TradeStores {
  readonly statuses: SourceStatusStore;
}

export interface IngestDependencies extends IngestStores {
  readonly archive: RawArchive;
  readonly httpFor: (declaration: SourceDeclaration) => HttpClient;
  readonly secretFor: (declaration: SourceDeclaration) => Promise<string | undefined>;
  readonly findPort: (code: string) => Port | undefined;
  readonly now: Clock;
  /** Identifies this process to the lease: a pass of the same owner that died does not lock it out. */
  readonly owner: string;
}

export interface PassRequest extends WalkLimits {
  /** False: only what the archive holds is applied. */
  readonly ask: boolean;
  /** Fetches after this time are left alone; all up to the present when absent, as far as clocks differ. */
  readonly untilAt?: Instant;
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
  parts: IngestDependencies,
): (source: Source, request: PassRequest) => Promise<PassOutcome> {
  const writer = createReportWriter(parts);
  const replies = createParsedReplies(parts.archive);
  const underWay = new Set<string>();
  /** Until when each source is left alone, as far as this process knows. */
  const resting = new Map<string, Instant>();

  /** Asks the upstream and archives the reply; the time of the fetch, which is after every one before it. */
  async function fetchOnce(source: Source, status: SourceStatus, lease?: Lease): Promise<Instant | 'off'> {
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
    await lease?.keep();
    await parts.archive.write(declaration.id, fetchedAt, files);
    return fetchedAt;
  }

  async function run(source: Source, lease: Lease, request: PassRequest, progress: Progress) {
    const { id } = source.declaration;
    const refusals = await writer.register(source.declaration, lease.keep);
    const walk = beginWalk({ replies, writer }, { source, lease, refusals });
    const outcome = (state: PassOutcome['state'], more: Partial<PassOutcome> = {}): PassOutcome => ({
      source: id,
      state,
      unfinished: false,
      ...walk.walked,
      ...more,
    });
    const end = async (state: PassOutcome['state'], more: Partial<PassOutcome> = {}) => {
      const { status } = walk.walked;
      resting.set(id, status.pausedUntilAt ?? 0);
      return (await lease.finish(status)) ? outcome(state, more) : outcome('busy');
    };
    /** Ends a pass that the upstream spoilt: `failures` in a row by now. */
    const fail = (failures: number, refused: Refusal, retryAfterSeconds?: number) => {
      const { status } = walk.walked;
      const pausedUntilAt = pausedUntil(failures, parts.now(), retryAfterSeconds);
      const pause = pausedUntilAt === undefined ? {} : { pausedUntilAt };
      walk.walked = { ...walk.walked, status: { ...status, failures, ...pause } };
      return end('failed', refused);
    };

    const { untilAt = wholeSecond(parts.now()) + CLOCK_ALLOWANCE_MS } = request;
    const { checkpointAt } = lease.status;
    const archived = await parts.archive.fetches(id, checkpointAt, Infinity);
    const pending = archived.filter((fetchedAt) => fetchedAt <= untilAt);
    const ended = await walk.through(pending, request);
    if (ended === 'lost') return outcome('busy');
    if (ended === 'out-of-time') return end('ok', { unfinished: true });

    if (!request.ask) return end('ok');
    const { status } = walk.walked;
    if ((status.pausedUntilAt ?? 0) > parts.now()) return end('paused');
    const aheadMs = Math.max(status.checkpointAt ?? -Infinity, archived.at(-1) ?? -Infinity) - parts.now();
    if (aheadMs > CLOCK_ALLOWANCE_MS)
      return end('failed', {
        reason: 'clock-behind',
        detail: `the clock stands ${Math.round(aheadMs / MINUTE_MS)} minutes before the last fetch`,
      });
    try {
      const fetchedAt = await fetchOnce(source, status, lease);
      if (fetchedAt === 'off')
        return end('off', { detail: `${source.declaration.secret} is not configured` });
      progress.archived = true;
      const refused = await walk.take(fetchedAt);
      return refused === undefined ? end('ok') : fail(walk.walked.status.failures, refused);
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      progress.archived = true;
      const { reason, message, retryAfterSeconds } = error;
      return fail(status.failures + 1, { reason, detail: message }, retryAfterSeconds);
    }
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
      if (error instanceof LeaseLost) return busy(id);
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

/** How far a pass has come, for what has to be done when it fails. */
interface Progress {
  /** What the upstream had to say has been kept, or it said nothing. */
  archived: boolean;
}
