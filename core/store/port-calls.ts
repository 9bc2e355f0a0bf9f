/** Port calls, from which everything else is computed. A call is stored as JSON, because calls are read in bulk. */
import { type CallKey, type PortCall, recordIds } from '../calls/port-call.ts';
import type { Locode } from '../reference/codes.ts';
import { DAY_MS, formatInstant, type Instant } from '../reference/time.ts';
import { batches, type Key, type Row, type Table } from './table.ts';

/** A call expires this long after its last change, later than anything that is computed from it. */
const KEPT_MS = 400 * DAY_MS;

const WRITTEN_AT_ONCE = 1_000;

/** Sort keys of ids begin with this, those of calls with a digit. */
const ID = 'id#';
/** After every sort key of a call, before every one of an id. */
const AFTER_CALLS = ':';

const callKey = ({ firstAtaAt, callId }: CallKey): string => `${formatInstant(firstAtaAt)}#${callId}`;
const rowKey = (port: Locode, key: CallKey): Key => ({ port, callKey: callKey(key) });
const idKey = (port: Locode, id: string): Key => ({ port, callKey: `${ID}${id}` });

const expiry = (call: PortCall, keptMs: number) => ({
  expiresAt: Math.floor((Math.max(call.changedAt, call.firstAtaAt) + keptMs) / 1000),
});

/** The keys of calls by the ids of their records. */
const keysById = (calls: readonly PortCall[]): Map<string, PortCall> =>
  new Map(calls.flatMap((call) => recordIds(call).map((id) => [id, call])));

const fromRow = (row: Row): PortCall => JSON.parse(String(row.call)) as PortCall;

/** @param expires false: the calls written are kept whatever their age */
export function createPortCallStore(table: Table, expires = true) {
  const callRow = (call: PortCall): Row => ({
    ...rowKey(call.port, call),
    call: JSON.stringify(call),
    ...(expires && expiry(call, KEPT_MS)),
  });
  // An id is written once, a call with each change: the id expires long after the call.
  const toIdRow = ([id, call]: readonly [string, PortCall]): Row => ({
    ...idKey(call.port, id),
    of: callKey(call),
    ...(expires && expiry(call, 2 * KEPT_MS)),
  });
  return {
    /** Why the table would not take the calls; undefined when it would. */
    faultOf(calls: readonly PortCall[]): string | undefined {
      const rows = [...calls.map(callRow), ...[...keysById(calls)].map(toIdRow)];
      return rows.map((row) => table.faultOf(row)).find((fault) => fault !== undefined);
    },
    /** Calls of `port` whose first known ATA is at or after `sinceAt`, oldest first. */
    async since(port: Locode, sinceAt: Instant): Promise<PortCall[]> {
      const rows = await table.query(port, { from: formatInstant(sinceAt), to: AFTER_CALLS }, true);
      return rows.map(fromRow);
    },
    /** Calls of `port` whose first known ATA lies in `[fromAt, toAt)`, oldest first. */
    async between(port: Locode, fromAt: Instant, toAt: Instant): Promise<PortCall[]> {
      const rows = await table.query(port, { from: formatInstant(fromAt), to: formatInstant(toAt) });
      return rows.map(fromRow);
    },
    /** The stored calls among the given keys. */
    async byKey(port: Locode, keys: readonly CallKey[]): Promise<PortCall[]> {
      return (await table.getMany(keys.map((key) => rowKey(port, key)))).map(fromRow);
    },
    /** The stored calls with any of the ids, as their own or as that of a record merged into them. */
    async byId(port: Locode, ids: readonly string[]): Promise<PortCall[]> {
      const found = await table.getMany([...new Set(ids)].map((id) => idKey(port, id)));
      const keys = [...new Set(found.map(({ of }) => String(of)))];
      return (await table.getMany(keys.map((key) => ({ port, callKey: key })))).map(fromRow);
    },
    /** Writes calls, and before them the keys of those ids that `was`, the calls as stored before, lacks. */
    async write(changed: readonly PortCall[], was: readonly PortCall[]): Promise<void> {
      const known = keysById(was);
      const isNew = ([id, call]: readonly [string, PortCall]): boolean => {
        const before = known.get(id);
        return before === undefined || callKey(before) !== callKey(call);
      };
      // Rows are made for a part of the calls at a time: a table of calls has a hundred thousand of them.
      for (const part of batches(changed, WRITTEN_AT_ONCE)) {
        await table.writeMany([...keysById(part)].filter(isNew).map(toIdRow));
        await table.writeMany(part.map(callRow));
      }
    },
    /** Deletes calls, and their ids that still lead to them: an id may have moved to a merged call. */
    async remove(removed: readonly PortCall[]): Promise<void> {
      if (removed.length === 0) return;
      const keys = new Set(removed.map(callKey));
      const ids = removed.flatMap((call) => recordIds(call).map((id) => idKey(call.port, id)));
      const found = await table.getMany(ids);
      const left = found.filter(({ of }) => keys.has(String(of)));
      // Rows first: an id that leads to no row does no harm, and a row that no id leads to would stay.
      const idKeys = left.map((row) => ({ port: String(row.port), callKey: String(row.callKey) }));
      await table.writeMany([], [...removed.map((call) => rowKey(call.port, call)), ...idKeys]);
    },
  };
}
