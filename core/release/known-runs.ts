/** Runs of UTC days at whose ends the same row was served: the rows of the tables of vintages. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { Day } from '../reference/time.ts';
import type { ReleaseRow } from './columns.ts';

/** How a value came about. */
interface Made {
  /** A back-fill wrote it: nobody could have known it then. */
  readonly backfilled: boolean;
  /** The version of the methodology that made it; undefined where none was recorded. */
  readonly methodology: string | undefined;
}

/** A row as it was served. */
export interface KnownRow {
  /** What stays the same while its figures change. */
  readonly id: string;
  readonly row: ReleaseRow;
  readonly made: Made;
}

/** What is served since a day. */
export interface Change {
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
