/** Writes the observations of a fetch to the tables, ports and import series in parallel. */
import { isDeepStrictEqual } from 'node:util';
import type { Notice, Observation, PortObservation, TradeObservation } from '../calls/observation.ts';
import { METHODOLOGY_VERSION } from '../metrics/figures.ts';
import { importMomentum } from '../metrics/import-momentum.ts';
import type { Locode } from '../reference/codes.ts';
import { groupBy } from '../reference/statistics.ts';
import type { Day, Instant, Month } from '../reference/time.ts';
import { inTurns } from '../reference/turns.ts';
import { latestValues } from '../store/imports.ts';
import type { CoveredPort } from '../store/ports.ts';
import { isStored } from '../store/series.ts';
import { type Refusal, RefusedReply, type SourceDeclaration, sourceMethod } from '../upstream/source.ts';
import { type PublishedSeries, seriesOf, valueCounts } from './counts.ts';
import type { BeforeWrite, IngestDependencies, IngestStores } from './dependencies.ts';
import { type PortPlan, PortStates, planObservations, readPortState } from './port-state.ts';
import { type AppliedFetch, applyPortPlan, findKnowledge, planFault } from './port-writes.ts';

// Import values of one series: a row for each fetch that changed something (a vintage), and the index derived from them.

/** General imports: the measure that the index is defined on. Another is served only where this one is missing. */
const PREFERRED_MEASURE = 'GEN_VAL_MO';

/** As long as any month. */
const LAST_MONTH = '9999-12';

/** Stores new and revised values and recomputes the index; true if there were any. Repeating it changes nothing. */
export async function applyImportValues(
  {
    importValues,
    importIndex,
    importBeginnings,
  }: Pick<IngestStores, 'importValues' | 'importIndex' | 'importBeginnings'>,
  {
    code,
    measure,
    fetchedAt,
    values: published,
  }: Omit<PublishedSeries, 'known'> & { readonly fetchedAt: Instant },
  fetch: AppliedFetch,
  beforeWrite: BeforeWrite,
): Promise<boolean> {
  const vintages = await importValues.vintages(code, measure);
  const values: Map<Month, number> = latestValues(vintages);
  // An older publication that arrives late must not overwrite a newer one.
  const isLate = vintages.some((vintage) => vintage.fetchedAt > fetchedAt);
  const revised = isLate ? [] : published.filter(({ month, value }) => values.get(month) !== value);
  if (revised.length > 0) {
    const changes = Object.fromEntries(revised.map(({ month, value }) => [month, value]));
    await beforeWrite();
    await importValues.add(code, measure, { fetchedAt, values: changes });
    for (const { month, value } of revised) values.set(month, value);
  }
  await writeIndex({ importIndex, importBeginnings }, { code, measure, values }, fetch, beforeWrite);
  return revised.length > 0;
}

/** Why the tables would not take the values of a series, or its index; undefined when they would. */
function seriesFault(
  { importValues, importIndex }: Pick<IngestStores, 'importValues' | 'importIndex'>,
  { code, measure, values, known }: PublishedSeries,
  fetchedAt: Instant,
): string | undefined {
  const stated = values.map(({ month, value }) => [month, value] as const);
  const momentum = importMomentum(new Map([...known, ...stated]));
  const index = Object.fromEntries(momentum.map(({ month, index: value }) => [month, value]));
  return (
    importValues.faultOf(code, measure, { fetchedAt, values: Object.fromEntries(stated) }) ??
    importIndex.faultOf(code, { code, measure, index, settledMonth: LAST_MONTH })
  );
}

/** Computes the index of a code from the newest values of a measure, and writes it where it differs. */
export async function writeIndex(
  { importIndex, importBeginnings }: Pick<IngestStores, 'importIndex' | 'importBeginnings'>,
  {
    code,
    measure,
    values,
  }: Pick<PublishedSeries, 'code' | 'measure'> & { readonly values: ReadonlyMap<Month, number> },
  fetch: AppliedFetch,
  beforeWrite: BeforeWrite,
): Promise<void> {
  // Compared with the stored index rather than with what changed, which repairs a pass that stopped between the two.
  const [stored] = await importIndex.between(code);
  const { settledMonth = '' } = stored ?? {};
  const settled = Object.entries(stored?.index ?? {}).filter(([month]) => month <= settledMonth);
  const computed = importMomentum(values).filter(({ month }) => month > settledMonth);
  const index = {
    code,
    measure,
    index: Object.fromEntries([...settled, ...computed.map(({ month, index }) => [month, index])]),
    ...(settledMonth !== '' && { settledMonth }),
  };
  const hasPreferred = stored?.measure === PREFERRED_MEASURE && measure !== PREFERRED_MEASURE;
  if (hasPreferred || isStored(index, stored)) return;
  const knowledge = findKnowledge(fetch, stored?.knownOn);
  await beforeWrite();
  await importBeginnings.note(code, { since: knowledge.day, version: METHODOLOGY_VERSION });
  await importIndex.replace(code, [index], stored ? [stored] : [], knowledge, beforeWrite);
}

const PARALLEL_PORTS = 4;
const PARALLEL_SERIES = 8;
/** Compared ports whose plan is kept until it is written; the others are planned again. */
const KEPT_PLANS = 200;

export type ObservationPlan = Awaited<ReturnType<ReturnType<typeof createObservationWriter>['plan']>>;

/** Keeps what a plan replaces; not at a first observation, before which there was nothing to go back to. */
async function saveImage(
  { fetchImages }: IngestStores,
  { port, reached, changes }: PortPlan,
  { fetchedAt, kept }: AppliedFetch,
  beforeWrite: BeforeWrite,
): Promise<void> {
  const { clocks } = reached ?? {};
  if (kept === undefined || clocks === undefined || changes.changedFromAt === undefined) return;
  const was = new Map([...changes.before, ...changes.removed].map((call) => [call.callId, call]));
  const touched = new Map([...changes.written, ...changes.removed].map((call) => [call.callId, call]));
  const calls = [...touched.values()].map(({ callId, firstAtaAt }) => ({
    callId,
    firstAtaAt: was.get(callId)?.firstAtaAt ?? firstAtaAt,
    was: was.get(callId),
  }));
  await beforeWrite();
  await fetchImages.save(kept.source, fetchedAt, port, { clocks, calls }, kept.untilAt);
}

/** Caches the state of each port that it has written, 35 days of calls, so that a poll reads the port's row and clocks only. */
export function createObservationWriter(dependencies: IngestDependencies) {
  const { ports: portStore, portClocks, importValues, findPort, now, replays = false } = dependencies;
  const states = new PortStates();
  const registered = new Map<string, readonly Refusal[]>();

  async function planPort(
    port: Locode,
    observations: readonly PortObservation[],
    fetchedAt: Instant,
  ): Promise<PortPlan | Refusal> {
    const [row, reached] = await Promise.all([portStore.get(port, true), portClocks.get(port)]);
    if (row === undefined) return { reason: 'uncovered-port', detail: `${port} is reported but not covered` };
    const remembered = states.get(port);
    // Another process may have written the port since this one did.
    const isCurrent = remembered !== undefined && isDeepStrictEqual(remembered.clocks, reached?.clocks);
    const state = isCurrent
      ? remembered
      : await readPortState(dependencies, port, reached?.clocks, observations[0]?.observedAt ?? fetchedAt);
    return planObservations(dependencies, { row, reached, state }, observations);
  }

  /** The series of publications with what is known of them. */
  async function publishedSeries(publications: readonly TradeObservation[]): Promise<PublishedSeries[]> {
    const published: PublishedSeries[] = [];
    await inTurns(publications.flatMap(seriesOf), PARALLEL_SERIES, async (series) => {
      const known = latestValues(await importValues.vintages(series.code, series.measure));
      published.push({ ...series, known });
    });
    return published;
  }

  return {
    /** After rows have been written by another way. */
    forgetStates: (): void => states.clear(),

    /** Ensures that the source's ports have rows, known since `day`; those that the port reference lacks are refusals. */
    async register(
      declaration: SourceDeclaration,
      day: Day,
      beforeWrite: BeforeWrite,
    ): Promise<readonly Refusal[]> {
      const { id, ports } = declaration;
      const known = registered.get(id);
      if (known !== undefined) return known;
      const method = sourceMethod(declaration);
      const covered: CoveredPort[] = [];
      const refusals: Refusal[] = [];
      for (const code of ports) {
        const port = findPort(code);
        if (port === undefined) {
          refusals.push({ reason: 'unknown-port', detail: `the port reference lacks ${code}` });
          continue;
        }
        const { name, countryCode, latitude, longitude } = port;
        covered.push({ port: code, name, countryCode, latitude, longitude, sources: [id], method });
      }
      await portStore.register(covered, day, beforeWrite);
      registered.set(id, refusals);
      return refusals;
    },

    /**
     * What the observations of one fetch change; nothing is written before `write` is called, which refuses only the observations of ports
     * that are not covered.
     * @param show gets what would change at each port, in any order; without it a port is not read before it is written
     * @throws RefusedReply `oversized` with `show`, when the tables would not take a row
     */
    async plan(
      observations: readonly Observation[],
      fetch: Pick<AppliedFetch, 'fetchedAt' | 'backfilled' | 'kept'>,
      beforeWrite: BeforeWrite,
      show?: (plan: PortPlan) => void,
    ) {
      const { fetchedAt } = fetch;
      const publications = observations.filter((observation) => observation.kind === 'trade');
      // Ports do not depend on one another; the observations of one port keep their order.
      const portReports = observations.filter((observation) => observation.kind !== 'trade');
      const ports = [...groupBy(portReports, ({ port }) => port)].sort(([a], [b]) => (a < b ? -1 : 1));
      const kept = new Map<Locode, PortPlan | Refusal>();
      if (show !== undefined)
        await inTurns(ports, PARALLEL_PORTS, async ([port, ofPort]) => {
          const planned = await planPort(port, ofPort, fetchedAt);
          if ('changes' in planned) {
            const fault = await planFault(dependencies, planned);
            if (fault !== undefined) throw new RefusedReply('oversized', `${port}: ${fault}`);
            show(planned);
          }
          if (kept.size < KEPT_PLANS) kept.set(port, planned);
          else if ('changes' in planned && !states.has(port)) states.set(port, planned.state);
        });
      const published = await publishedSeries(publications);
      if (show !== undefined)
        for (const series of published) {
          const fault = seriesFault(dependencies, series, fetchedAt);
          if (fault !== undefined) throw new RefusedReply('oversized', `${series.code}: ${fault}`);
        }
      return {
        values: valueCounts(published),
        async write() {
          const applied = { ...fetch, nowAt: now(), replays };
          const refusals: Refusal[] = [];
          const notices: Notice[] = [];
          let changed = 0;
          try {
            for (const publication of publications)
              await inTurns(seriesOf(publication), PARALLEL_SERIES, async (series) => {
                const published = { ...series, fetchedAt: publication.observedAt };
                if (await applyImportValues(dependencies, published, applied, beforeWrite)) changed += 1;
              });
            await inTurns(ports, PARALLEL_PORTS, async ([port, ofPort]) => {
              const planned = kept.get(port) ?? (await planPort(port, ofPort, fetchedAt));
              kept.delete(port);
              if (!('changes' in planned)) {
                refusals.push(planned);
                return;
              }
              await saveImage(dependencies, planned, applied, beforeWrite);
              const written = await applyPortPlan(dependencies, planned, applied, beforeWrite);
              states.set(port, written.state);
              changed += written.changed;
              for (const notice of written.notices) notices.push(notice);
            });
          } catch (error) {
            // The states in memory may no longer equal the tables.
            states.clear();
            throw error;
          }
          return { changed, refusals, notices };
        },
      };
    },
  };
}
