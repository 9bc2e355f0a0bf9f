/**
 * Series: values by key of one subject (the days of a port, its alerts, the import index of a code), each known since a UTC day.
 * The table of a series has the value of now, one row a key with `knownOn`, the day since which it is served. `vintages` has the
 * values that were served before, and only grows: a row has the served attributes under the same names, with
 * `series` = name of the series, `#`, subject, and `at` = key, `#`, `knownOn`. `gone` says that the key had no value since.
 */
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import type { Day } from '../reference/time.ts';
import { type Beginning, createBeginnings, methodologyOn } from './beginnings.ts';
import { type Key, type KeyRange, parseRow, type Row, type RowSchema, type Table } from './table.ts';
import { flagged, listedDays, pick, seriesKey, vintageRow } from './vintage-rows.ts';

/** Since when the written values are known. */
export interface Knowledge {
  /** UTC day since which the written values are known. */
  readonly day: Day;
  /** Set by a back-fill: nobody could have known the values on the days that their fetches state. */
  readonly backfilled: boolean;
}

/** A value of a series as it is stored. */
export type Known<T> = T & { readonly knownOn: Day; readonly backfilled?: true | undefined };

/** The attributes of a row that say since when its value is known. */
export const KNOWN = z.object({ knownOn: z.string(), backfilled: z.optional(z.literal(true)) });
const VINTAGE = z.extend(KNOWN, { at: z.string(), gone: z.optional(z.literal(true)) });

/** How the values of one kind are stored. `Served` are the attributes that vintages keep, `Stored` all of a row. */
export interface SeriesKind<Served extends object, Stored extends Served = Served> {
  readonly name: string;
  /** Kind of its subjects. */
  readonly subjects: 'ports' | 'imports';
  readonly served: RowSchema<Served>;
  readonly stored: RowSchema<Stored>;
  keyOf(value: Served): string;
  /** The key attributes of a row. A table without sort key has one row a subject. */
  rowKey(subject: string, value: Served): Key;
  /** The first UTC day on which the value can be known: the day it is about. Without it, any day. */
  firstDay?(value: Served): Day;
  /**
   * Vintages by the day of a list of all subjects, one row for each day that ended with the value, so that the list of a day is
   * one query: `series` = name, `#`, that day.
   */
  readonly listedByDay?: true;
}

/** A range of keys, and the served attributes that are needed; all of them when absent. */
export type SeriesRange = Pick<KeyRange, 'from' | 'to' | 'only'>;

/** Values as they were known at the end of a day. */
interface KnownThen<T> {
  /** In the order of their keys. */
  readonly rows: readonly T[];
  /** Some of them come from a back-fill. */
  readonly backfilled: boolean;
  /** Where there are no rows: the first day since which anything of the subject is known, undefined where nothing is. */
  readonly from?: Day | undefined;
}

/** The value of a key since a UTC day, until the day of its next value. */
export interface KnownValue<T> {
  readonly since: Day;
  /** Undefined where the key had no value. */
  readonly value: T | undefined;
  readonly backfilled: boolean;
  /** The version of the methodology of the value; undefined where none was recorded. */
  readonly methodology: string | undefined;
}

/** By key, oldest first. */
export type KnownValues<T> = ReadonlyMap<string, readonly KnownValue<T>[]>;

export interface SeriesReader<Served> {
  /** The current values of a range. */
  current(subject: string, range?: SeriesRange): Promise<Served[]>;
  /**
   * The values of a range as they were known at the end of `day`.
   * @param subject undefined: every subject, of a series that is listed by day
   * @param current the current rows, where the caller has read them
   */
  asOf(
    subject: string | undefined,
    day: Day,
    range?: SeriesRange,
    current?: readonly Known<Served>[],
  ): Promise<KnownThen<Known<Served>>>;
  /**
   * The current values of a range, and every earlier one.
   * @param begin of the subject
   * @param present the current rows, where the caller has read them
   */
  history(
    subject: string,
    range: SeriesRange,
    begin: Beginning | undefined,
    present?: readonly Known<Served>[],
  ): Promise<{ readonly current: readonly Served[]; readonly values: KnownValues<Served> }>;
}

export interface SeriesStore<Served, Stored extends Served = Served> extends SeriesReader<Served> {
  /** The rows of a range, by ascending key. */
  between(subject: string, range?: SeriesRange): Promise<Known<Stored>[]>;
  /**
   * Makes `values` the rows of a subject in place of `known`, and returns them as stored. Values that are no longer served are
   * appended to the vintages first, then rows are written, then deleted: a repetition after an interruption finds what is left
   * to do. `beforeWrite` runs before each write, and may throw.
   */
  replace(
    subject: string,
    values: readonly Stored[],
    known: readonly Known<Stored>[],
    knowledge: Knowledge,
    beforeWrite?: () => Promise<void>,
  ): Promise<Known<Stored>[]>;
}

/** A stored value without the attributes that say since when it is known. */
function plain<T extends object>(value: T | Known<T>) {
  const { knownOn: _, backfilled: __, ...rest } = { knownOn: '', backfilled: undefined, ...value };
  return rest;
}

/** Whether a value equals the stored one, whenever that was known. */
export const isStored = <T extends object>(value: T, stored: T | undefined): boolean =>
  stored !== undefined && isDeepStrictEqual(plain(value), plain(stored));

export function createSeriesStore<Served extends object, Stored extends Served>(
  kind: SeriesKind<Served, Stored>,
  table: Table,
  vintages: Table,
): SeriesStore<Served, Stored> {
  const served = Object.keys(kind.served.shape);
  const beginnings = createBeginnings(vintages, kind.subjects);

  const seriesOf = (part: string): string => seriesKey(kind.name, part);

  const parsed = <T extends object>(schema: RowSchema<T>, row: Row): Known<T> => ({
    ...parseRow(table, schema, row),
    ...parseRow(table, KNOWN, row),
  });

  async function rowsOf(subject: string, range: KeyRange, consistent = false): Promise<Row[]> {
    if (table.sortKey !== undefined) return table.query(subject, range);
    const row = await table.get({ [table.partitionKey]: subject }, consistent);
    return row === undefined ? [] : [row];
  }

  async function servedRows(subject = '', { from, to, only = served }: SeriesRange) {
    const rows = await rowsOf(subject, { from, to, only: [...only, ...Object.keys(KNOWN.shape)] });
    return rows.map((row) => parsed(kind.served, row));
  }

  /** The value of a vintage with its key; undefined where the key had none. */
  function fromVintage(row: Row) {
    const { at, gone, knownOn, backfilled } = parseRow(vintages, VINTAGE, row);
    const value: Known<Served> | undefined = gone ? undefined : parsed(kind.served, row);
    return { key: at.slice(0, at.lastIndexOf('#')), knownOn, backfilled: backfilled === true, value };
  }

  /**
   * The vintages of a range, oldest first by key. '~' sorts after '#', so that it includes every vintage of its last
   * key.
   */
  async function pastOf(part: string, { from, to, only }: SeriesRange, newest?: Day) {
    const names = only && [...only, ...Object.keys(VINTAGE.shape)];
    // For a single key one vintage is enough.
    const range =
      newest !== undefined && from !== undefined && from === to
        ? { from, to: `${to}#${newest}`, newest: 1 }
        : { from, to: to && `${to}~` };
    return (await vintages.query(seriesOf(part), { ...range, only: names })).map(fromVintage);
  }

  const knownOn = (value: Served, { day }: Knowledge): Day => {
    const first = kind.firstDay?.(value) ?? day;
    // A reply may state a time of tomorrow, because clocks differ: such a day is known when the reply comes.
    return first > day ? first : day;
  };

  /** The vintages to append when a value ends: none for one known since that day. */
  function ending(subject: string, was: Known<Stored>, { day }: Knowledge): Row[] {
    if (was.knownOn >= day) return [];
    const parts = kind.listedByDay ? listedDays(was.knownOn, day) : [subject];
    const attributes = { ...pick(was, served), ...flagged(was.backfilled) };
    return parts.map((part) => vintageRow(seriesOf(part), kind.keyOf(was), was.knownOn, attributes));
  }

  /**
   * The vintages of a deleted row: its last value, and the end of it. None for a row of the day itself, such as the
   * alert of a running day, which no earlier day can have known.
   */
  function deletion(subject: string, was: Known<Stored>, knowledge: Knowledge): Row[] {
    const { day, backfilled } = knowledge;
    if ((kind.firstDay?.(was) ?? '') >= day) return [];
    const gone = vintageRow(seriesOf(subject), kind.keyOf(was), day, { gone: true, ...flagged(backfilled) });
    return [...ending(subject, was, knowledge), gone];
  }

  const rowOf = (subject: string, value: Known<Stored>): Row => ({
    ...kind.rowKey(subject, value),
    ...value,
  });

  return {
    async between(subject, range = {}) {
      return (await rowsOf(subject, range, true)).map((row) => parsed(kind.stored, row));
    },

    async current(subject, range = {}) {
      const rows = await rowsOf(subject, { ...range, only: range.only ?? served });
      return rows.map((row) => parseRow(table, kind.served, row));
    },

    async asOf(subject, day, range = {}, current) {
      const [past, present] = await Promise.all([
        pastOf(kind.listedByDay || subject === undefined ? day : subject, range, day),
        current ?? servedRows(subject, range),
      ]);
      const then = new Map<string, Known<Served> | undefined>();
      for (const { key, knownOn, value } of past) if (knownOn <= day) then.set(key, value);
      for (const value of present) if (value.knownOn <= day) then.set(kind.keyOf(value), value);
      const found = [...then]
        .sort(([a], [b]) => Number(a > b) - Number(a < b))
        .flatMap(([, value]) => value ?? []);
      return {
        rows: found,
        backfilled: found.some(({ backfilled }) => backfilled === true),
        ...(found.length === 0 ? { from: await beginnings.day(subject) } : {}),
      };
    },

    async history(subject, range, begin, present) {
      const [past, current] = await Promise.all([
        pastOf(subject, range),
        present ?? servedRows(subject, range),
      ]);
      const values = new Map<string, KnownValue<Served>[]>();
      const add = (key: string, since: Day, value: Served | undefined, backfilled: boolean): void => {
        const methodology = begin && methodologyOn(begin, since);
        const earlier = (values.get(key) ?? []).filter((before) => before.since < since);
        values.set(key, [...earlier, { since, value, backfilled, methodology }]);
      };
      for (const { key, knownOn, value, backfilled } of past) add(key, knownOn, value, backfilled);
      for (const value of current) add(kind.keyOf(value), value.knownOn, value, value.backfilled === true);
      return { current, values };
    },

    async replace(subject, values, known, knowledge, beforeWrite = async () => undefined) {
      const before = new Map(known.map((value) => [kind.keyOf(value), value]));
      const vintageRows: Row[] = [];
      const written: Known<Stored>[] = [];
      const stored = values.map((value): Known<Stored> => {
        const was = before.get(kind.keyOf(value));
        before.delete(kind.keyOf(value));
        if (was !== undefined && isStored(value, was)) return was;
        const isServed = was !== undefined && isDeepStrictEqual(pick(value, served), pick(was, served));
        const since = isServed
          ? was
          : { knownOn: knownOn(value, knowledge), backfilled: knowledge.backfilled };
        if (was !== undefined && !isServed) vintageRows.push(...ending(subject, was, knowledge));
        const row = { ...value, knownOn: since.knownOn, ...flagged(since.backfilled) };
        written.push(row);
        return row;
      });
      const removed = [...before.values()];
      for (const was of removed) vintageRows.push(...deletion(subject, was, knowledge));
      const writes: readonly (readonly [Table, readonly Row[], readonly Key[]])[] = [
        [vintages, vintageRows, []],
        [table, written.map((value) => rowOf(subject, value)), []],
        [table, [], removed.map((value) => kind.rowKey(subject, value))],
      ];
      for (const [into, puts, deletes] of writes) {
        if (puts.length + deletes.length === 0) continue;
        await beforeWrite();
        await into.writeMany(puts, deletes);
      }
      return stored;
    },
  };
}
