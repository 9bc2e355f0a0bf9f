/** The sources of the rows of a release, and what their licences permit a release to contain. */

import type { PortRow } from '../store/ports.ts';
import type { SourceDeclaration } from '../upstream/source.ts';

/** The columns that say where a row comes from. */
export interface Origin {
  readonly source: string;
  readonly licence: string;
}

export interface Origins {
  /** Undefined for a port with an undeclared source, whose licence is unknown. */
  portOrigin(row: PortRow): Origin | undefined;
  /** Whether the licences of all sources of the port permit that its single port calls are published. */
  passesOnCalls(row: PortRow): boolean;
  /** The source of the import values, if it has been fetched. */
  importOrigin(fetched: readonly string[]): Origin | undefined;
}

const origin = (declarations: readonly SourceDeclaration[]): Origin => ({
  source: declarations.map(({ id }) => id).join(' '),
  licence: declarations.map(({ licence }) => licence).join('; '),
});

export function findOrigins(declarations: readonly SourceDeclaration[]): Origins {
  const byId = new Map(declarations.map((declaration) => [declaration.id, declaration]));
  const declared = ({ sources }: PortRow): SourceDeclaration[] => sources.flatMap((id) => byId.get(id) ?? []);
  const isKnown = (row: PortRow): boolean =>
    row.sources.length > 0 && declared(row).length === row.sources.length;
  return {
    portOrigin: (row) => (isKnown(row) ? origin(declared(row)) : undefined),
    passesOnCalls: (row) =>
      isKnown(row) && declared(row).every(({ passesOnCalls }) => passesOnCalls === true),
    importOrigin(fetched) {
      const candidates = declarations.filter(({ id }) => fetched.includes(id));
      // The simulator alone reports ports and trade.
      const source = candidates.find(({ kind }) => kind === 'trade') ?? candidates[0];
      return source === undefined ? undefined : origin([source]);
    },
  };
}
