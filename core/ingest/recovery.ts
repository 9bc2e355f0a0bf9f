/**
 * The way back after a wrong reply was accepted: the state before it comes from the images of the fetches since, and the replies that
 * were held because of it are judged against that state and against one another.
 */

import type { Observation, PortObservation } from '../calls/observation.ts';
import { isKept, type Ledger, type PortCall } from '../calls/port-call.ts';
import type { Locode } from '../reference/codes.ts';
import { groupBy } from '../reference/statistics.ts';
import { addDays, DAY_MS, dayOf, type Instant, MINUTE_MS } from '../reference/time.ts';
import {
  type AcceptedStatus,
  type CallImage,
  type FetchImage,
  withoutAccepted,
} from '../store/fetch-images.ts';
import { latestValues } from '../store/imports.ts';
import type { SourceStatus } from '../store/source-status.ts';
import { learned, type Verdict } from '../upstream/judgement.ts';
import {
  type FetchedFiles,
  type ParsedFetch,
  RefusedReply,
  type Source,
  type SourceDeclaration,
} from '../upstream/source.ts';
import { isCompared, judgeReply, listCounts, ReplyComparison, seriesOf, valueCounts } from './counts.ts';
import type { BeforeWrite, IngestDependencies } from './dependencies.ts';
import { newestEventAt, type Verdicts } from './fetch-reader.ts';
import { writeIndex } from './observation-writer.ts';
import { changesBetween, olderCalls, portChanges, readPortState } from './port-state.ts';
import { type AppliedFetch, applyPortPlan } from './port-writes.ts';

/** Held replies that agree with one another and with the state before the suspect. */
const WITNESSES = 3;

const isRare = ({ everyMinutes }: SourceDeclaration): boolean => everyMinutes * MINUTE_MS >= DAY_MS;

/** How long it is kept what a fetch replaces: a day, or four fetches of a source that is asked less often. */
export const imagesKeptMs = (declaration: SourceDeclaration): number =>
  Math.max(DAY_MS, 4 * declaration.everyMinutes * MINUTE_MS) + DAY_MS / 4;

/** What several fetches have replaced together at a port. */
interface JoinedImage {
  /** The oldest image of each call. */
  readonly calls: readonly CallImage[];
  /** Returns the ledger as it was when the first of the fetches was applied, given the present one. */
  ledgerOf(now: Ledger): Ledger;
}

/** Undefined where none of the fetches changed the port. */
function joined(images: readonly FetchImage[], port: Locode): JoinedImage | undefined {
  const ofPort = images.flatMap((image) => image.ports.get(port) ?? []);
  const [first] = ofPort;
  if (first === undefined) return undefined;
  const calls = new Map<string, CallImage>();
  for (const image of ofPort)
    for (const call of image.calls) if (!calls.has(call.callId)) calls.set(call.callId, call);
  const { clocks } = first;
  return {
    calls: [...calls.values()],
    ledgerOf(now) {
      const kept = new Map(now.calls);
      for (const { callId, was } of calls.values())
        if (was !== undefined && isKept(was, clocks.lastObservedAt ?? was.ataAt)) kept.set(callId, was);
        else kept.delete(callId);
      return { ...clocks, calls: kept };
    },
  };
}

interface Witness {
  readonly fetchedAt: Instant;
  readonly files: FetchedFiles;
  readonly parsed: ParsedFetch;
}

const sameFiles = (a: FetchedFiles, b: FetchedFiles): boolean =>
  a.size === b.size &&
  [...a].every(
    ([name, bytes]) =>
      name === 'request.json' || Buffer.compare(bytes, b.get(name) ?? new Uint8Array()) === 0,
  );

interface RecoveryParts {
  readonly verdicts: Verdicts;
  readonly readFetch: (source: Source, fetchedAt: Instant) => Promise<ParsedFetch>;
}

export function createRecovery(dependencies: IngestDependencies, { verdicts, readFetch }: RecoveryParts) {
  const {
    archive,
    fetchImages,
    importValues,
    ports: portStore,
    portClocks,
    now,
    replays = false,
  } = dependencies;

  /** The held replies with a vote since the last accepted one, the newest three, oldest first. */
  async function witnesses(source: Source, status: SourceStatus, untilAt: Instant): Promise<Witness[]> {
    const { id, kind } = source.declaration;
    const found: Witness[] = [];
    const times = await archive.fetches(id, status.lastFetchAt, untilAt);
    for (const fetchedAt of times.reverse()) {
      if (found.length === WITNESSES) break;
      const verdict = await verdicts.of(id, fetchedAt);
      // The newest has no verdict yet.
      const isHeld = fetchedAt === untilAt || (verdict?.outcome === 'held' && verdict.by === 'judgement');
      if (!isHeld) continue;
      const files = await archive.read(id, fetchedAt);
      const parsed = await readFetch(source, fetchedAt).catch((error: unknown) => {
        if (error instanceof RefusedReply) return undefined;
        throw error;
      });
      if (files === undefined || parsed === undefined) continue;
      // Months have no events: that three passes say the same is all that can be asked.
      if (kind !== 'trade') {
        const eventAt = newestEventAt(parsed.observations, fetchedAt);
        if (eventAt === undefined || eventAt <= (status.newestEventAt ?? Number.NEGATIVE_INFINITY)) continue;
        if (found.some((other) => sameFiles(other.files, files))) continue;
      }
      found.unshift({ fetchedAt, files, parsed });
    }
    return found;
  }

  /** Whether replies pass the judgement one after another, from the state before the first of `images` on. */
  async function agree(
    { declaration }: Source,
    replies: readonly Witness[],
    images: readonly FetchImage[],
    before: AcceptedStatus,
  ): Promise<boolean> {
    const fromAt = images[0]?.fetchedAt ?? Number.POSITIVE_INFINITY;
    const ledgers = new Map<Locode, Ledger>();
    const series = new Map<string, Map<string, number>>();
    let status = before;

    const plansOf = async (observations: readonly PortObservation[], fetchedAt: Instant) => {
      const plans = [];
      for (const [port, ofPort] of groupBy(observations, (observation) => observation.port)) {
        const image = joined(images, port);
        let ledger = ledgers.get(port);
        if (ledger === undefined) {
          const reached = await portClocks.get(port);
          const state = await readPortState(dependencies, port, reached?.clocks, fetchedAt);
          ledger = image?.ledgerOf(state.ledger) ?? state.ledger;
        }
        const replaced = new Map(image?.calls.map((call) => [call.callId, call.was]));
        const older = (await olderCalls(dependencies, port, ledger, ofPort)).flatMap((call) =>
          replaced.has(call.callId) ? (replaced.get(call.callId) ?? []) : [call],
        );
        plans.push({
          port,
          state: { ledger },
          older,
          observations: ofPort,
          changes: portChanges(ledger, ofPort, older),
        });
      }
      return plans;
    };

    for (const { fetchedAt, parsed } of replies) {
      const comparison = new ReplyComparison(parsed.observations, status.lastFetchAt);
      const portReports = parsed.observations.filter((observation) => observation.kind !== 'trade');
      const plans = isCompared(declaration) ? await plansOf(portReports, fetchedAt) : [];
      for (const plan of plans) comparison.add(plan);
      const published = [];
      for (const { code, measure, values } of parsed.observations.flatMap((observation) =>
        observation.kind === 'trade' ? seriesOf(observation) : [],
      )) {
        const key = `${code} ${measure}`;
        const known =
          series.get(key) ??
          latestValues((await importValues.vintages(code, measure)).filter((row) => row.fetchedAt < fromAt));
        published.push({ code, measure, values, known });
        series.set(key, new Map([...known, ...values.map(({ month, value }) => [month, value] as const)]));
      }
      const verdict = judgeReply(parsed, comparison.counts(), status, fetchedAt, valueCounts(published));
      if (verdict.outcome !== 'accepted') return false;
      for (const { port, changes } of plans) ledgers.set(port, changes.ledger);
      status = { ...status, lastFetchAt: fetchedAt, shown: learned(status.shown ?? {}, listCounts(parsed)) };
    }
    return true;
  }

  async function restorePort(
    port: Locode,
    images: readonly FetchImage[],
    fetch: AppliedFetch,
    beforeWrite: BeforeWrite,
  ): Promise<void> {
    const image = joined(images, port);
    const [row, reached] = await Promise.all([portStore.get(port, true), portClocks.get(port)]);
    if (image === undefined || row === undefined || reached === undefined) return;
    const state = await readPortState(dependencies, port, reached.clocks, fetch.fetchedAt);
    const stored = new Map(
      (await dependencies.portCalls.byKey(port, image.calls)).map((call) => [call.callId, call]),
    );
    const pairs = image.calls.map(({ callId, was }) => ({ was: stored.get(callId), is: was }));
    const restored = image.calls.flatMap(({ was }): PortCall[] => (was === undefined ? [] : [was]));
    const ledger = image.ledgerOf(state.ledger);
    const changes = changesBetween(state.ledger, ledger, pairs);
    // Days that the state before has not reached would keep the rows of the revoked fetches.
    const afterDay = addDays(dayOf(ledger.lastObservedAt ?? fetch.fetchedAt), 1);
    const knowledge = { day: dayOf(fetch.nowAt), backfilled: false };
    for (const series of [dependencies.dailyMetrics, dependencies.waitDays]) {
      const later = await series.between(port, { from: afterDay });
      await series.replace(port, [], later as never, knowledge, beforeWrite);
    }
    // A repetition cannot see which rows follow from the calls that are restored already: all of them are computed again.
    const plan = {
      port,
      row,
      reached,
      state: { ...state, unfinished: restored },
      observations: [],
      older: [],
      changes,
    };
    await applyPortPlan(dependencies, plan, fetch, beforeWrite);
  }

  return {
    /** What to revoke and what to accept after a reply was held; undefined where nothing shows it. Writes nothing. */
    async find(source: Source, status: SourceStatus, fetchedAt: Instant): Promise<SourceStatus['recovery']> {
      const { declaration, step, days } = source;
      const { recovery, lastFetchAt } = status;
      // Positions are read with the state of the poll before, which has no image.
      if (step !== undefined || days !== undefined || lastFetchAt === undefined) return undefined;
      if (recovery?.by === 'recovery' && dayOf(recovery.at) === dayOf(fetchedAt)) return undefined;
      const held = await witnesses(source, status, fetchedAt);
      if (held.length < WITNESSES) return undefined;
      const kept = await fetchImages.since(declaration.id, fetchedAt - imagesKeptMs(declaration));
      const accepted = kept.filter((image) => image.fetchedAt <= lastFetchAt);
      for (let count = 1; count <= accepted.length; count += 1) {
        const images = accepted.slice(-count);
        const [suspect] = images;
        if (suspect?.status.lastFetchAt === undefined) return undefined;
        const isRecent = isRare(declaration) ? count <= WITNESSES : fetchedAt - suspect.fetchedAt <= DAY_MS;
        if (!isRecent) return undefined;
        const verdict = await verdicts.of(declaration.id, suspect.fetchedAt);
        if (verdict?.by === 'operator') return undefined;
        if (!(await agree(source, held, images, suspect.status))) continue;
        return {
          at: fetchedAt,
          by: 'recovery',
          revoked: images.map((image) => image.fetchedAt),
          accepted: held.map((witness) => witness.fetchedAt),
          unfinished: true,
        };
      }
      return undefined;
    },

    /** Whether the state before a fetch can be restored. */
    async canRestore(source: Source, fetchedAt: Instant): Promise<boolean> {
      const [image] = await fetchImages.since(source.declaration.id, fetchedAt);
      return image?.fetchedAt === fetchedAt && image.status.lastFetchAt !== undefined;
    },

    /**
     * Writes the verdicts of a recovery, and the tables as they were before the first fetch that it revokes. A repetition after a
     * failure ends in the same tables.
     * @returns the status at that time, with the checkpoint before that fetch
     */
    async restore(source: Source, status: SourceStatus, beforeWrite: BeforeWrite): Promise<SourceStatus> {
      const { recovery, doubt: _, ...rest } = status;
      const [suspectAt] = recovery?.revoked ?? [];
      if (recovery === undefined || suspectAt === undefined) return status;
      const { id } = source.declaration;
      const { by } = recovery;
      const note = async (fetchedAt: Instant, outcome: Verdict['outcome'], words: object): Promise<void> => {
        const verdict = (await verdicts.of(id, fetchedAt)) ?? {};
        await verdicts.write(id, fetchedAt, { ...verdict, ...words, outcome, by });
      };
      for (const at of recovery.revoked) await note(at, 'revoked', { reason: 'revoked' });
      for (const at of recovery.accepted) await note(at, 'accepted', {});
      const images = await fetchImages.since(id, suspectAt);
      const fetch = { fetchedAt: recovery.at, backfilled: false, nowAt: now(), replays };
      for (const port of new Set(images.flatMap((image) => [...image.ports.keys()])))
        await restorePort(port, images, fetch, beforeWrite);
      for (const { fetchedAt } of images)
        await restoreSeries(await readReports(source, fetchedAt), fetchedAt, fetch, beforeWrite);
      return {
        ...withoutAccepted(rest),
        ...images[0]?.status,
        checkpointAt: suspectAt - 1000,
        recovery: { ...recovery, unfinished: 'images' },
      };
    },
  };

  async function readReports(source: Source, fetchedAt: Instant): Promise<readonly Observation[]> {
    if (source.declaration.kind !== 'trade') return [];
    return (await readFetch(source, fetchedAt)).observations;
  }

  async function restoreSeries(
    observations: readonly Observation[],
    fetchedAt: Instant,
    fetch: AppliedFetch,
    beforeWrite: BeforeWrite,
  ): Promise<void> {
    for (const { code, measure } of observations.flatMap((observation) =>
      observation.kind === 'trade' ? seriesOf(observation) : [],
    )) {
      await beforeWrite();
      await importValues.remove(code, measure, fetchedAt);
      const values = latestValues(await importValues.vintages(code, measure));
      await writeIndex(dependencies, { code, measure, values }, fetch, beforeWrite);
    }
  }
}
