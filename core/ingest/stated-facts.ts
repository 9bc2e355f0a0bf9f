/** What a reply says of the past: facts stated before that would differ, and calls that earlier replies should have had. Pure. */
import type { CallBatch, PortPoll, PortReport } from '../calls/observation.ts';
import { isOpen, type PortCall, recordIds } from '../calls/port-call.ts';
import { DAY_MS, HOUR_MS, type Instant } from '../reference/time.ts';
import type { PortChanges } from './port-changes.ts';

export interface FactCounts {
  /** All reports are of everything in a span or in port, so that known calls are rarely corrected in them. */
  readonly isWhole: boolean;
  /** Known calls that the reply names. */
  readonly named: number;
  /** Of these, the calls of which a time, a place or the vessel that was stated before would differ. */
  readonly rewritten: number;
  /** Vessels in port that the reply has at another place than the last one. */
  readonly relocated: number;
  /** Vessels in port that a list of them lacks without a departure. */
  readonly missing: number;
  /** Events of the reply so long before the last accepted one that it should have had them, and those of unknown calls. */
  readonly past: number;
  readonly strangers: number;
  /** Known calls that changed in the span of a feed of changes, and those that it does not have as they are known. */
  readonly due: number;
  readonly unsaid: number;
}

/** Records are entered late, and reach a feed late; lists of the vessels in port are not. */
const LATE_MS = { record: DAY_MS, row: 3 * HOUR_MS, change: HOUR_MS };

/** A later list may state a berth of the terminal that an earlier one named. */
const isSamePlace = (a: string | undefined, b: string | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && (a.startsWith(`${b} > `) || b.startsWith(`${a} > `)));

/** Whether the call after a reply lacks something that was stated of it before. */
function isRewritten(before: PortCall, after: PortCall): boolean {
  if (!before.ataInferred && after.ataAt !== before.ataAt) return true;
  if (before.atdAt !== undefined && !before.atdInferred && after.atdAt !== before.atdAt) return true;
  const ids = [after.vesselId, ...(after.otherIds ?? [])];
  if (!ids.includes(before.vesselId) || after.traffic !== before.traffic) return true;
  if (before.vesselClass !== undefined && after.vesselClass !== before.vesselClass) return true;
  return before.legs.some(
    (leg) =>
      !after.legs.some(
        ({ startAt, zone, place }) =>
          startAt === leg.startAt && zone === leg.zone && isSamePlace(place, leg.place),
      ),
  );
}

const placeOf = (call: PortCall): string | undefined => call.legs.at(-1)?.place;

interface NamedEvent {
  readonly call: PortCall | undefined;
  readonly isPast: boolean;
}

/**
 * A list should have had a call since its first event, a feed of changes since the change: it may name calls that began before it
 * was first read.
 */
function recordEvents(
  { records, changesFromAt }: CallBatch,
  calls: ReadonlyMap<string, PortCall>,
  lastAt: Instant,
): NamedEvent[] {
  return records
    .filter(({ cancelled }) => !cancelled)
    .map(({ callId, ataAt, atdAt, stops, recordedAt }) => {
      const call = calls.get(callId);
      if (changesFromAt !== undefined)
        return { call, isPast: recordedAt >= changesFromAt && recordedAt < lastAt - LATE_MS.change };
      const times = [ataAt, atdAt, ...stops.map((stop) => stop.ataAt)].filter((at) => at !== undefined);
      const isPast = times.length > 0 && Math.min(...times) < lastAt - LATE_MS.record;
      return { call, isPast };
    });
}

/** Known calls that changed since the beginning of a feed of changes, and those that it lacks or has as they were before. */
function statedChanges(known: readonly PortCall[], reports: readonly PortReport[]): [number, number] {
  const feeds = reports.flatMap((report) =>
    report.kind === 'call-batch' && report.changesFromAt !== undefined
      ? [{ ...report, changesFromAt: report.changesFromAt }]
      : [],
  );
  let [due, unsaid] = [0, 0];
  for (const { records, changesFromAt } of feeds) {
    const stated = new Map(records.map(({ callId, recordedAt }) => [callId, recordedAt]));
    for (const call of known) {
      const { recordedAt = Number.NEGATIVE_INFINITY } = call;
      if (recordedAt < changesFromAt) continue;
      due += 1;
      const isSaid = recordIds(call).some((id) => (stated.get(id) ?? Number.NEGATIVE_INFINITY) >= recordedAt);
      if (!isSaid) unsaid += 1;
    }
  }
  return [due, unsaid];
}

/** A row is of a known call when that has its time. */
function rowEvents(
  { inPort = [], arrived = [], departed = [] }: PortPoll,
  calls: ReadonlyMap<string, readonly PortCall[]>,
  lastAt: Instant,
): NamedEvent[] {
  const rows = [
    ...[...inPort, ...arrived].map(({ vesselId, ataAt }) => ({ vesselId, key: 'ataAt' as const, at: ataAt })),
    ...departed.map(({ vesselId, atdAt }) => ({ vesselId, key: 'atdAt' as const, at: atdAt })),
  ];
  return rows.map(({ vesselId, key, at }) => ({
    call: calls.get(vesselId)?.find((call) => call[key] === at),
    isPast: at < lastAt - LATE_MS.row,
  }));
}

/** Vessels in port that a list of all of them lacks, and of which no list states that they have left. */
function missingFrom(reports: readonly PortReport[], open: readonly PortCall[]): number {
  return Math.max(
    0,
    ...reports.map((report) => {
      if (report.kind !== 'poll' || report.inPort === undefined) return 0;
      const rows = [report.inPort, report.arrived ?? [], report.departed ?? []].flat();
      const listed = new Set([...rows.map(({ vesselId }) => vesselId), ...(report.unreadable ?? [])]);
      return open.filter((call) => ![call.vesselId, ...(call.otherIds ?? [])].some((id) => listed.has(id)))
        .length;
    }),
  );
}

/**
 * @param known calls of the port before the reply
 * @param lastAt time of the last accepted reply; undefined before the first
 */
export function factCounts(
  known: Iterable<PortCall>,
  reports: readonly PortReport[],
  { written }: PortChanges,
  lastAt: Instant | undefined,
): FactCounts {
  const before = [...known];
  const byRecord = new Map(before.flatMap((call) => recordIds(call).map((id) => [id, call] as const)));
  const byVessel = new Map<string, PortCall[]>();
  for (const call of before)
    for (const id of [call.vesselId, ...(call.otherIds ?? [])])
      byVessel.set(id, [...(byVessel.get(id) ?? []), call]);
  const events = reports.flatMap((report) =>
    report.kind === 'poll'
      ? rowEvents(report, byVessel, lastAt ?? Number.NEGATIVE_INFINITY)
      : recordEvents(report, byRecord, lastAt ?? Number.NEGATIVE_INFINITY),
  );
  const pairs = written.flatMap((after) => {
    const call = byRecord.get(after.callId);
    return call === undefined ? [] : [[call, after] as const];
  });
  const isWhole = reports.every((report) => report.kind === 'poll' || report.complete !== undefined);
  const isFeed = reports.some((report) => report.kind === 'call-batch' && report.changesFromAt !== undefined);
  const past = events.filter(({ isPast }) => isPast && (isWhole || isFeed));
  const [due, unsaid] = statedChanges(before, reports);
  return {
    isWhole,
    named: new Set(events.map(({ call }) => call?.callId).filter((id) => id !== undefined)).size,
    rewritten: pairs.filter(([call, after]) => isRewritten(call, after)).length,
    relocated: reports.some(({ kind }) => kind === 'poll')
      ? pairs.filter(
          ([call, after]) => isOpen(call) && isOpen(after) && !isSamePlace(placeOf(call), placeOf(after)),
        ).length
      : 0,
    missing: missingFrom(reports, before.filter(isOpen)),
    past: past.length,
    strangers: past.filter(({ call }) => call === undefined).length,
    due,
    unsaid,
  };
}
