/** Turns the runs of days of a release back into the values of a series: the inverse of `KnownRuns`. Pure. */
import { groupBy } from '../reference/grouping.ts';
import type { Day } from '../reference/time.ts';
import type { LoadedValues } from '../store/series.ts';
import type { ReleaseRow } from './columns.ts';

interface Run {
  readonly row: ReleaseRow;
  readonly from: Day;
  /** The first day without it; undefined for the newest. */
  readonly to: Day | undefined;
}

const runOf = (row: ReleaseRow): Run => ({
  row,
  from: String(row.known_from),
  to: row.known_to == null ? undefined : String(row.known_to),
});

/**
 * The values by key, oldest first: a change wherever a run of the key begins or ends.
 * @param rows of tables of vintages
 * @param toValue makes a value of the rows that were served together, undefined where there were none
 */
export function knownValues<T>(
  rows: Iterable<ReleaseRow>,
  keyOf: (row: ReleaseRow) => string,
  toValue: (rows: readonly ReleaseRow[]) => T,
): LoadedValues<T> {
  const byKey = groupBy(rows, keyOf);
  return new Map(
    [...byKey].map(([key, keyRows]) => {
      const runs = keyRows.map(runOf);
      const days = [...new Set(runs.flatMap(({ from, to }) => (to === undefined ? [from] : [from, to])))];
      const values = days.sort().map((since) => {
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
