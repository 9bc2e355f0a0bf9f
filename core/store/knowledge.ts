/**
 * Since when the value of a row is known. A row stores that as `lag`, the days between the day that it is about and the day
 * since which its value is known: -1 - lag where a back-fill wrote it, nothing where the lag is the usual one. Pure.
 */
import { isDeepStrictEqual } from 'node:util';
import { addDays, type Day, daysBetween } from '../reference/time.ts';
import type { Row } from './table.ts';

/** What is known of a write. */
export interface Knowledge {
  /** UTC day since which the written values are known. */
  readonly day: Day;
  /** First UTC day since which anything of the subject is known: the earliest vintage. */
  readonly from: Day;
  /** A back-fill writes: nobody could have known the values on the days that their fetches state. */
  readonly backfilled: boolean;
}

/** A value with the lag that its row stores. */
export type Kept<T> = T & { readonly lag?: number };

/** Rows of one table that are served by key, as vintages see them. */
export interface SeriesKind<T> {
  readonly name: string;
  keyOf(row: T): string;
  /** UTC day that the row is about. */
  dayOf(row: T): Day;
  /** Days after `dayOf` on which the value that stays is usually known. */
  readonly usualLag: number;
  /** The served attributes, as a vintage stores them. */
  servedOf(row: T): Row;
  /** The value of a vintage: its served attributes and its `key`. */
  valueOf(vintage: Row): T;
}

const withoutLag = <T extends object>({ lag: _, ...value }: Kept<T>): Omit<T, 'lag'> =>
  value as unknown as Omit<T, 'lag'>;

/** Whether two rows have the same value, whenever it was known. */
export const sameValue = <T extends object>(a: Kept<T>, b: Kept<T> | undefined): boolean =>
  b !== undefined && isDeepStrictEqual(withoutLag(a), withoutLag(b));

export const isBackfilled = ({ lag = 0 }: { readonly lag?: number }): boolean => lag < 0;

/** The day since which a row of `day` is known. `from`: the earliest vintage of its subject. */
export function knownSince(day: Day, usualLag: number, lag: number | undefined, from: Day): Day {
  if (lag !== undefined) return addDays(day, lag < 0 ? -1 - lag : lag);
  const usual = addDays(day, usualLag);
  return usual > from ? usual : from;
}

function lagOf(day: Day, usualLag: number, { day: since, from, backfilled }: Knowledge): number | undefined {
  if (!backfilled && knownSince(day, usualLag, undefined, from) === since) return undefined;
  // A reply may state a time of tomorrow, because clocks differ: its day is known when it comes.
  const days = since <= day ? 0 : daysBetween(day, since).length - 1;
  return backfilled ? -1 - days : days;
}

function toVintage<T>(kind: SeriesKind<T>, was: Kept<T>, knowledge: Knowledge): Row[] {
  const since = knownSince(kind.dayOf(was), kind.usualLag, was.lag, knowledge.from);
  if (since >= knowledge.day) return [];
  const flag = isBackfilled(was) ? { backfilled: true } : {};
  return [{ at: `${kind.keyOf(was)}#${since}`, ...kind.servedOf(was), ...flag }];
}

/** A value to store, and the vintage that it ends: none where the served value is the same, or younger than a day. */
function replaced<T extends object>(
  kind: SeriesKind<T>,
  is: T,
  was: Kept<T> | undefined,
  knowledge: Knowledge,
): { readonly row: Kept<T>; readonly vintages: readonly Row[] } {
  if (was !== undefined && isDeepStrictEqual(kind.servedOf(is), kind.servedOf(was)))
    return { row: was.lag === undefined ? is : { ...is, lag: was.lag }, vintages: [] };
  const lag = lagOf(kind.dayOf(is), kind.usualLag, knowledge);
  return {
    row: lag === undefined ? is : { ...is, lag },
    vintages: was === undefined ? [] : toVintage(kind, was, knowledge),
  };
}

/**
 * The vintages of a row that is deleted: its last value, and that there is none any more. None of a row of the day
 * itself, such as the alert of a running day, which no earlier day can have known.
 */
export function ended<T>(kind: SeriesKind<T>, was: Kept<T>, knowledge: Knowledge): Row[] {
  if (kind.dayOf(was) >= knowledge.day) return [];
  const flag = knowledge.backfilled ? { backfilled: true } : {};
  const gone = { at: `${kind.keyOf(was)}#${knowledge.day}`, gone: true, ...flag };
  return [...toVintage(kind, was, knowledge), gone];
}

/** Changed rows with the day since which they are known, and the vintages that they end. */
export function replacedRows<Served extends object, T extends Served>(
  kind: SeriesKind<Served>,
  changed: readonly T[],
  known: { get(key: string): Kept<T> | undefined },
  knowledge: Knowledge,
) {
  const all = changed.map((row) => replaced<Served>(kind, row, known.get(kind.keyOf(row)), knowledge));
  return {
    rows: all.map(({ row }) => row as Kept<T>),
    vintages: all.flatMap(({ vintages }) => vintages),
  };
}
