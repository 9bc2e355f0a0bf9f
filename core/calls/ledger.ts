/** The ledger of one port: its recent and open calls, and how far its reports have been read. */
import { DAY_MS, type Instant } from '../reference/time.ts';
import type { Coverage } from './coverage.ts';
import type { Notice } from './observation.ts';
import { leftAt, type PortCall } from './port-call.ts';

/** How long a call stays in the ledger after its vessel left: longer than any list or window reaches back. */
export const LEDGER_REACH_MS = 35 * DAY_MS;

export interface CallKey {
  readonly callId: string;
  readonly firstAtaAt: Instant;
}

/** State of a port between two reports; plain data, written after the calls. */
export interface PortClocks {
  readonly coverage: Coverage;
  /** `observedAt` of the newest report applied. */
  readonly lastObservedAt?: Instant;
  /** `observedAt` of the newest poll with a usable list of the vessels in port. */
  readonly lastInPortAt?: Instant;
  /** Calls of the ledger whose first ATA is beyond the reach; each is read by its key. */
  readonly longStays: readonly CallKey[];
  /** Records withdrawn recently: the stamp of the withdrawal, by call id. */
  readonly cancelled: Readonly<Record<string, Instant>>;
}

export interface Ledger extends PortClocks {
  readonly calls: ReadonlyMap<string, PortCall>;
}

/** What a report says of a port, before it is compared with the ledger. */
export interface Reading {
  readonly clocks: PortClocks;
  /** Calls that the report mentions, in their new state; some may be unchanged. */
  readonly calls: readonly PortCall[];
  /** Calls that no longer exist after the report. */
  readonly removed: readonly PortCall[];
  readonly notices: readonly Notice[];
}

export const NO_CLOCKS: PortClocks = { coverage: [], longStays: [], cancelled: {} };

/** A ledger from stored clocks and calls: those with a first ATA within the reach, and every long stay. */
export const openLedger = (clocks: PortClocks = NO_CLOCKS, calls: Iterable<PortCall> = []): Ledger => ({
  ...clocks,
  calls: new Map(Array.from(calls, (call) => [call.callId, call])),
});

export function ledgerClocks(ledger: Ledger): PortClocks {
  const { calls: _, ...clocks } = ledger;
  return clocks;
}

/** Whether `call` belongs in the ledger: its vessel is in port or left within the reach. */
export const isKept = (call: PortCall, asOfAt: Instant): boolean =>
  (leftAt(call) ?? asOfAt) >= asOfAt - LEDGER_REACH_MS;

/** The ledger of `calls` without those past the reach, and with its long stays listed. */
export function settle(clocks: PortClocks, calls: ReadonlyMap<string, PortCall>, asOfAt: Instant): Ledger {
  const kept = new Map<string, PortCall>();
  const longStays: CallKey[] = [];
  for (const call of calls.values()) {
    if (!isKept(call, asOfAt)) continue;
    kept.set(call.callId, call);
    const { callId, firstAtaAt } = call;
    if (firstAtaAt < asOfAt - LEDGER_REACH_MS) longStays.push({ callId, firstAtaAt });
  }
  longStays.sort((a, b) => a.firstAtaAt - b.firstAtaAt || (a.callId < b.callId ? -1 : 1));
  return { ...clocks, longStays, calls: kept };
}
