/** Runs of UTC days at whose ends the same row was served, which are the rows of the tables of vintages; and the values of a series again. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { groupBy } from '../reference/grouping.ts';
import type { Day } from '../reference/time.ts';
import type { KnownValue, KnownValues } from '../store/series.ts';
import type { LoadedValues } from '../store/series-load.ts';
import type { ReleaseRow } from './columns.ts';

/** A row as it was served, and how it came about. */
interface KnownRow {
  readonly row: ReleaseRow;
  readonly made: Pick<KnownValue<unknown>, 'backfilled' | 'methodology'>;
}

interface Run extends KnownRow {
  readonly from: Day;
}

const isSame = (run: Run, { row, made }: KnownRow): boolean =>
  run.made.backfilled === made.backfilled && isDeepStrictEqual(run.row, row);

const vintageRow = ({ row, from, made }: Run, known_to: Day | null): ReleaseRow => ({
  ...row,
  known_from: from,
  known_to,
  backfilled: made.backfilled,
  methodology: made.methodology ?? null,
});

/** Takes the served rows day by day, oldest first, and gives a row for each run: `known_to` is the first day without it. */
export class KnownRuns {
  #runs: ReadonlyMap<unknown, Run> = new Map();

  /** `id`: the column that stays the same while the figures of a row change. */
  constructor(private readonly id: string) {}

  /** Replaces all served rows from a day on. Returns the runs that end. */
  change(since: Day, rows: readonly KnownRow[]): ReleaseRow[] {
    const runs = new Map<unknown, Run>();
    for (const known of rows) {
      const id = known.row[this.id];
      const was = this.#runs.get(id);
      runs.set(id, was !== undefined && isSame(was, known) ? was : { ...known, from: since });
    }
    const ended: ReleaseRow[] = [];
    for (const [id, run] of this.#runs)
      if (runs.get(id) !== run && run.from < since) ended.push(vintageRow(run, since));
    this.#runs = runs;
    return ended;
  }

  /** The runs that have not ended. */
  current(): ReleaseRow[] {
    return [...this.#runs.values()].map((run) => vintageRow(run, null));
  }
}

/**
 * The runs of every key.
 * @param rowsOf has the rows as which a value is served
 * @param ownDay no response contains a later day than its own, although a reply from an upstream with another clock may
 */
export const findRuns = <T>(
  values: KnownValues<T>,
  id: string,
  rowsOf: (value: T, since: Day) => readonly ReleaseRow[],
  ownDay: (key: string) => Day = () => '',
): ReleaseRow[] =>
  [...values].flatMap(([key, history]) => {
    const runs = new KnownRuns(id);
    const day = ownDay(key);
    const ended = history.flatMap((made) => {
      const since = made.since > day ? made.since : day;
      const rows = made.value === undefined ? [] : rowsOf(made.value, since);
      return runs.change(
        since,
        rows.map((row) => ({ row, made })),
      );
    });
    return [...ended, ...runs.current()];
  });

/**
 * The values by key, oldest first: a change wherever a run of the key begins or ends.
 * @param rows of tables of vintages
 * @param toValue makes a value of the rows that were served together
 */
export function knownValues<T>(
  rows: Iterable<ReleaseRow>,
  keyOf: (row: ReleaseRow) => string,
  toValue: (rows: readonly ReleaseRow[]) => T,
): LoadedValues<T> {
  const byKey = groupBy(rows, keyOf);
  return new Map(
    [...byKey].map(([key, keyRows]) => {
      const runs = keyRows.map((row) => ({
        row,
        from: String(row.known_from),
        to: row.known_to == null ? undefined : String(row.known_to),
      }));
      const days = new Set(runs.flatMap(({ from, to }) => (to === undefined ? [from] : [from, to])));
      const values = [...days].sort().map((since) => {
        const then = runs.filter(({ from, to }) => from <= since && (to === undefined || to > since));
        return {
          since,
          value: then.length === 0 ? undefined : toValue(then.map(({ row }) => row)),
          backfilled: (then.length === 0 ? runs : then).some(({ row }) => row.backfilled === true),
        };
      });
      return [key, values];
    }),
  );
}
