/** The changes that the reports of one fetch make to one port, and from when; computed before anything is written. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { Coverage } from '../calls/coverage.ts';
import { LEDGER_REACH_MS, type Ledger, ledgerClocks } from '../calls/ledger.ts';
import type { CallRecord, Notice, PortReport } from '../calls/observation.ts';
import { closedStays, LAID_UP_MS, type PortCall, recordIds, type Stay } from '../calls/port-call.ts';
import { applyReport } from '../calls/reconstruct.ts';
import {
  type Day,
  dayOf,
  earliestOf,
  earliestStated,
  endOfDay,
  type Instant,
  latestOf,
  startOfDay,
} from '../reference/time.ts';

export interface PortChanges {
  readonly ledger: Ledger;
  /** Calls to write, as they are now. */
  readonly written: readonly PortCall[];
  /** Calls whose rows are to be deleted, as they were. */
  readonly removed: readonly PortCall[];
  /** Every state that the changed calls had before and have now. */
  readonly states: readonly PortCall[];
  /** Those that they had before. */
  readonly before: readonly PortCall[];
  readonly notices: readonly Notice[];
  /** Metrics may differ from this instant on; undefined when the reports contain nothing new. */
  readonly changedFromAt: Instant | undefined;
}

/**
 * Applies reports in their order.
 * @param older stored calls that the ledger no longer has: those of the records, and those that may overlap with them
 */
export function portChanges(
  before: Ledger,
  reports: readonly PortReport[],
  older: readonly PortCall[] = [],
): PortChanges {
  const past = new Map(older.map((call) => [call.callId, call]));
  const initial = new Map([...past, ...before.calls]);
  const latest = new Map<string, PortCall | undefined>();
  const notices: Notice[] = [];
  let ledger = before;
  for (const report of reports) {
    const known = past.size === 0 ? ledger : { ...ledger, calls: new Map([...past, ...ledger.calls]) };
    const { changed, removed, ...applied } = applyReport(known, report);
    ledger = applied.ledger;
    for (const notice of applied.notices) notices.push(notice);
    for (const call of changed) latest.set(call.callId, call);
    for (const { callId } of removed) latest.set(callId, undefined);
    if (past.size === 0) continue;
    for (const call of changed) past.set(call.callId, call);
    for (const { callId } of removed) past.delete(callId);
  }
  const pairs = [...latest].map(([callId, is]) => ({ was: initial.get(callId), is }));
  return changesBetween(before, ledger, pairs, notices);
}

/** The changes from one ledger to another, given the calls in which they differ. */
export function changesBetween(
  before: Ledger,
  ledger: Ledger,
  pairs: readonly { readonly was: PortCall | undefined; readonly is: PortCall | undefined }[],
  notices: readonly Notice[] = [],
): PortChanges {
  const states = pairs.flatMap(({ was, is }) => [was, is]).filter((call) => call !== undefined);
  const isUnchanged = states.length === 0 && isDeepStrictEqual(ledgerClocks(ledger), ledgerClocks(before));
  return {
    ledger,
    written: pairs.map(({ is }) => is).filter((call) => call !== undefined),
    removed: pairs.flatMap(({ was, is }) => (was !== undefined && is === undefined ? [was] : [])),
    states,
    before: pairs.flatMap(({ was }) => was ?? []),
    notices,
    changedFromAt: isUnchanged
      ? undefined
      : Math.min(
          earliestOf(pairs.map(({ was, is }) => firstDifferenceAt(was, is))),
          firstCoverageDifferenceAt(before.coverage, ledger.coverage),
          earliestStated([before.lastObservedAt, ledger.lastObservedAt]) ?? Number.POSITIVE_INFINITY,
        ),
  };
}

export const recordsOf = (reports: readonly PortReport[]): CallRecord[] =>
  reports.flatMap((report) => (report.kind === 'call-batch' ? report.records : []));

/** Ids of records whose call the ledger lacks: it is new, or left the ledger long ago. */
export function unknownIds(ledger: Ledger, reports: readonly PortReport[]): string[] {
  const known = new Set([...ledger.calls.values()].flatMap(recordIds));
  const ids = recordsOf(reports).map(({ callId }) => callId);
  return [...new Set(ids)].filter((id) => !known.has(id));
}

/**
 * The first ATA from which the stored calls are needed too, because a record that the ledger no longer has may overlap with another call of its
 * vessel; undefined where none does. A call that lasted longer than a laid-up vessel's counts nowhere.
 * @param known calls that the ledger lacks and that are found by their ids
 */
export function overlappedSince(
  ledger: Ledger,
  reports: readonly PortReport[],
  known: readonly PortCall[],
): Instant | undefined {
  const merging = reports.filter(
    (report) => report.kind === 'call-batch' && report.arrivalsElsewhere !== undefined,
  );
  const ids = new Set([...ledger.calls.values(), ...known].flatMap(recordIds));
  const since = earliestOf(
    recordsOf(merging)
      .filter(({ callId }) => !ids.has(callId))
      .map(({ ataAt, atdAt, stops }) =>
        earliest(ataAt, atdAt, ...stops.flatMap((stop) => [stop.ataAt, stop.atdAt])),
      ),
  );
  const newestAt = Math.max(
    ledger.lastObservedAt ?? 0,
    latestOf(reports.map(({ observedAt }) => observedAt)),
  );
  return since < newestAt - LEDGER_REACH_MS ? since - LAID_UP_MS : undefined;
}

/** The earliest of the instants that are stated; infinite when none is. */
const earliest = (...instants: readonly (Instant | undefined)[]): Instant =>
  earliestStated(instants) ?? Number.POSITIVE_INFINITY;

const callStart = (call: PortCall): Instant => earliest(call.ataAt, call.legs[0]?.startAt);

/** Fields that change a figure. */
const CALL_FIELDS = ['vesselId', 'ataAt', 'waitKnown', 'traffic', 'vesselClass'] as const;
const LEG_FIELDS = ['zone', 'startAt', 'endAt', 'startUnknown', 'endUnknown'] as const;

/** The first instant at which two states of one call differ; a call that is new or removed differs from its start. */
export function firstDifferenceAt(before: PortCall | undefined, after: PortCall | undefined): Instant {
  if (before === undefined || after === undefined || CALL_FIELDS.some((name) => before[name] !== after[name]))
    return earliest(before && callStart(before), after && callStart(after));
  const longer = before.legs.length > after.legs.length ? before.legs : after.legs;
  const at = longer.findIndex((_, i) =>
    LEG_FIELDS.some((name) => before.legs[i]?.[name] !== after.legs[i]?.[name]),
  );
  const [was, is] = [before.legs[at], after.legs[at]];
  const onlyEndDiffers = was?.zone === is?.zone && was?.startAt === is?.startAt;
  const legAt = onlyEndDiffers ? earliest(was?.endAt, is?.endAt) : earliest(was?.startAt, is?.startAt);
  const atdAt = before.atdAt === after.atdAt ? undefined : earliest(before.atdAt, after.atdAt);
  return earliest(legAt, atdAt);
}

/** The first instant that only one of the two covers; infinite when there is none. */
export function firstCoverageDifferenceAt(before: Coverage, after: Coverage): Instant {
  for (let i = 0; i < Math.max(before.length, after.length); i += 1) {
    const [was, is] = [before[i], after[i]];
    if (was === undefined || is === undefined) return (was ?? is)?.fromAt ?? Number.POSITIVE_INFINITY;
    if (was.fromAt !== is.fromAt) return Math.min(was.fromAt, is.fromAt);
    if (was.toAt !== is.toAt) return Math.min(was.toAt, is.toAt);
  }
  return Number.POSITIVE_INFINITY;
}

/** UTC days on which a closed stay of any of `calls` ended. */
export const stayEndDays = (calls: Iterable<PortCall>): Set<Day> =>
  new Set([...calls].flatMap((call) => closedStays(call).map(({ endAt }) => dayOf(endAt))));

export interface StayDays {
  /** Days to compute. */
  readonly days: Iterable<Day>;
  /** The ledger has every stay that ended on or after this day. */
  readonly ledgerFromDay: Day;
  readonly ledger: Iterable<PortCall>;
  /** Changed calls as they are now, in the ledger or not. */
  readonly changed: readonly PortCall[];
  readonly removedIds: ReadonlySet<string>;
  /** Stays of the earlier days as the table has them. */
  readonly stored: Iterable<Stay>;
}

/** All stays of each day: from `ledgerFromDay` on the ledger's, before that the stored ones updated by the changed calls. */
export function staysByDay(input: StayDays): Map<Day, Stay[]> {
  const { ledgerFromDay, changed, removedIds } = input;
  const byDay = new Map<Day, Stay[]>(Array.from(input.days, (day) => [day, []]));
  const changedIds = new Set([...removedIds, ...changed.map(({ callId }) => callId)]);
  for (const stay of input.stored) {
    const day = dayOf(stay.endAt);
    if (day < ledgerFromDay && !changedIds.has(stay.callId)) byDay.get(day)?.push(stay);
  }
  const calls = new Map([...changed, ...input.ledger].map((call) => [call.callId, call]));
  const days = [...byDay.keys()];
  const [fromAt, toAt] = [earliestOf(days.map(startOfDay)), latestOf(days.map(endOfDay))];
  for (const call of calls.values()) {
    if (removedIds.has(call.callId)) continue;
    for (const stay of closedStays(call)) {
      if (stay.endAt < fromAt || stay.endAt >= toAt) continue;
      const day = dayOf(stay.endAt);
      if (day >= ledgerFromDay || changedIds.has(call.callId)) byDay.get(day)?.push(stay);
    }
  }
  return byDay;
}

/** Whether two lists have the same stays, in any order. */
export function sameStays(a: readonly Stay[], b: readonly Stay[]): boolean {
  const texts = (stays: readonly Stay[]): string[] =>
    stays.map(({ callId, kind, startAt, endAt }) => `${startAt} ${endAt} ${kind} ${callId}`).sort();
  return isDeepStrictEqual(texts(a), texts(b));
}
