/** Closed stays: one row for all stays of a port that ended on one UTC day, so that a day is always written whole. */
import type { Stay } from '../calls/port-call.ts';
import type { Locode } from '../reference/locode.ts';
import { type Day, formatInstant, parseInstant } from '../reference/time.ts';
import { type Row, StoreFailure, type Table } from './table.ts';

type StoredStay = [callId: string, kind: Stay['kind'], start: string, end: string];

function toInstant(text: string): number {
  const at = parseInstant(text);
  if (at === undefined) throw new StoreFailure('a stored stay has a time that cannot be read');
  return at;
}

const toStored = ({ callId, kind, startAt, endAt }: Stay): StoredStay => [
  callId,
  kind,
  formatInstant(startAt),
  formatInstant(endAt),
];

const fromStored = ([callId, kind, start, end]: StoredStay): Stay => ({
  callId,
  kind,
  startAt: toInstant(start),
  endAt: toInstant(end),
});

/** By start, then end, then kind; the call id last, so that equal data give equal bytes. */
const compareStays = (a: Stay, b: Stay): number =>
  a.startAt - b.startAt ||
  a.endAt - b.endAt ||
  Number(a.kind > b.kind) - Number(a.kind < b.kind) ||
  (a.callId < b.callId ? -1 : 1);

const stayDayRow = (port: Locode, day: Day, stays: readonly Stay[]): Row => ({
  port,
  day,
  stays: JSON.stringify([...stays].sort(compareStays).map(toStored)),
});

export function createStayDayStore(table: Table) {
  return {
    /** Why the table would not take the days; undefined when it would. */
    faultOf(port: Locode, days: ReadonlyMap<Day, readonly Stay[]>): string | undefined {
      const rows = [...days].map(([day, stays]) => stayDayRow(port, day, stays));
      return rows.map((row) => table.faultOf(row)).find((fault) => fault !== undefined);
    },
    /** Closed periods that ended on the days from `first` to `last`, in the order of decision: start, end, kind. */
    async between(port: Locode, first: Day, last: Day): Promise<Stay[]> {
      const rows = await table.query(port, { from: first, to: last });
      return rows
        .flatMap((row) => (JSON.parse(String(row.stays)) as StoredStay[]).map(fromStored))
        .sort(compareStays);
    },
    /** Replaces whole days; a day without stays is removed. */
    async write(port: Locode, days: ReadonlyMap<Day, readonly Stay[]>): Promise<void> {
      const entries = [...days];
      await table.writeMany(
        entries.filter(([, stays]) => stays.length > 0).map(([day, stays]) => stayDayRow(port, day, stays)),
        entries.filter(([, stays]) => stays.length === 0).map(([day]) => ({ port, day })),
      );
    },
  };
}
