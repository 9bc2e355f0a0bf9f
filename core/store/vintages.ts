/**
 * Vintages: the values that were served before the current ones. A row `series`, `at` = key, `#`, day has the value of a key
 * that was known since that UTC day and was served until a later day replaced it; `gone` says that the key had none.
 * Rows of days, waits and alerts keep the value that is replaced; `imports` the value that is written, a row a change;
 * `ports` one row a port and day, `series` = `ports#` day. A row of `begin` states the earliest vintage of a port, and since
 * which days which versions of the methodology have made its values.
 */
import type { Day } from '../reference/time.ts';
import { isBackfilled, type Kept, knownSince, type SeriesKind } from './knowledge.ts';
import type { Row, Table } from './table.ts';

/** Rows as they were known at the end of a day. */
interface KnownRows {
  /** Served attributes, in the order of their keys. */
  readonly rows: readonly Row[];
  /** Some of them come from a back-fill. */
  readonly backfilled: boolean;
  /** Where there are no rows: the first day with a vintage, undefined where there is none. */
  readonly from?: Day | undefined;
}

/** A version of the methodology, and the UTC day since which values that it made are known. */
interface MethodSince {
  readonly since: Day;
  readonly version: string;
}

/** Where the vintages of a port begin, and the versions that made them, oldest first. */
export interface Beginning {
  readonly day: Day;
  readonly methods: readonly MethodSince[];
}

/** The version that made what is known since `day`; undefined where none was recorded. */
export const methodologyOn = ({ methods }: Beginning, day: Day): string | undefined =>
  methods.findLast(({ since }) => since <= day)?.version;

export interface VintageReader {
  /** The first UTC day since which anything of a port is known; of any port without one. Undefined before it. */
  begin(port?: string): Promise<Day | undefined>;
  /** Of every port that has vintages. */
  beginnings(): Promise<ReadonlyMap<string, Beginning>>;
  /**
   * What of `current` and of its vintages was known at the end of `asOf`.
   * @param only attributes of a vintage that are needed
   */
  known<T>(kind: SeriesKind<T>, request: KnownRequest<T>): Promise<KnownRows>;
  /** Every value of `current` and of its vintages by key, oldest first. */
  history<T>(kind: SeriesKind<T>, request: HistoryRequest<T>): Promise<KnownValues<T>>;
  /** The newest vintage of an HS code that was known at the end of `asOf`. */
  importsOf(code: string, asOf: Day): Promise<Row | undefined>;
  /** Every vintage of an HS code, oldest first. */
  importsHistory(code: string): Promise<readonly Row[]>;
  /** The first UTC day since which an import index is known. */
  importsBegin(code: string): Promise<Day | undefined>;
  /** The row of every port whose row changed after `day`, as it was at its end, by port. */
  portsOn(day: Day, port?: string): Promise<ReadonlyMap<string, Row>>;
}

interface SeriesRequest<T> {
  readonly port: string;
  readonly current: Promise<readonly Kept<T>[]>;
  /** Range of keys. */
  readonly from: string;
  readonly to: string;
}

interface HistoryRequest<T> extends SeriesRequest<T> {
  /** Undefined where nothing of the port is known. */
  readonly begin: Beginning | undefined;
}

interface KnownRequest<T> extends SeriesRequest<T> {
  readonly asOf: Day;
  readonly only?: readonly string[];
}

/** What a key had since a UTC day, until the day of its next value. */
export interface KnownValue<T> {
  readonly since: Day;
  /** Undefined where the key had none. */
  readonly value: T | undefined;
  readonly backfilled: boolean;
  /** The version of the methodology that made it; undefined where none was recorded. */
  readonly methodology: string | undefined;
}

/** By key, oldest first. */
export type KnownValues<T> = ReadonlyMap<string, readonly KnownValue<T>[]>;

/** The same as a row: served attributes with the `key`, and `gone` or `backfilled` where they hold. */
interface KnownRow {
  readonly key: string;
  readonly since: Day;
  readonly row: Row;
}

export interface VintageStore extends VintageReader {
  /** Writes vintages of one series. Repeating it changes nothing. */
  write(series: string, rows: readonly Row[]): Promise<void>;
  /** Writes where the vintages of a port begin, and that a version makes its values from now on. Repeating it changes nothing. */
  putBegin(port: string, day: Day, method: MethodSince): Promise<void>;
  /** The day of the newest vintage of an HS code. */
  newestImports(code: string): Promise<Day | undefined>;
  writeImports(code: string, row: Row): Promise<void>;
  /** Writes the row of a port for each of the days that ended with it. */
  writePort(port: string, days: readonly Day[], served: Row): Promise<void>;
}

const BEGIN = 'begin';
export const seriesKey = <T>(kind: SeriesKind<T>, port: string): string => `${kind.name}#${port}`;
const importsSeries = (code: string): string => `imports#${code}`;

/** None in a row of a service that did not record them yet. */
const methodsOf = ({ methods = [] }: Row): MethodSince[] => [...(methods as MethodSince[])];

function pastRow(row: Row): KnownRow {
  const text = String(row.at);
  const mark = text.lastIndexOf('#');
  const key = text.slice(0, mark);
  return { key, since: text.slice(mark + 1), row: { ...row, key } };
}

/** Since when a current row is known. Without a lag it counts from the earliest vintage on, and is unknown where there is none. */
const presentSince = <T>(kind: SeriesKind<T>, row: Kept<T>, firstDay: Day | undefined): Day | undefined =>
  row.lag === undefined && firstDay === undefined
    ? undefined
    : knownSince(kind.dayOf(row), kind.usualLag, row.lag, firstDay ?? '');

const presentRows = <T>(
  kind: SeriesKind<T>,
  present: readonly Kept<T>[],
  firstDay: Day | undefined,
): KnownRow[] =>
  present.flatMap((row) => {
    const since = presentSince(kind, row, firstDay);
    if (since === undefined) return [];
    const key = kind.keyOf(row);
    const flag = isBackfilled(row) ? { backfilled: true } : {};
    return [{ key, since, row: { ...kind.servedOf(row), ...flag, key } }];
  });

const byKey = (a: KnownRow, b: KnownRow): number => Number(a.key > b.key) - Number(a.key < b.key);

export function createVintageStore(table: Table): VintageStore {
  async function begin(port?: string): Promise<Day | undefined> {
    if (port !== undefined) return (await table.get({ series: BEGIN, at: port }))?.day as Day | undefined;
    return (await table.query(BEGIN)).map(({ day }) => String(day)).sort()[0];
  }

  return {
    begin,

    async beginnings() {
      const rows = await table.query(BEGIN);
      return new Map(rows.map((row) => [String(row.at), { day: String(row.day), methods: methodsOf(row) }]));
    },

    async known(kind, { port, asOf, current, from, to, only }) {
      // '~' sorts behind '#', so the range has every vintage of its last key.
      const names = only && ['at', 'gone', 'backfilled', ...only];
      const [past, present] = await Promise.all([
        table.query(seriesKey(kind, port), { from, to: `${to}~`, only: names }),
        current,
      ]);
      const best = new Map<string, KnownRow>();
      for (const value of past.map(pastRow)) {
        const { key, since } = value;
        if (since <= asOf && since >= (best.get(key)?.since ?? '')) best.set(key, value);
      }
      // Where a vintage shows that the earliest one has passed, its day is not looked up.
      const firstDay = best.size > 0 ? '' : await begin(port);
      for (const value of presentRows(kind, present, firstDay))
        if (value.since <= asOf) best.set(value.key, value);
      const found = [...best.values()]
        .filter(({ row }) => row.gone !== true)
        .sort(byKey)
        .map(({ row }) => row);
      return {
        rows: found,
        backfilled: found.some((row: Row) => row.backfilled === true),
        ...(found.length === 0 ? { from: firstDay || (await begin(port)) } : {}),
      };
    },

    async history<T>(kind: SeriesKind<T>, { port, current, begin, from, to }: HistoryRequest<T>) {
      const [past, present] = await Promise.all([
        table.query(seriesKey(kind, port), { from, to: `${to}~` }),
        current,
      ]);
      const madeOn = (since: Day) => begin && methodologyOn(begin, since);
      const byKeys = new Map<string, KnownValue<T>[]>();
      for (const vintage of past) {
        const { key, since, row } = pastRow(vintage);
        const value = row.gone === true ? undefined : kind.valueOf(row);
        const ofKey = byKeys.get(key) ?? [];
        byKeys.set(key, ofKey);
        ofKey.push({ since, value, backfilled: row.backfilled === true, methodology: madeOn(since) });
      }
      for (const value of present) {
        const since = presentSince(kind, value, begin?.day);
        if (since === undefined) continue;
        const key = kind.keyOf(value);
        const before = (byKeys.get(key) ?? []).filter((past) => past.since < since);
        const made = { backfilled: isBackfilled(value), methodology: madeOn(since) };
        byKeys.set(key, [...before, { since, value, ...made }]);
      }
      return byKeys;
    },

    importsHistory: (code) => table.query(importsSeries(code)),
    async importsOf(code, asOf) {
      return (await table.query(importsSeries(code), { to: asOf, newest: 1 }))[0];
    },
    async importsBegin(code) {
      return (await table.query(importsSeries(code), { only: ['at'] }))[0]?.at as Day | undefined;
    },
    async portsOn(day, port) {
      const rows = await table.query(`ports#${day}`, { from: port, to: port });
      return new Map(rows.map((row) => [String(row.at), row]));
    },

    async write(series, rows) {
      if (rows.length > 0) await table.writeMany(rows.map((row) => ({ series, ...row })));
    },
    async newestImports(code) {
      return (await table.query(importsSeries(code), { newest: 1, only: ['at'] }, true))[0]?.at as
        | Day
        | undefined;
    },
    writeImports: (code, row) => table.put({ series: importsSeries(code), ...row }),
    async putBegin(port, day, method) {
      const stored = await table.get({ series: BEGIN, at: port }, true);
      const methods = methodsOf(stored ?? {});
      if (methods.at(-1)?.version !== method.version) methods.push(method);
      else if (stored?.day === day) return;
      await table.put({ series: BEGIN, at: port, day, methods });
    },
    async writePort(port, days, served) {
      if (days.length > 0)
        await table.writeMany(days.map((day) => ({ series: `ports#${day}`, at: port, ...served })));
    },
  };
}
