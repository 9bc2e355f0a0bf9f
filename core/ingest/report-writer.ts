/** Writes the reports of a fetch to the tables, ports and import series in parallel. */
import { isDeepStrictEqual } from 'node:util';
import type { Notice, PortReport, SourceReport, TradeValue } from '../calls/observation.ts';
import { METHODOLOGY_VERSION } from '../metrics/figures.ts';
import { importMomentum } from '../metrics/import-momentum.ts';
import type { HsCode } from '../reference/hs-code.ts';
import type { Locode } from '../reference/locode.ts';
import type { Day, Instant, Month } from '../reference/time.ts';
import { latestValues } from '../store/import-values.ts';
import type { CoveredPort } from '../store/ports.ts';
import { isStored } from '../store/series.ts';
import type { ValueCounts } from '../upstream/change-doubts.ts';
import type { Refusal } from '../upstream/refusals.ts';
import { type SourceDeclaration, sourceMethod } from '../upstream/source.ts';
import type { BeforeWrite, IngestDependencies, IngestStores } from './dependencies.ts';
import { type AppliedFetch, findKnowledge } from './port-knowledge.ts';
import { PortStates, readPortState } from './port-state.ts';
import { applyPortPlan, type PortPlan, planPortReports } from './port-writes.ts';
import { type PublishedSeries, seriesOf, valueCounts } from './value-counts.ts';

// Import values of one series: a row for each fetch that changed something (a vintage), and the index derived from them.

/** The values that one fetch published for one HS code. */
interface PublishedValues {
  readonly code: HsCode;
  readonly measure: string;
  readonly fetchedAt: Instant;
  readonly values: readonly TradeValue[];
}

/** General imports: the measure that the index is defined on. Another is served only where this one is missing. */
const PREFERRED_MEASURE = 'GEN_VAL_MO';

/** Stores new and revised values and recomputes the index; true if there were any. Repeating it changes nothing. */
export async function applyImportValues(
  {
    importValues,
    importIndex,
    importBeginnings,
  }: Pick<IngestStores, 'importValues' | 'importIndex' | 'importBeginnings'>,
  { code, measure, fetchedAt, values: published }: PublishedValues,
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
  if (hasPreferred || isStored(index, stored)) return revised.length > 0;
  const knowledge = findKnowledge(fetch, stored?.knownOn);
  await beforeWrite();
  await importBeginnings.note(code, { since: knowledge.day, version: METHODOLOGY_VERSION });
  await importIndex.replace(code, [index], stored ? [stored] : [], knowledge, beforeWrite);
  return revised.length > 0;
}

interface WrittenReports {
  readonly changed: number;
  /** Reports that were refused. */
  readonly refusals: readonly Refusal[];
  readonly notices: readonly Notice[];
}

/** The reports of one fetch; nothing is written yet. */
export interface ReportPlan {
  readonly values: readonly ValueCounts[];
  /** Only the report of a port that is not covered is refused. */
  write(): Promise<WrittenReports>;
}

export interface ReportWriter {
  /**
   * Ensures that the source's ports have rows, which are known since `day`. Ports that the port reference lacks are
   * returned as refusals.
   */
  register(declaration: SourceDeclaration, day: Day, beforeWrite: BeforeWrite): Promise<readonly Refusal[]>;
  /** @param compare gets what would change at each port, in any order; without it a port is not read before it is written */
  plan(
    reports: readonly SourceReport[],
    fetch: Pick<AppliedFetch, 'fetchedAt' | 'backfilled'>,
    beforeWrite: BeforeWrite,
    compare?: (plan: PortPlan) => void,
  ): Promise<ReportPlan>;
}

const PARALLEL_PORTS = 4;
const PARALLEL_SERIES = 8;
/** Compared ports whose plan is kept until it is written; the others are planned again. */
const KEPT_PLANS = 200;

/** Caches the state of each port that it has written, 35 days of calls, so that a poll reads the port's row and clocks only. */
export function createReportWriter(dependencies: IngestDependencies): ReportWriter {
  const states = new PortStates();
  const registered = new Map<string, readonly Refusal[]>();

  async function planPort(
    port: Locode,
    reports: readonly [PortReport, ...PortReport[]],
  ): Promise<PortPlan | Refusal> {
    const { ports, portClocks } = dependencies;
    const [row, reached] = await Promise.all([ports.get(port, true), portClocks.get(port)]);
    if (row === undefined) return { reason: 'uncovered-port', detail: `${port} is reported but not covered` };
    let state = states.get(port);
    // Another process may have written the port since this one did.
    if (state === undefined || !isDeepStrictEqual(state.clocks, reached?.clocks)) {
      state = await readPortState(dependencies, port, reached?.clocks, reports[0].observedAt);
      states.set(port, state);
    }
    return planPortReports(dependencies, { row, reached, state }, reports);
  }

  return {
    async register(declaration, day, beforeWrite) {
      const { id, ports } = declaration;
      const known = registered.get(id);
      if (known !== undefined) return known;
      const method = sourceMethod(declaration);
      const found = ports.map((code) => ({ code, port: dependencies.findPort(code) }));
      const covered = found.flatMap(({ code, port }): CoveredPort[] => {
        if (port === undefined) return [];
        const { name, countryCode, latitude, longitude } = port;
        return [{ port: code, name, countryCode, latitude, longitude, sources: [id], method }];
      });
      const refusals = found
        .filter(({ port }) => port === undefined)
        .map(({ code }) => ({ reason: 'unknown-port', detail: `the port reference lacks ${code}` }));
      await dependencies.ports.register(covered, day, beforeWrite);
      registered.set(id, refusals);
      return refusals;
    },

    async plan(reports, fetch, beforeWrite, compare) {
      // Ports do not depend on one another; the reports of one port keep their order.
      const ports = [...byPort(reports)].sort(([a], [b]) => (a < b ? -1 : 1));
      const kept = new Map<Locode, PortPlan | Refusal>();
      if (compare !== undefined)
        await inParallel(ports, PARALLEL_PORTS, async ([port, portReports]) => {
          const planned = await planPort(port, portReports);
          if ('changes' in planned) compare(planned);
          if (kept.size < KEPT_PLANS) kept.set(port, planned);
        });
      return {
        values: valueCounts(await publishedSeries(dependencies.importValues, reports)),
        async write() {
          const { now, replays = false } = dependencies;
          const applied = { ...fetch, nowAt: now(), replays };
          const refusals: Refusal[] = [];
          const notices: Notice[] = [];
          let changed = 0;
          try {
            for (const report of reports) {
              if (report.kind !== 'trade') continue;
              const { observedAt: fetchedAt } = report;
              await inParallel(seriesOf(report), PARALLEL_SERIES, async (series) => {
                const isChanged = await applyImportValues(
                  dependencies,
                  { ...series, fetchedAt },
                  applied,
                  beforeWrite,
                );
                if (isChanged) changed += 1;
              });
            }
            await inParallel(ports, PARALLEL_PORTS, async ([port, portReports]) => {
              const planned = kept.get(port) ?? (await planPort(port, portReports));
              kept.delete(port);
              if (!('changes' in planned)) {
                refusals.push(planned);
                return;
              }
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

function byPort(reports: readonly SourceReport[]): Map<Locode, [PortReport, ...PortReport[]]> {
  const grouped = new Map<Locode, [PortReport, ...PortReport[]]>();
  for (const report of reports) {
    if (report.kind === 'trade') continue;
    const portReports = grouped.get(report.port);
    if (portReports) portReports.push(report);
    else grouped.set(report.port, [report]);
  }
  return grouped;
}

/** The series of a publication with what is known of them. */
async function publishedSeries(
  importValues: IngestStores['importValues'],
  reports: readonly SourceReport[],
): Promise<PublishedSeries[]> {
  const series = reports.flatMap((report) => (report.kind === 'trade' ? seriesOf(report) : []));
  const published: PublishedSeries[] = [];
  await inParallel(series, PARALLEL_SERIES, async ({ code, measure, values }) => {
    const known = latestValues(await importValues.vintages(code, measure));
    published.push({ code, measure, values, known });
  });
  return published;
}

/** Runs `work` on every item, at most `width` at a time. After a failure it starts no further item, and throws. */
async function inParallel<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const failures: unknown[] = [];
  const drain = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined && failures.length === 0; item = queue.shift()) {
      try {
        await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: width }, drain));
  if (failures.length > 0) throw failures[0];
}
