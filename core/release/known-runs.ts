/** Runs of UTC days at whose ends the same row was served: the rows of the tables of vintages. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { Day } from '../reference/time.ts';
import type { ReleaseRow } from './columns.ts';

/** A row as it was served. */
export interface KnownRow {
  /** What stays the same while its figures change. */
  readonly id: string;
  readonly row: ReleaseRow;
  /** A back-fill wrote it: nobody could have known it then. */
  readonly backfilled: boolean;
}

interface Run extends KnownRow {
  readonly from: Day;
}

const isSame = (run: Run, { row, backfilled }: KnownRow): boolean =>
  run.backfilled === backfilled && isDeepStrictEqual(run.row, row);

const known = ({ row, from, backfilled }: Run, known_to: Day | null): ReleaseRow => ({
  ...row,
  known_from: from,
  known_to,
  backfilled,
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
