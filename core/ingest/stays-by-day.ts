/** Closed stays by the day they ended on: the rows of days that a change of calls touches, made anew. */
import { closedStays, type PortCall } from '../calls/port-call.ts';
import type { DwellPeriod } from '../metrics/figures.ts';
import { type Day, dayOf, endOfDay, startOfDay } from '../reference/time.ts';

export interface StayChange {
  /** Days to tell anew. */
  readonly days: Iterable<Day>;
  /** From this day on the ledger knows every stay. */
  readonly ledgerFromDay: Day;
  readonly ledger: Iterable<PortCall>;
  /** Calls that were touched, as they are now, whether the ledger still holds them or not. */
  readonly touched: readonly PortCall[];
  readonly removedIds: ReadonlySet<string>;
  /** What the table holds of the days before that. */
  readonly stored: Iterable<DwellPeriod>;
}

/** All stays of each day: the ledger's within its reach, before that the stored ones with the touched calls' own. */
export function staysByDay(change: StayChange): Map<Day, DwellPeriod[]> {
  const { ledgerFromDay, touched, removedIds } = change;
  const found = new Map<Day, DwellPeriod[]>(Array.from(change.days, (day) => [day, []]));
  const touchedIds = new Set([...removedIds, ...touched.map(({ callId }) => callId)]);
  for (const stay of change.stored) {
    const day = dayOf(stay.endAt);
    if (day < ledgerFromDay && !touchedIds.has(stay.callId)) found.get(day)?.push(stay);
  }
  const calls = new Map([...touched, ...change.ledger].map((call) => [call.callId, call]));
  const days = [...found.keys()].sort();
  const [fromAt, toAt] = [startOfDay(days[0] ?? ''), endOfDay(days.at(-1) ?? '')];
  for (const call of calls.values()) {
    if (removedIds.has(call.callId)) continue;
    for (const stay of closedStays(call)) {
      if (stay.endAt < fromAt || stay.endAt >= toAt) continue;
      const day = dayOf(stay.endAt);
      if (day >= ledgerFromDay || touchedIds.has(call.callId)) found.get(day)?.push(stay);
    }
  }
  return found;
}

export function groupedByDay(stays: Iterable<DwellPeriod>): Map<Day, DwellPeriod[]> {
  const grouped = new Map<Day, DwellPeriod[]>();
  for (const stay of stays) {
    const day = dayOf(stay.endAt);
    const of = grouped.get(day);
    if (of) of.push(stay);
    else grouped.set(day, [stay]);
  }
  return grouped;
}

const textOf = (stays: readonly DwellPeriod[]): string =>
  JSON.stringify(
    stays.map(({ callId, kind, startAt, endAt }) => `${startAt} ${endAt} ${kind} ${callId}`).sort(),
  );

/** Whether two lists hold the same stays, in whatever order. */
export const sameStays = (a: readonly DwellPeriod[], b: readonly DwellPeriod[]): boolean =>
  textOf(a) === textOf(b);
