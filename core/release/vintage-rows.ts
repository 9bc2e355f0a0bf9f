/** What was known when of a port: rows of the tables of vintages, from every value that each day or alert has had. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { alertRecord } from '../endpoints/alerts.ts';
import { trendPoints } from '../endpoints/trend.ts';
import type { Alert } from '../metrics/figures.ts';
import { addDays, type Day } from '../reference/time.ts';
import type { ServedDay } from '../store/daily-metrics.ts';
import type { KnownValue, KnownValues } from '../store/vintages.ts';
import type { WaitDayPart } from '../store/wait-days.ts';
import type { ReleaseRow } from './columns.ts';

// Runs of UTC days at whose ends the same row was served: the rows of the tables of vintages. Pure.

/** How a value came about. */
interface Made {
  /** A back-fill wrote it: nobody could have known it then. */
  readonly backfilled: boolean;
  /** The version of the methodology that made it; undefined where none was recorded. */
  readonly methodology: string | undefined;
}

/** A row as it was served. */
interface KnownRow {
  /** What stays the same while its figures change. */
  readonly id: string;
  readonly row: ReleaseRow;
  readonly made: Made;
}

/** What is served since a day. */
interface Change {
  readonly since: Day;
  readonly rows: readonly KnownRow[];
}

interface Run extends KnownRow {
  readonly from: Day;
}

const isSame = (run: Run, { row, made }: KnownRow): boolean =>
  run.made.backfilled === made.backfilled && isDeepStrictEqual(run.row, row);

const known = ({ row, from, made }: Run, known_to: Day | null): ReleaseRow => ({
  ...row,
  known_from: from,
  known_to,
  backfilled: made.backfilled,
  methodology: made.methodology ?? null,
});

/** Takes what was served from day to day, oldest first, and gives a row for each run: `known_to` is the first day without it. */
export class KnownRuns {
  #runs: ReadonlyMap<string, Run> = new Map();

  /** What is served since a day instead of all that was before. Returns the runs that it ends. */
  change(since: Day, rows: readonly KnownRow[]): ReleaseRow[] {
    const before = this.#runs;
    const runs = rows.map((row): [string, Run] => {
      const was = before.get(row.id);
      return [row.id, was !== undefined && isSame(was, row) ? was : { ...row, from: since }];
    });
    this.#runs = new Map(runs);
    return [...before.values()]
      .filter((run) => this.#runs.get(run.id) !== run && run.from < since)
      .map((run) => known(run, since));
  }

  /** The runs that have not ended. */
  current(): ReleaseRow[] {
    return [...this.#runs.values()].map((run) => known(run, null));
  }
}

/** The runs that changes make, oldest first. */
export function runsOf(changes: readonly Change[]): ReleaseRow[] {
  const runs = new KnownRuns();
  return [...changes.flatMap(({ since, rows }) => runs.change(since, rows)), ...runs.current()];
}

/** The runs of every key. `changesOf` has the changes that a value makes, and knows when the next value comes. */
function runsByKey<T>(
  values: KnownValues<T>,
  changesOf: (value: KnownValue<T>, next: Day | undefined) => readonly Change[],
): ReleaseRow[] {
  return [...values].flatMap(([key, ofKey]) => {
    // No response has a day that comes after its own, though clocks differ and a reply may state one.
    const dayOfKey = key.slice(0, 10);
    const clamped = ofKey.map((value) => (value.since > dayOfKey ? value : { ...value, since: dayOfKey }));
    return runsOf(clamped.flatMap((value, at) => changesOf(value, clamped[at + 1]?.since)));
  });
}

/** One row, or none where the key had none. */
const oneChange = <T>(known: KnownValue<T>, row: ReleaseRow | undefined): Change => ({
  since: known.since,
  rows: row === undefined ? [] : [{ id: '', row, made: known }],
});

/** A day on which the observations broke off is served while it runs, and no longer. */
export const trendVintages = (values: KnownValues<ServedDay>): ReleaseRow[] =>
  runsByKey(values, (known, next) => {
    const { since, value } = known;
    if (value === undefined) return [oneChange(known, undefined)];
    const change = oneChange(known, trendPoints([value], since)[0]);
    if (value.partial !== true) return [change];
    const dayAfter = addDays(value.day, 1);
    const isCut = since < dayAfter && (next === undefined || next > dayAfter);
    return isCut ? [change, { since: dayAfter, rows: [] }] : [change];
  });

/** `rowsOf` gives a row for each group of calls. */
export const waitVintages = (
  values: KnownValues<WaitDayPart>,
  rowsOf: (day: WaitDayPart) => readonly (ReleaseRow & { readonly class: string })[],
): ReleaseRow[] =>
  runsByKey(values, (known) => {
    const { since, value } = known;
    const rows = value === undefined ? [] : rowsOf(value).map((row) => ({ id: row.class, row, made: known }));
    return [{ since, rows }];
  });

export const alertVintages = (values: KnownValues<Alert>): ReleaseRow[] =>
  runsByKey(values, (known) => [oneChange(known, known.value && alertRecord(known.value))]);
