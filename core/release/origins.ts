/** The sources of the rows of a release, and what their licences permit a release to contain. */
import { addDays, type Day } from '../reference/time.ts';
import { callTablesDeclaration } from '../sources/call-tables/declaration.ts';
import { SOURCE_DECLARATIONS } from '../sources/declarations.ts';
import type { Beginning } from '../store/beginnings.ts';
import type { PortRow } from '../store/ports.ts';
import type { Known } from '../store/series.ts';
import type { GivenTable } from '../store/source-status.ts';
import type { SourceDeclaration } from '../upstream/source.ts';

/** The declarations of every source that a release may have rows of, but for the sample. */
export const RELEASED_DECLARATIONS: readonly SourceDeclaration[] = [
  ...SOURCE_DECLARATIONS,
  callTablesDeclaration,
];

/** What is shown of a table where the person who gave it states nothing. */
export const NOT_STATED = 'not stated';

/** The columns that say where a row comes from. */
export interface Origin {
  readonly source: string;
  readonly licence: string;
}

/** A port whose rows may be passed on. */
export interface ReleasedPort {
  readonly row: Known<PortRow>;
  readonly origin: Origin;
  /** Whether the licences of all its sources permit that its single port calls are published. */
  readonly passesOnCalls: boolean;
  /** Undefined where nothing was known of it yet. */
  readonly begin: Beginning | undefined;
}

/** The last UTC day that a release of `today` has of a port: the last one that its observations cover, and the day before the release at most. */
export function lastDayOf({ lastDay }: Pick<PortRow, 'lastDay'>, today: Day): Day {
  const yesterday = addDays(today, -1);
  return lastDay !== undefined && lastDay < yesterday ? lastDay : yesterday;
}

type Terms = Pick<SourceDeclaration, 'id' | 'licence' | 'passesOnCalls'>;

export const originOf = (terms: readonly Terms[]): Origin => ({
  source: terms.map(({ id }) => id).join(' '),
  licence: terms.map(({ licence }) => licence).join('; '),
});

/**
 * Leaves out ports without a source or with an undeclared one: what its licence permits is unknown.
 * @param tables those of tables of calls, each with terms of its own
 */
export const releasedPorts = (
  rows: readonly Known<PortRow>[],
  declarations: readonly SourceDeclaration[],
  tables: readonly GivenTable[],
  beginnings: ReadonlyMap<string, Beginning>,
): ReleasedPort[] =>
  rows.flatMap((row) => {
    const declared = row.sources.flatMap((source) => declarations.find(({ id }) => id === source) ?? []);
    if (declared.length === 0 || declared.length < row.sources.length) return [];
    const terms = declared.map((declaration) =>
      declaration.id === callTablesDeclaration.id ? termsOf(tables, row.port) : declaration,
    );
    const passesOnCalls = terms.every((of) => of.passesOnCalls === true);
    return [{ row, origin: originOf(terms), passesOnCalls, begin: beginnings.get(row.port) }];
  });

/** The terms of the tables of a port together. */
function termsOf(tables: readonly GivenTable[], port: string): Terms {
  const { id } = callTablesDeclaration;
  const given = tables.filter(({ ports }) => ports.includes(port));
  const licences = new Set(given.map(({ licence = NOT_STATED }) => licence));
  const licence = [...licences].join(', ') || NOT_STATED;
  const passesOnCalls = given.length > 0 && given.every((table) => table.passesOnCalls);
  return passesOnCalls ? { id, licence, passesOnCalls } : { id, licence };
}

/** The source of the import values, if it has been fetched. */
export function importSource(
  declarations: readonly SourceDeclaration[],
  isFetched: (id: string) => boolean,
): SourceDeclaration | undefined {
  const candidates = declarations.filter(({ id }) => isFetched(id));
  // The simulator alone reports ports and trade.
  return candidates.find(({ kind }) => kind === 'trade') ?? candidates[0];
}
