/** Port calls from observations: the one entry to this folder for the ingest. */
import { formatInstant, type Instant } from '../reference/time.ts';
import type { Notice, PortObservation } from './observation.ts';
import { readPoll } from './polls.ts';
import { isSameCall, type Ledger, type PortCall, settle } from './port-call.ts';
import { readBatch } from './records.ts';

/** A ledger after an observation, and the calls whose rows must be written or deleted. */
export interface Applied {
  readonly ledger: Ledger;
  readonly changed: readonly PortCall[];
  readonly removed: readonly PortCall[];
  readonly notices: readonly Notice[];
}

/**
 * Applies one observation of the ledger's port. `changed` has only calls that differ. A poll not newer than the last observation
 * changes nothing. Applying an observation again gives the same calls, also to a ledger whose clocks, or some of whose calls,
 * were not written.
 */
export function applyObservation(ledger: Ledger, observation: PortObservation): Applied {
  const { observedAt, kind } = observation;
  if (kind === 'poll' && observedAt <= (ledger.lastObservedAt ?? Number.NEGATIVE_INFINITY)) {
    return { ledger, changed: [], removed: [], notices: [] };
  }
  const read = kind === 'poll' ? readPoll(ledger, observation) : readBatch(ledger, observation);
  const { clocks, calls, removed } = read;
  const changed = calls.flatMap((call): PortCall[] => {
    const before = ledger.calls.get(call.callId);
    return before !== undefined && isSameCall(before, call) ? [] : [{ ...call, changedAt: observedAt }];
  });
  const notices = [
    ...read.notices,
    ...changed.flatMap((call) => contradiction(ledger.calls.get(call.callId), call)),
  ];
  const current = new Map(ledger.calls);
  for (const { callId } of removed) current.delete(callId);
  for (const call of changed) current.set(call.callId, call);
  const settled = settle(clocks, current, clocks.lastObservedAt ?? observedAt);
  return { ledger: settled, changed, removed, notices };
}

/** A time that the source states differently for two states of a call. The later state counts. */
function contradiction(before: PortCall | undefined, after: PortCall): Notice[] {
  if (before === undefined) return [];
  const stated = ({ ataAt, ataInferred, atdAt, atdInferred }: PortCall) => ({
    ATA: ataInferred ? undefined : ataAt,
    ATD: atdInferred ? undefined : atdAt,
  });
  const [was, is] = [stated(before), stated(after)];
  const text = (at: Instant | undefined): string => (at === undefined ? 'none' : formatInstant(at));
  const differences = (['ATA', 'ATD'] as const)
    .filter((event) => was[event] !== undefined && was[event] !== is[event])
    .map((event) => `${event} ${text(was[event])}, now ${text(is[event])}`);
  if (differences.length === 0) return [];
  const detail = `${before.port} ${before.callId}: ${differences.join('; ')}`;
  return [{ reason: 'contradicted-call', detail }];
}
