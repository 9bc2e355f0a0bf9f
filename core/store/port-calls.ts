/** Port calls, from which everything else is computed. A call is stored as JSON, because calls are read in bulk. */
import type { CallKey } from '../calls/ledger.ts';
import type { PortCall } from '../calls/port-call.ts';
import type { Locode } from '../reference/locode.ts';
import { DAY_MS, formatInstant, type Instant } from '../reference/time.ts';
import type { Key, Row, Table } from './table.ts';

/** A call expires this long after its last change, later than anything that is computed from it. */
const KEPT_MS = 400 * DAY_MS;

export interface PortCallStore {
  /** Calls of `port` whose first known ATA is at or after `sinceAt`, oldest first. */
  since(port: Locode, sinceAt: Instant): Promise<PortCall[]>;
  /** Calls of `port` whose first known ATA lies in `[fromAt, toAt)`, oldest first. */
  between(port: Locode, fromAt: Instant, toAt: Instant): Promise<PortCall[]>;
  /** The stored calls among the given keys. */
  byKey(port: Locode, keys: readonly CallKey[]): Promise<PortCall[]>;
  write(changed: readonly PortCall[], removed: readonly PortCall[]): Promise<void>;
}

const rowKey = (port: Locode, { firstAtaAt, callId }: CallKey): Key => ({
  port,
  callKey: `${formatInstant(firstAtaAt)}#${callId}`,
});

const toRow = (call: PortCall): Row => ({
  ...rowKey(call.port, call),
  call: JSON.stringify(call),
  expiresAt: Math.floor((Math.max(call.changedAt, call.firstAtaAt) + KEPT_MS) / 1000),
});

const fromRow = (row: Row): PortCall => JSON.parse(String(row.call)) as PortCall;

export function createPortCallStore(table: Table): PortCallStore {
  return {
    async since(port, sinceAt) {
      const rows = await table.query(port, { from: formatInstant(sinceAt) }, true);
      return rows.map(fromRow);
    },
    async between(port, fromAt, toAt) {
      const rows = await table.query(port, { from: formatInstant(fromAt), to: formatInstant(toAt) });
      return rows.map(fromRow);
    },
    async byKey(port, keys) {
      return (await table.getMany(keys.map((key) => rowKey(port, key)))).map(fromRow);
    },
    async write(changed, removed) {
      await table.writeMany(
        changed.map(toRow),
        removed.map((call) => rowKey(call.port, call)),
      );
    },
  };
}
