/** The ledger of one port: its recent and open calls, and how far its reports have been read. */
import { DAY_MS, type Instant } from '../reference/time.ts';
import type { Coverage } from './coverage.ts';
import type { PortCall } from './port-call.ts';
import { leftAt } from './presence.ts';

/** A call stays in the ledger for this long after its vessel left: longer than any list or window looks back. */
export const LEDGER_REACH_MS = 35 * DAY_MS;

/** What makes the key of a call's row. */
export interface CallKey {
  readonly callId: string;
  readonly firstAtaAt: Instant;
}

/** What is remembered of a port between two reports; plain data, written after the calls. */
export interface PortClocks {
  readonly coverage: Coverage;
  /** `observedAt` of the newest report applied. */
  readonly lastObservedAt?: Instant;
  /** `observedAt` of the newest poll that held a usable list of the vessels in port. */
  readonly lastInPortAt?: Instant;
  /** Calls of the ledger that were first heard of with an ATA older than the reach: to be read one by one. */
  readonly longStays: readonly CallKey[];
  /** Records withdrawn of late, by call id, with the stamp of the withdrawal. */
  readonly cancelled: Readonly<Record<string, Instant>>;
}

export interface Ledger extends PortClocks {
  readonly calls: ReadonlyMap<string, PortCall>;
}

/** A ledger after a report, and the calls whose rows have to be written or deleted for it. */
export interface Applied {
  readonly ledger: Ledger;
  readonly changed: readonly PortCall[];
  readonly removed: readonly PortCall[];
}

export const NO_CLOCKS: PortClocks = { coverage: [], longStays: [], cancelled: {} };

/** The ledger made of stored clocks and calls: all with a first ATA within the reach, and every long stay. */
export const openLedger = (clocks: PortClocks = NO_CLOCKS, calls: Iterable<PortCall> = []): Ledger => ({
  ...clocks,
  calls: new Map(Array.from(calls, (call) => [call.callId, call])),
});

/** What the store keeps of a ledger besides its calls. */
export function clocksOf(ledger: Ledger): PortClocks {
  const { calls: _, ...clocks } = ledger;
  return clocks;
}

/** Whether the ledger still has to hold `call`: its vessel is in port, or left within the reach. */
export const isKept = (call: PortCall, asOfAt: Instant): boolean =>
  (leftAt(call) ?? asOfAt) >= asOfAt - LEDGER_REACH_MS;

/** The ledger with `calls` in place, calls past the reach left out, and the long stays told anew. */
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
