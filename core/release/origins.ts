/** The sources of the rows of a release, and what their licences permit a release to contain. */
import { addDays, type Day } from '../reference/time.ts';
import type { Beginning } from '../store/beginnings.ts';
import type { PortRow } from '../store/ports.ts';
import type { Known } from '../store/series.ts';
import type { SourceDeclaration } from '../upstream/source.ts';

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

export const originOf = (declarations: readonly SourceDeclaration[]): Origin => ({
  source: declarations.map(({ id }) => id).join(' '),
  licence: declarations.map(({ licence }) => licence).join('; '),
});

/** Without the ports that have no source or an undeclared one: nobody can say what its licence permits. */
export const releasedPorts = (
  rows: readonly Known<PortRow>[],
  declarations: readonly SourceDeclaration[],
  beginnings: ReadonlyMap<string, Beginning>,
): ReleasedPort[] =>
  rows.flatMap((row) => {
    const declared = row.sources.flatMap((source) => declarations.find(({ id }) => id === source) ?? []);
    if (declared.length === 0 || declared.length < row.sources.length) return [];
    const passesOnCalls = declared.every((declaration) => declaration.passesOnCalls === true);
    return [{ row, origin: originOf(declared), passesOnCalls, begin: beginnings.get(row.port) }];
  });

/** The source of the import values, if it has been fetched. */
export function importSource(
  declarations: readonly SourceDeclaration[],
  isFetched: (id: string) => boolean,
): SourceDeclaration | undefined {
  const candidates = declarations.filter(({ id }) => isFetched(id));
  // The simulator alone reports ports and trade.
  return candidates.find(({ kind }) => kind === 'trade') ?? candidates[0];
}
