/** Judges the replies of one source in order, in memory, as the ingest does. */
import { openLedger } from '../../core/calls/ledger.ts';
import type { PortReport } from '../../core/calls/observation.ts';
import { newestEventAt, refuseUntimely } from '../../core/ingest/freshness.ts';
import { portChanges } from '../../core/ingest/port-changes.ts';
import type { PlannedReports } from '../../core/ingest/port-counts.ts';
import { isCompared, judgeReply, listCounts, ReplyComparison } from '../../core/ingest/reply-counts.ts';
import { seriesOf, valueCounts } from '../../core/ingest/value-counts.ts';
import type { Locode } from '../../core/reference/locode.ts';
import type { Instant, Month } from '../../core/reference/time.ts';
import type { Verdict } from '../../core/upstream/judgement.ts';
import { learned, type ShownLists } from '../../core/upstream/list-history.ts';
import {
  type FetchedFiles,
  type ParsedFetch,
  RefusedReply,
  type Source,
} from '../../core/upstream/source.ts';
import { missingFields, replyFields } from './reply-fields.ts';

export interface CheckedReply {
  readonly fetchedAt: Instant;
  readonly verdict: Verdict;
  /** Declared fields that the reply lacks, and fields that no earlier reply had; undefined for the first one. */
  readonly missing: readonly string[];
  readonly added: readonly string[] | undefined;
  /** Absent where it cannot be read. */
  readonly rows?: number;
  /** Time of the newest event or month that it states. */
  readonly newestAt?: Instant | undefined;
}

const listsOf = (parsed: ParsedFetch) => (parsed.lists.length > 0 ? parsed.lists : listCounts(parsed));

/** A check of one source, which takes its replies one after another. */
export function createReplyCheck(source: Source): (fetchedAt: Instant, files: FetchedFiles) => CheckedReply {
  const { declaration } = source;
  const ledgers = new Map<Locode, PlannedReports['state']['ledger']>();
  const series = new Map<string, Map<Month, number>>();
  let state: Uint8Array | undefined;
  let shown: ShownLists = {};
  let last: { readonly lastFetchAt: Instant; readonly asOfAt: Instant } | undefined;
  let seen: ReadonlySet<string> | undefined;

  /** For positions, the calls that a step makes of them. */
  function read(fetchedAt: Instant, files: FetchedFiles): ParsedFetch {
    if (source.step === undefined) return source.parse({ fetchedAt, files });
    const step = source.step({ fetchedAt, files }, state);
    state = step.state;
    return source.parse({ fetchedAt, files: new Map([...files, ...step.calls]) });
  }

  function plansOf(reports: readonly PortReport[]): PlannedReports[] {
    return [...new Set(reports.map(({ port }) => port))].map((port) => {
      const ledger = ledgers.get(port) ?? openLedger();
      const portReports = reports.filter((report) => report.port === port);
      const changes = portChanges(ledger, portReports);
      return { port, state: { ledger }, older: [], reports: portReports, changes };
    });
  }

  function judge(fetchedAt: Instant, files: FetchedFiles): Omit<CheckedReply, 'fetchedAt' | 'added'> {
    const parsed = read(fetchedAt, files);
    refuseUntimely(parsed, last ?? {}, fetchedAt, declaration);
    const plans = plansOf(parsed.reports.flatMap((report) => (report.kind === 'trade' ? [] : [report])));
    const stated = parsed.reports.flatMap((report) => (report.kind === 'trade' ? seriesOf(report) : []));
    const published = stated.map((value) => ({
      ...value,
      known: series.get(`${value.code} ${value.measure}`) ?? new Map<Month, number>(),
    }));
    const status = { shown, ...last };
    const comparison = new ReplyComparison(parsed.reports, last?.lastFetchAt);
    if (isCompared(declaration)) for (const plan of plans) comparison.add(plan);
    const values = valueCounts(published);
    const verdict = judgeReply(parsed, comparison.counts(), status, fetchedAt, values);
    if (verdict.outcome === 'accepted') {
      for (const { port, changes } of plans) ledgers.set(port, changes.ledger);
      for (const { code, measure, values: months, known } of published)
        series.set(
          `${code} ${measure}`,
          new Map([...known, ...months.map(({ month, value }) => [month, value] as const)]),
        );
      shown = learned(shown, listCounts(parsed));
      last = { lastFetchAt: fetchedAt, asOfAt: parsed.asOfAt };
    }
    const lists = listsOf(parsed);
    return {
      verdict,
      missing: missingFields(
        declaration,
        replyFields(files),
        lists.map(({ list }) => list),
      ),
      rows: lists.reduce((sum, { rows }) => sum + rows, 0),
      newestAt: newestEventAt(parsed.reports, fetchedAt),
    };
  }

  return (fetchedAt, files) => {
    const found = replyFields(files);
    const added = seen && [...found].filter((name) => !seen?.has(name));
    try {
      const judged = judge(fetchedAt, files);
      if (judged.verdict.outcome === 'accepted') seen = new Set([...(seen ?? []), ...found]);
      return { fetchedAt, added, ...judged };
    } catch (error) {
      if (!(error instanceof RefusedReply)) throw error;
      const { reason, message: detail } = error;
      const missing = missingFields(declaration, found);
      return { fetchedAt, added, missing, verdict: { outcome: 'refused', by: 'parser', reason, detail } };
    }
  };
}
