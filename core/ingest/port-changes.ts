/** What the reports of one fetch change in one port: computed whole before anything of it is written. */
import { isDeepStrictEqual } from 'node:util';
import type { Coverage } from '../calls/coverage.ts';
import { clocksOf, LEDGER_REACH_MS, type Ledger } from '../calls/ledger.ts';
import type { CallRecord, PortReport } from '../calls/observation.ts';
import type { PortCall } from '../calls/port-call.ts';
import { applyReport } from '../calls/reconstruct.ts';
import { DAY_MS, type Instant } from '../reference/time.ts';
import { firstDifferenceAt } from './touched.ts';

export interface PortChanges {
  readonly ledger: Ledger;
  /** Calls to be written, as they are now. */
  readonly written: readonly PortCall[];
  /** Calls whose rows are to be deleted, as they were. */
  readonly removed: readonly PortCall[];
  /** Every state that the touched calls had before and have now. */
  readonly states: readonly PortCall[];
  /** From here on metrics may differ; undefined when the reports said nothing new. */
  readonly firstTouchedAt: Instant | undefined;
}

/** The first instant that is covered in one and not in the other; infinite when there is none. */
export function firstCoverageDifferenceAt(before: Coverage, after: Coverage): Instant {
  for (let i = 0; i < Math.max(before.length, after.length); i += 1) {
    const [was, is] = [before[i], after[i]];
    if (was === undefined || is === undefined) return (was ?? is)?.fromAt ?? Number.POSITIVE_INFINITY;
    if (was.fromAt !== is.fromAt) return Math.min(was.fromAt, is.fromAt);
    if (was.toAt !== is.toAt) return Math.min(was.toAt, is.toAt);
  }
  return Number.POSITIVE_INFINITY;
}

/** The earliest time that a record states, infinite when it states none. */
function earliestOf({ ataAt, atdAt, stops }: CallRecord): Instant {
  const stated = [ataAt, atdAt, ...stops.flatMap((stop) => [stop.ataAt, stop.atdAt])];
  return Math.min(...stated.filter((at) => at !== undefined));
}

/** An ATA may have been corrected by this much since the call's row was made. */
const CORRECTION_MARGIN_MS = 10 * DAY_MS;

/**
 * The first ATA from which on calls have to be read besides those of the ledger: records may speak of calls that
 * left it long ago, and must find them, or they would be told twice. Undefined when all are in the ledger's reach.
 */
export function olderCallsSince(ledger: Ledger, reports: readonly PortReport[]): Instant | undefined {
  const records = reports.flatMap((report) => (report.kind === 'call-batch' ? report.records : []));
  const newestAt = Math.max(ledger.lastObservedAt ?? 0, ...reports.map(({ observedAt }) => observedAt));
  const earliest = records.filter(({ callId }) => !ledger.calls.has(callId)).map(earliestOf);
  const since = earliest.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY);
  return since < newestAt - LEDGER_REACH_MS ? since - CORRECTION_MARGIN_MS : undefined;
}

/**
 * Applies reports in their order. `older` are stored calls that the ledger no longer holds and that records may
 * speak of.
 */
export function changesOf(
  before: Ledger,
  reports: readonly PortReport[],
  older: readonly PortCall[] = [],
): PortChanges {
  const past = new Map(older.map((call) => [call.callId, call]));
  const initial = new Map([...past, ...before.calls]);
  const latest = new Map<string, PortCall | undefined>();
  let ledger = before;
  for (const report of reports) {
    const known = past.size === 0 ? ledger : { ...ledger, calls: new Map([...past, ...ledger.calls]) };
    const { changed, removed, ...applied } = applyReport(known, report);
    ledger = applied.ledger;
    for (const call of changed) latest.set(call.callId, call);
    for (const { callId } of removed) latest.set(callId, undefined);
    if (past.size === 0) continue;
    for (const call of changed) past.set(call.callId, call);
    for (const { callId } of removed) past.delete(callId);
  }
  const pairs = [...latest].map(([callId, is]) => ({ was: initial.get(callId), is }));
  const states = pairs.flatMap(({ was, is }) => [was, is]).filter((call) => call !== undefined);
  const nothingNew = states.length === 0 && isDeepStrictEqual(clocksOf(ledger), clocksOf(before));
  return {
    ledger,
    written: pairs.map(({ is }) => is).filter((call) => call !== undefined),
    removed: pairs.flatMap(({ was, is }) => (was !== undefined && is === undefined ? [was] : [])),
    states,
    firstTouchedAt: nothingNew
      ? undefined
      : Math.min(
          ...pairs.map(({ was, is }) =>
            (was ?? is) ? firstDifferenceAt(was, is) : Number.POSITIVE_INFINITY,
          ),
          firstCoverageDifferenceAt(before.coverage, ledger.coverage),
          before.lastObservedAt ?? ledger.lastObservedAt ?? Number.POSITIVE_INFINITY,
        ),
  };
}
