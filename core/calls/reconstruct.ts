/** Port calls from reports: the one entry to this folder for the ingest. */
import { type Ledger, settle } from './ledger.ts';
import type { PortReport } from './observation.ts';
import { readPoll } from './poll-reconstruction.ts';
import { isSameCall, type PortCall } from './port-call.ts';
import { readBatch } from './record-reconstruction.ts';

/** A ledger after a report, and the calls whose rows have to be written or deleted for it. */
export interface Applied {
  readonly ledger: Ledger;
  readonly changed: readonly PortCall[];
  readonly removed: readonly PortCall[];
}

/**
 * Applies one report of the ledger's port. `changed` has only calls that differ from before. A poll that is not newer
 * than the last report changes nothing. Applying a report again gives the same calls, also to a ledger whose clocks
 * were not written, or only some of whose calls were.
 */
export function applyReport(ledger: Ledger, report: PortReport): Applied {
  const { observedAt, kind } = report;
  if (kind === 'poll' && observedAt <= (ledger.lastObservedAt ?? Number.NEGATIVE_INFINITY)) {
    return { ledger, changed: [], removed: [] };
  }
  const { clocks, calls, removed } = kind === 'poll' ? readPoll(ledger, report) : readBatch(ledger, report);
  const changed: PortCall[] = [];
  const current = new Map(ledger.calls);
  for (const { callId } of removed) current.delete(callId);
  for (const call of calls) {
    const before = ledger.calls.get(call.callId);
    if (before !== undefined && isSameCall(before, call)) continue;
    const after = { ...call, changedAt: observedAt };
    changed.push(after);
    current.set(call.callId, after);
  }
  return { ledger: settle(clocks, current, clocks.lastObservedAt ?? observedAt), changed, removed };
}
