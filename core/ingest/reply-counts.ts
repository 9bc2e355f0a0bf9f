/** The counts of a reply that the judgement needs, from its reports and the changes that they would make, and the verdict. Pure. */
import type { SourceReport, TradeReport } from '../calls/observation.ts';
import { recordIds } from '../calls/port-call.ts';
import { groupBy } from '../reference/grouping.ts';
import type { Locode } from '../reference/locode.ts';
import { sum } from '../reference/statistics.ts';
import { DAY_MS, type Instant } from '../reference/time.ts';
import type { SourceStatus } from '../store/source-status.ts';
import { judge, type PortCounts, type ValueCounts, type Verdict } from '../upstream/judgement.ts';
import type { ListCount, ParsedFetch, SourceDeclaration } from '../upstream/source.ts';
import { recordsOf } from './port-changes.ts';
import { type OwnCounts, ownCounts, type PlannedReports } from './port-counts.ts';
import { valueList } from './value-counts.ts';

/** Compares the ports of one reply, one after the other, and keeps counts of them alone. */
export class ReplyComparison {
  /** By call of the reply, the ports that list it or know it. */
  private readonly portsOf: ReadonlyMap<string, Set<Locode>>;
  private readonly ports: { readonly own: OwnCounts; readonly ids: ReadonlySet<string> }[] = [];

  /** @param lastAt the last accepted reply */
  constructor(
    reports: readonly SourceReport[],
    private readonly lastAt = Number.NEGATIVE_INFINITY,
  ) {
    const records = recordsOf(reports.filter((report) => report.kind !== 'trade'));
    this.portsOf = new Map(records.map(({ callId }) => [callId, new Set()]));
  }

  add(plan: PlannedReports): void {
    const { port, state, reports } = plan;
    const records = recordsOf(reports);
    const known = [...state.ledger.calls.values()].flatMap(recordIds);
    const listed = records.flatMap(({ callId, cancelled }) => (cancelled ? [] : [callId]));
    for (const callId of [...known, ...listed]) this.portsOf.get(callId)?.add(port);
    const ids = new Set(records.map(({ callId }) => callId));
    this.ports.push({ own: ownCounts(plan, this.lastAt), ids });
  }

  /** By port. */
  counts(): PortCounts[] {
    const isElsewhere = (callId: string, port: Locode): boolean =>
      [...(this.portsOf.get(callId) ?? [])].some((other) => other !== port);
    return this.ports
      .map(({ own, ids }) => ({
        ...own,
        elsewhere: [...ids].filter((callId) => isElsewhere(callId, own.port)).length,
      }))
      .sort((a, b) => (a.port < b.port ? -1 : 1));
  }
}

/** Values by level and measure. */
const valueRows = ({ measure, values }: TradeReport): ListCount[] =>
  [...groupBy(values, ({ code }) => valueList(code, measure))].map(([list, rows]) => ({
    list,
    rows: rows.length,
    refused: 0,
  }));

const rowsOf = (report: SourceReport): ListCount[] => {
  if (report.kind === 'trade') return [];
  const { port } = report;
  if (report.kind === 'poll')
    return (['inPort', 'arrived', 'departed'] as const).flatMap((list) => {
      const rows = report[list];
      return rows === undefined ? [] : [{ list, port, rows: rows.length, refused: 0, days: 1 }];
    });
  const { records, complete } = report;
  const days = complete && { days: (complete.toAt - complete.fromAt) / DAY_MS };
  return [{ list: 'calls', port, rows: records.length, refused: 0, ...days }];
};

/**
 * The rows of each list as the source counts them, else as its reports have them, with all refusals together; batches of changes have no
 * usual number of rows. Monthly values are counted by level and measure too.
 */
export function listCounts({ lists, reports, refusals }: ParsedFetch): readonly ListCount[] {
  const values = reports.flatMap((report) => (report.kind === 'trade' ? valueRows(report) : []));
  if (lists.length > 0) return [...lists, ...values];
  const reported = reports.flatMap(rowsOf);
  const rows = sum(reported.map((list) => list.rows)) + refusals.count;
  return [
    ...reported.filter(({ days }) => days !== undefined),
    ...values,
    { list: 'rows', rows, refused: refusals.count },
  ];
}

/** Calls that are made from positions are judged by the steps that make them: they correct and withdraw their own. */
export const isCompared = ({ kind, boxes }: SourceDeclaration): boolean =>
  boxes === undefined && kind !== 'trade';

/** The verdict on a reply that can be read. `ports`: where its source is compared. */
export function judgeReply(
  parsed: ParsedFetch,
  ports: readonly PortCounts[],
  { shown = {}, lastFetchAt }: Pick<SourceStatus, 'shown' | 'lastFetchAt'>,
  fetchedAt: Instant,
  values: readonly ValueCounts[] = [],
): Verdict {
  return judge({ lists: listCounts(parsed), ports, values }, shown, fetchedAt - (lastFetchAt ?? fetchedAt));
}
