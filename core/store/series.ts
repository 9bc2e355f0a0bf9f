/**
 * Series: values by key of one subject (the days of a port, its alerts, the import index of a code), each known since a UTC day.
 * The table of a series has the value of now, one row a key with `knownOn`, the day since which it is served. `vintages` has the
 * values that were served before, and only grows: a row has the served attributes under the same names, with
 * `series` = name of the series, `#`, subject, and `at` = key, `#`, `knownOn`. `gone` says that the key had no value since.
 */
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { addDays, type Day, daysBetween } from '../reference/time.ts';
import { type Key, type KeyRange, parseRow, type Row, type RowSchema, type Table } from './table.ts';

// Since when the values of a subject are known, one row a port or an HS code in `vintages`: `series` = `begin`, `#`,
// kind of the subject, `at` = subject, and the versions of the methodology that made its values, oldest first.

const METHOD = z.object({ since: z.string(), version: z.string() });

/** A version of the methodology, and the UTC day since which values that it made are known. */
type MethodSince = Readonly<z.output<typeof METHOD>>;

const BEGINNING = z.object({ at: z.string(), methods: z.tuple([METHOD], METHOD) });

export interface Beginning {
  /** The first UTC day since which anything of the subject is known. */
  readonly day: Day;
  readonly methods: readonly MethodSince[];
}

/** The version of the values known since `day`; undefined where none was recorded. */
export const methodologyOn = ({ methods }: Beginning, day: Day): string | undefined =>
  methods.findLast(({ since }) => since <= day)?.version;

export function createBeginnings(vintages: Table, subjects: 'ports' | 'imports') {
  const series = `begin#${subjects}`;

  const parsed = (row: Row): [subject: string, Beginning] => {
    const { at, methods } = parseRow(vintages, BEGINNING, row);
    return [at, { day: methods[0].since, methods }];
  };

  /** The beginnings of all subjects of the kind. */
  async function all(): Promise<ReadonlyMap<string, Beginning>> {
    return new Map((await vintages.query(series)).map(parsed));
  }

  return {
    all,
    /** The first UTC day since which anything of the subject, or without one of any subject, is known. Undefined before it. */
    async day(subject?: string): Promise<Day | undefined> {
      if (subject === undefined) return [...(await all()).values()].map(({ day }) => day).sort()[0];
      const row = await vintages.get({ series, at: subject });
      return row && parsed(row)[1].day;
    },
    /** Records that a version makes the values of a subject from a day on. Repeating it changes nothing. */
    async note(subject: string, method: MethodSince): Promise<void> {
      const row = await vintages.get({ series, at: subject }, true);
      const methods = row === undefined ? [] : parsed(row)[1].methods;
      if (methods.at(-1)?.version === method.version) return;
      await vintages.put({ series, at: subject, methods: [...methods, method] });
    },
  };
}

/** Since when the written values are known. */
export interface Knowledge {
  readonly day: Day;
  /** Set by a back-fill: the values were not available on the days that their fetches state. */
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
  /** The sort key of a value below its subject; in a table without sort key, the subject. */
  keyOf(value: Served): string;
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

export type SeriesStore<Served extends object, Stored extends Served = Served> = ReturnType<
  typeof createSeriesStore<Served, Stored>
>;
export type SeriesReader<Served extends object> = Pick<SeriesStore<Served>, 'current' | 'asOf'>;

/** A stored value without the attributes that say since when it is known. */
function plain<T extends object>(value: T | Known<T>) {
  const { knownOn: _, backfilled: __, ...rest } = { knownOn: '', backfilled: undefined, ...value };
  return rest;
}

/** Whether a value equals the stored one, whenever that was known. */
export const isStored = <T extends object>(value: T, stored: T | undefined): boolean =>
  stored !== undefined && isDeepStrictEqual(plain(value), plain(stored));

/** The attributes of a value that vintages keep. */
const pick = (value: object, names: readonly string[]): Row =>
  Object.fromEntries(
    Object.entries(value).filter(([name, field]) => field !== undefined && names.includes(name)),
  );

const flagged = (backfilled: boolean | undefined) => (backfilled ? { backfilled: true as const } : {});

/** Maximum number of days to fill in the lists by day when a value is replaced: the time that port calls are kept. */
const MAX_LISTED_DAYS = 400;

/** The days that ended with a value which is known since `from` and is replaced on `day`. */
function listedDays(from: Day, day: Day): Day[] {
  const earliest = addDays(day, -MAX_LISTED_DAYS);
  return daysBetween(from > earliest ? from : earliest, addDays(day, -1));
}

/** The vintages of a value that is replaced on `until`; of `undefined`, that its key had none. */
function vintageRows<Served extends object, Stored extends Served>(
  kind: SeriesKind<Served, Stored>,
  subject: string,
  key: string,
  { since, value, backfilled }: Pick<KnownValue<Served>, 'since' | 'value'> & Partial<KnownValue<Served>>,
  until: Day,
): Row[] {
  const lists = kind.listedByDay ? listedDays(since, until) : [subject];
  const attributes = value === undefined ? { gone: true } : pick(value, Object.keys(kind.served.shape));
  const known = { ...attributes, ...flagged(backfilled), knownOn: since };
  return lists.map((list) => ({ series: `${kind.name}#${list}`, at: `${key}#${since}`, ...known }));
}

export const rowKey = ({ partitionKey, sortKey }: Table, subject: string, key: string): Key =>
  sortKey === undefined ? { [partitionKey]: key } : { [partitionKey]: subject, [sortKey]: key };

export function createSeriesStore<Served extends object, Stored extends Served>(
  kind: SeriesKind<Served, Stored>,
  table: Table,
  vintages: Table,
) {
  const served = Object.keys(kind.served.shape);
  const beginnings = createBeginnings(vintages, kind.subjects);

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

  /** The vintages of a range, oldest first by key. '~' sorts after '#', so that it includes every vintage of its last key. */
  async function pastOf(list: string, { from, to, only }: SeriesRange, newest?: Day) {
    const names = only && [...only, ...Object.keys(VINTAGE.shape)];
    // For a single key one vintage is enough.
    const range =
      newest !== undefined && from !== undefined && from === to
        ? { from, to: `${to}#${newest}`, newest: 1 }
        : { from, to: to && `${to}~` };
    return (await vintages.query(`${kind.name}#${list}`, { ...range, only: names })).map(fromVintage);
  }

  const knownOn = (value: Served, { day }: Knowledge): Day => {
    const first = kind.firstDay?.(value) ?? day;
    // A reply may state a time of tomorrow, because clocks differ: such a day is known when the reply comes.
    return first > day ? first : day;
  };

  /** The vintages to append when a value ends: none for one known since that day. */
  function ending(subject: string, was: Known<Stored>, { day }: Knowledge): Row[] {
    const { knownOn: since, backfilled } = was;
    if (since >= day) return [];
    const known = { since, value: was, ...flagged(backfilled) };
    return vintageRows(kind, subject, kind.keyOf(was), known, day);
  }

  /** The vintages of a deleted row: its last value, and its end. None for an alert of the running day: no earlier day knew it. */
  function deletion(subject: string, was: Known<Stored>, knowledge: Knowledge): Row[] {
    const { day, backfilled } = knowledge;
    if ((kind.firstDay?.(was) ?? '') >= day) return [];
    const gone = { since: day, value: undefined, backfilled };
    return [...ending(subject, was, knowledge), ...vintageRows(kind, subject, kind.keyOf(was), gone, day)];
  }

  return {
    /** The rows of a range, by ascending key. */
    async between(subject: string, range: SeriesRange = {}): Promise<Known<Stored>[]> {
      return (await rowsOf(subject, range, true)).map((row) => parsed(kind.stored, row));
    },

    /** The current values of a range. */
    async current(subject: string, range: SeriesRange = {}): Promise<Served[]> {
      const rows = await rowsOf(subject, { ...range, only: range.only ?? served });
      return rows.map((row) => parseRow(table, kind.served, row));
    },

    /**
     * The values of a range as they were known at the end of `day`, in the order of their keys. `backfilled`: some come from a
     * back-fill. `from`, where there are no rows: the first day since which anything of the subject is known, if any.
     * @param subject undefined: every subject, of a series that is listed by day
     * @param current the current rows, where the caller has read them
     */
    async asOf(
      subject: string | undefined,
      day: Day,
      range: SeriesRange = {},
      current?: readonly Known<Served>[],
    ) {
      const [past, present] = await Promise.all([
        pastOf(kind.listedByDay || subject === undefined ? day : subject, range, day),
        current ?? servedRows(subject, range),
      ]);
      const then = new Map<string, Known<Served> | undefined>();
      for (const { key, knownOn, value } of past) if (knownOn <= day) then.set(key, value);
      for (const value of present) if (value.knownOn <= day) then.set(kind.keyOf(value), value);
      const rows = [...then]
        .sort(([a], [b]) => Number(a > b) - Number(a < b))
        .flatMap(([, value]) => value ?? []);
      const from = rows.length === 0 ? await beginnings.day(subject) : undefined;
      return { rows, backfilled: rows.some(({ backfilled }) => backfilled === true), from };
    },

    /**
     * The current values of a range, and every earlier one.
     * @param begin of the subject
     * @param present the current rows, where the caller has read them
     */
    async history(
      subject: string,
      range: SeriesRange,
      begin: Beginning | undefined,
      present?: readonly Known<Served>[],
    ): Promise<{ readonly current: readonly Served[]; readonly values: KnownValues<Served> }> {
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

    /** Why the table would not take a value; undefined when it would. */
    faultOf: (subject: string, value: Stored): string | undefined =>
      table.faultOf({
        ...rowKey(table, subject, kind.keyOf(value)),
        ...value,
        knownOn: '0000-00-00',
        ...flagged(true),
      }),

    /**
     * Makes `values` the rows of a subject in place of `known`, and returns them as stored. Values that are no longer served are
     * appended to the vintages first, then rows are written, then deleted: a repetition after an interruption finds what is left
     * to do. `beforeWrite` runs before each write, and may throw.
     */
    async replace(
      subject: string,
      values: readonly Stored[],
      known: readonly Known<Stored>[],
      knowledge: Knowledge,
      beforeWrite: () => Promise<void> = async () => undefined,
    ): Promise<Known<Stored>[]> {
      const before = new Map(known.map((value) => [kind.keyOf(value), value]));
      const ended: Row[] = [];
      const written: Row[] = [];
      const stored = values.map((value): Known<Stored> => {
        const key = kind.keyOf(value);
        const was = before.get(key);
        before.delete(key);
        if (was !== undefined && isStored(value, was)) return was;
        const isServed = was !== undefined && isDeepStrictEqual(pick(value, served), pick(was, served));
        const since = isServed
          ? was
          : { knownOn: knownOn(value, knowledge), backfilled: knowledge.backfilled };
        if (was !== undefined && !isServed) ended.push(...ending(subject, was, knowledge));
        const row = { ...value, knownOn: since.knownOn, ...flagged(since.backfilled) };
        written.push({ ...rowKey(table, subject, key), ...row });
        return row;
      });
      for (const was of before.values()) ended.push(...deletion(subject, was, knowledge));
      const removed = [...before.keys()].map((key) => rowKey(table, subject, key));
      const writes: readonly (readonly [Table, readonly Row[], readonly Key[]])[] = [
        [vintages, ended, []],
        [table, written, []],
        [table, [], removed],
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

// Loads the values that another service has had into tables that have none of the subject: the way back from
// `history`.

/** By key, oldest first. The version of the methodology is a beginning of the subject. */
export type LoadedValues<T> = ReadonlyMap<string, readonly Omit<KnownValue<T>, 'methodology'>[]>;

export interface LoadedSeries<Served, Stored> {
  /** The rows of now; each is known since the newest value of its key, or since its own day where there is none. */
  readonly current: readonly Stored[];
  /** Every value that there has been. */
  readonly values: LoadedValues<Served>;
}

/** Repeating it changes nothing. */
export async function loadSeries<Served extends object, Stored extends Served>(
  kind: SeriesKind<Served, Stored>,
  { table, vintages }: { readonly table: Table; readonly vintages: Table },
  subject: string,
  { current, values }: LoadedSeries<Served, Stored>,
): Promise<void> {
  const present = new Set(current.map((value) => kind.keyOf(value)));
  const past = [...values].flatMap(([key, history]) => {
    const ended = present.has(key) ? history.slice(0, -1) : history;
    return ended.flatMap((known, at) =>
      vintageRows(kind, subject, key, known, history[at + 1]?.since ?? known.since),
    );
  });
  const rows = current.map((value): Row => {
    const newest = values.get(kind.keyOf(value))?.at(-1);
    const knownOn = newest?.since ?? kind.firstDay?.(value);
    return {
      ...rowKey(table, subject, kind.keyOf(value)),
      ...value,
      knownOn,
      ...flagged(newest?.backfilled),
    };
  });
  await vintages.writeMany(past);
  await table.writeMany(rows);
}
