/** The counts of a reply that the judgement needs, from its reports and the changes that they would make, and the verdict. Pure. */
import type { Ledger } from '../calls/ledger.ts';
import type {
  CallBatch,
  CallRecord,
  PortPoll,
  PortReport,
  SourceReport,
  TradeReport,
  VesselInPort,
} from '../calls/observation.ts';
import { isOpen, type PortCall, recordIds } from '../calls/port-call.ts';
import type { Locode } from '../reference/locode.ts';
import { DAY_MS, HOUR_MS, type Instant } from '../reference/time.ts';
import type { SourceStatus } from '../store/source-status.ts';
import type { PortCounts, ValueCounts } from '../upstream/change-doubts.ts';
import { judge, type Verdict } from '../upstream/judgement.ts';
import type { ListCount, ParsedFetch, SourceDeclaration } from '../upstream/source.ts';
import type { PortChanges } from './port-changes.ts';
import { factCounts } from './stated-facts.ts';
import { valueList } from './value-counts.ts';

/** Times further apart than this are of different voyages. */
const MAX_SHIFT_HOURS = 24;

/** What one row says of a call that is known: by how much its times differ, and whether its vessel and its expected time do. */
interface Comparison {
  /** Undefined where no time can be compared. */
  readonly movedMs: number | undefined;
  readonly isRenamed: boolean;
  /** Undefined where no expected time can be compared. */
  readonly isExpectedOtherwise?: boolean | undefined;
}

const statedAta = ({ ataAt, ataInferred }: Pick<PortCall, 'ataAt' | 'ataInferred'>): Instant | undefined =>
  ataInferred ? undefined : ataAt;

/** The difference that all times have in common; undefined where there is no time, or they differ otherwise. */
function commonShift(
  pairs: readonly (readonly [Instant | undefined, Instant | undefined])[],
): number | undefined {
  const shifts = pairs.flatMap(([was, is]) => (was === undefined || is === undefined ? [] : [is - was]));
  const [first] = shifts;
  return first !== undefined && shifts.every((shift) => shift === first) ? first : first && 0;
}

function compareRecord(record: CallRecord, call: PortCall): Comparison {
  const stops = record.stops.map(({ zone, place, ataAt }) => {
    const legs = call.legs.filter((leg) => leg.zone === zone);
    const leg =
      legs.find((candidate) => candidate.place === place) ?? (legs.length === 1 ? legs[0] : undefined);
    return [leg?.startAt, ataAt] as const;
  });
  return {
    movedMs: commonShift([
      [statedAta(call), record.ataAt],
      [call.atdInferred ? undefined : call.atdAt, record.atdAt],
      ...stops,
    ]),
    isRenamed: !record.cancelled && isOther(record, call),
    isExpectedOtherwise:
      record.listedAt === undefined || call.listedAt === undefined
        ? undefined
        : record.listedAt !== call.listedAt,
  };
}

const isOther = (
  row: Pick<CallRecord, 'vesselId' | 'traffic' | 'vesselClass'> | VesselInPort,
  call: PortCall,
): boolean =>
  (row.vesselId !== call.vesselId && !call.otherIds?.includes(row.vesselId)) ||
  ('imo' in row && row.imo !== undefined && call.imo !== undefined && row.imo !== call.imo) ||
  (row.traffic ?? 'cargo') !== call.traffic ||
  row.vesselClass !== call.vesselClass;

/** The known calls, each under every id that the source has recorded it under. */
const byRecordId = (calls: Iterable<PortCall>): Map<string, PortCall> =>
  new Map(
    [...calls].flatMap((call) => (call.recorded ?? [call]).map((record) => [record.callId, record] as const)),
  );

function comparedRecords({ records }: CallBatch, known: ReadonlyMap<string, PortCall>): Comparison[] {
  return records.flatMap((record) => {
    const call = known.get(record.callId);
    return call === undefined ? [] : [compareRecord(record, call)];
  });
}

function comparedRows(
  { inPort = [], arrived = [] }: PortPoll,
  known: ReadonlyMap<string, PortCall>,
): Comparison[] {
  const latest = new Map<string, PortCall>();
  for (const call of known.values())
    for (const id of [call.vesselId, ...(call.otherIds ?? [])])
      if ((latest.get(id)?.ataAt ?? 0) <= call.ataAt) latest.set(id, call);
  const rows = new Map([...arrived, ...inPort].map((row) => [row.vesselId, row] as const));
  return [...rows.values()].flatMap((row) => {
    const call = latest.get(row.vesselId);
    return call === undefined
      ? []
      : [{ movedMs: commonShift([[statedAta(call), row.ataAt]]), isRenamed: isOther(row, call) }];
  });
}

/** The whole hours by which most of the times moved, and how many did. */
function commonHours(compared: readonly Comparison[]): {
  readonly moved: number;
  readonly movedHours: number;
} {
  const counts = new Map<number, number>();
  for (const { movedMs = 0 } of compared) {
    const hours = movedMs / HOUR_MS;
    if (hours === 0 || !Number.isInteger(hours) || Math.abs(hours) > MAX_SHIFT_HOURS) continue;
    counts.set(hours, (counts.get(hours) ?? 0) + 1);
  }
  const [movedHours, moved] = [...counts].reduce(
    (most, entry) => (entry[1] > most[1] ? entry : most),
    [0, 0],
  );
  return { moved, movedHours };
}

/** Whether the reply should say something of an open call: a list of all of them does, a feed of changes only where it names it. */
const speaksOf =
  (reports: readonly PortReport[], named: ReadonlySet<string>) =>
  (call: PortCall): boolean =>
    reports.some((report) =>
      report.kind === 'poll'
        ? report.inPort !== undefined
        : isWithin(call, report) || recordIds(call).some((id) => named.has(id)),
    );

const isWithin = ({ listedAt }: PortCall, { complete }: CallBatch): boolean =>
  complete !== undefined && listedAt !== undefined && listedAt >= complete.fromAt && listedAt < complete.toAt;

/** What the reports of one port change; a plan of its writes has it. */
export interface PlannedReports {
  readonly port: Locode;
  readonly state: { readonly ledger: Ledger };
  readonly older: readonly PortCall[];
  readonly reports: readonly PortReport[];
  readonly changes: PortChanges;
}

/** All counts of a port but that of its calls at other ports, which are known when all ports have been compared. */
function ownCounts(
  { port, state: { ledger }, older, reports, changes }: PlannedReports,
  lastAt: Instant | undefined,
): Omit<PortCounts, 'elsewhere'> {
  const known = byRecordId([...older, ...ledger.calls.values()]);
  const compared = reports.flatMap((report) =>
    report.kind === 'poll' ? comparedRows(report, known) : comparedRecords(report, known),
  );
  const ids = recordedIds(reports);
  const open = [...ledger.calls.values()].filter(isOpen).filter(speaksOf(reports, ids));
  const withdrawn = withdrawnAmong(open, reports, changes).length;
  const { missing, ...facts } = factCounts([...older, ...ledger.calls.values()], reports, changes, lastAt);
  return {
    port,
    open: open.length,
    withdrawn: Math.max(withdrawn, missing),
    known: compared.filter(({ movedMs }) => movedMs !== undefined).length,
    ...commonHours(compared),
    renamed: compared.filter(({ isRenamed }) => isRenamed).length,
    expectedAgain: compared.filter(({ isExpectedOtherwise }) => isExpectedOtherwise !== undefined).length,
    expectedOtherwise: compared.filter(({ isExpectedOtherwise }) => isExpectedOtherwise).length,
    listed: ids.size,
    ...facts,
  };
}

const recordsOf = (reports: readonly SourceReport[]): CallRecord[] =>
  reports.flatMap((report) => (report.kind === 'call-batch' ? report.records : []));

const recordedIds = (reports: readonly SourceReport[]): Set<string> =>
  new Set(recordsOf(reports).map(({ callId }) => callId));

/** Calls that exist no more, other than by a merger, and those that end because a list of the vessels in port lacks them. */
function withdrawnAmong(
  open: readonly PortCall[],
  reports: readonly PortReport[],
  { written, removed }: PortChanges,
): PortCall[] {
  const removedIds = new Set(removed.map(({ callId }) => callId));
  const after = byRecordId(written);
  const isPolled = reports.some(({ kind }) => kind === 'poll');
  return open.filter((call) => {
    const states = recordIds(call).flatMap((id) => after.get(id) ?? []);
    if (removedIds.has(call.callId)) return states.length === 0;
    return isPolled && states.some((state) => !isOpen(state) && state.atdInferred);
  });
}

/** Compares the ports of one reply, one after the other, and keeps counts of them alone. */
export class ReplyComparison {
  /** By call of the reply, the ports that list it or have it open. */
  private readonly portsOf: ReadonlyMap<string, Set<Locode>>;
  private readonly ports: { readonly own: Omit<PortCounts, 'elsewhere'>; readonly ids: Set<string> }[] = [];

  /** @param lastAt the last accepted reply */
  constructor(
    reports: readonly SourceReport[],
    private readonly lastAt: Instant | undefined,
  ) {
    this.portsOf = new Map([...recordedIds(reports)].map((callId) => [callId, new Set()]));
  }

  add(plan: PlannedReports): void {
    const { port, state, reports } = plan;
    const known = [...state.ledger.calls.values()].filter(isOpen).flatMap(recordIds);
    const listed = recordsOf(reports).flatMap(({ callId, cancelled }) => (cancelled ? [] : [callId]));
    for (const callId of [...known, ...listed]) this.portsOf.get(callId)?.add(port);
    this.ports.push({ own: ownCounts(plan, this.lastAt), ids: recordedIds(reports) });
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
function valueRows({ measure, values }: TradeReport): ListCount[] {
  const lists = new Map<string, number>();
  for (const { code } of values) {
    const list = valueList(code, measure);
    lists.set(list, (lists.get(list) ?? 0) + 1);
  }
  return [...lists].map(([list, rows]) => ({ list, rows, refused: 0 }));
}

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
 * The rows of each list as the source counts them, else as its reports have them, with all refusals together. Batches of changes have
 * no usual number of rows, so that nothing is learned of each of them. Monthly values are counted by level and measure too.
 */
export function listCounts({ lists, reports, refusals }: ParsedFetch): readonly ListCount[] {
  const values = reports.flatMap((report) => (report.kind === 'trade' ? valueRows(report) : []));
  if (lists.length > 0) return [...lists, ...values];
  const reported = reports.flatMap(rowsOf);
  const rows = reported.reduce((sum, list) => sum + list.rows, 0);
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
