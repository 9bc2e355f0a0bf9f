/** Port calls from records with event times: the newest record of a call replaces the earlier ones. */
import { DAY_MS } from '../reference/time.ts';
import { addCoverage } from './coverage.ts';
import type { Ledger, Reading } from './ledger.ts';
import type { CallBatch, CallRecord } from './observation.ts';
import type { PortCall } from './port-call.ts';
import { lastEventAt, recordedCalls, visitsOf } from './record-merging.ts';
import { callOf, completed } from './recorded-call.ts';

/** A withdrawal is remembered for this long, so that an older record does not restore the call. */
const WITHDRAWAL_KEPT_MS = 60 * DAY_MS;

/** The newest record of each call; of two with one stamp, the later in the list. */
function newestRecords(records: readonly CallRecord[]): Map<string, CallRecord> {
  const newest = new Map<string, CallRecord>();
  for (const record of records) {
    const known = newest.get(record.callId);
    if (known === undefined || record.recordedAt >= known.recordedAt) newest.set(record.callId, record);
  }
  return newest;
}

/** Whether the ledger has a newer record of the call. */
function isOutdated(
  record: CallRecord,
  batch: CallBatch,
  known: PortCall | undefined,
  ledger: Ledger,
): boolean {
  const withdrawnAt = ledger.cancelled[record.callId];
  if (withdrawnAt !== undefined && record.recordedAt <= withdrawnAt) return true;
  if (known?.recordedAt === undefined || record.recordedAt > known.recordedAt) return false;
  return record.recordedAt < known.recordedAt || batch.observedAt < known.changedAt;
}

/** Calls in the window of the complete list that are missing from it. */
function withdrawnBy({ complete, observedAt, records }: CallBatch, known: Iterable<PortCall>): PortCall[] {
  if (complete === undefined) return [];
  const listed = new Set([...records.map(({ callId }) => callId), ...(complete.unreadable ?? [])]);
  return [...known].filter(({ callId, listedAt, recordedAt = complete.recordedAt, changedAt }) => {
    if (listedAt === undefined || listedAt < complete.fromAt || listedAt >= complete.toAt) return false;
    const isNewer = recordedAt > complete.recordedAt;
    const isLater = recordedAt === complete.recordedAt && changedAt > observedAt;
    return !listed.has(callId) && !isNewer && !isLater;
  });
}

/** Applies a batch of records. Batches may come in any order; an outdated record changes nothing. */
export function readBatch(ledger: Ledger, batch: CallBatch): Reading {
  const known = new Map([...ledger.calls.values()].flatMap(recordedCalls).map((call) => [call.callId, call]));
  const recorded = new Map(known);
  const cancelled = new Map(Object.entries(ledger.cancelled));
  for (const record of newestRecords(batch.records).values()) {
    const { callId, recordedAt } = record;
    const before = known.get(callId);
    if (isOutdated(record, batch, before, ledger)) continue;
    const call = record.cancelled ? undefined : callOf(completed(record, before), batch);
    if (call !== undefined) {
      cancelled.delete(callId);
      recorded.set(callId, before === undefined ? call : continued(call, before));
      continue;
    }
    if (record.cancelled || before) cancelled.set(callId, recordedAt);
    recorded.delete(callId);
  }
  const withdrawn = withdrawnBy(batch, known.values());
  for (const { callId } of withdrawn) {
    cancelled.set(callId, batch.complete?.recordedAt ?? batch.observedAt);
    recorded.delete(callId);
  }
  const calls = batch.arrivalsElsewhere === undefined ? recorded : visitsOf(recorded, batch);
  const lastObservedAt = Math.max(ledger.lastObservedAt ?? batch.observedAt, batch.observedAt);
  const lasting = [...cancelled].filter(([, at]) => at >= lastObservedAt - WITHDRAWAL_KEPT_MS);
  const { calls: _, ...clocks } = ledger;
  return {
    calls: [...calls.values()].filter((call) => call !== ledger.calls.get(call.callId)),
    removed: [...ledger.calls.values()].filter(({ callId }) => !calls.has(callId)),
    notices: withdrawn.map(({ port, callId }) => ({ reason: 'withdrawn-call', detail: `${port} ${callId}` })),
    clocks: {
      ...clocks,
      coverage: addCoverage(ledger.coverage, { fromAt: batch.coveredFromAt, toAt: batch.observedAt }),
      lastObservedAt,
      cancelled: Object.fromEntries(lasting),
    },
  };
}

/** `call` under the key of its first record, with its arrival elsewhere if that still follows its events. */
function continued(call: PortCall, { firstAtaAt, elsewhereAt }: PortCall): PortCall {
  const isOver = elsewhereAt !== undefined && call.atdAt === undefined && elsewhereAt > lastEventAt(call);
  return { ...call, firstAtaAt, elsewhereAt: isOver ? elsewhereAt : undefined };
}
