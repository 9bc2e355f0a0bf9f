/** Provenance of a response: time, method, attribution, and whether the data are simulated. */
import * as z from 'zod/mini';
import type { PortRecord, SourceRecord } from '../core/contracts/routes.ts';
import { described } from '../core/contracts/wire.ts';
import { SOURCE_DECLARATIONS } from '../core/sources/declarations.ts';
import { SAMPLE_DECLARATION } from '../core/sources/sample-simulator/declaration.ts';
import type { SourceDeclaration } from '../core/sources/source.ts';

const DECLARED: ReadonlyMap<string, SourceDeclaration> = new Map(
  [...SOURCE_DECLARATIONS, SAMPLE_DECLARATION].map((declaration) => [declaration.id, declaration]),
);

/** The declaration of a source; undefined for one that is newer than this program. */
export const declarationOf = (id: string): SourceDeclaration | undefined => DECLARED.get(id);

export const isSample = (id: string): boolean => id === SAMPLE_DECLARATION.id;

/** Fields of every response. */
export const provenanceShape = {
  as_of: described(z.nullable(z.string()), {
    description: 'Newest observation behind the response, UTC; null without one.',
  }),
  methods: described(z.array(z.string()), {
    description:
      'How the figures are made: `records` from stated times, `polls` from repeated lists of the vessels in port, `positions` from AIS, `trade` from customs values.',
  }),
  attribution: described(z.array(z.string()), {
    description: 'Show this attribution beside any figure you quote.',
  }),
  sample_data: described(z.boolean(), {
    description: 'True: simulated figures for trying the service out, not real ports.',
  }),
};
export type Provenance = z.infer<z.ZodMiniObject<typeof provenanceShape>>;

const unique = (values: readonly string[]): string[] => [...new Set(values)].toSorted();
const newest = (times: readonly (string | null)[]): string | null =>
  times
    .filter((time) => time !== undefined)
    .toSorted()
    .at(-1) ?? null;

function provenanceOf(
  sources: readonly string[],
  methods: readonly string[],
  asOf: string | null,
): Provenance {
  return {
    as_of: asOf,
    methods: unique(methods),
    attribution: unique(sources.map((id) => declarationOf(id)?.attribution ?? `Source: ${id}`)),
    sample_data: sources.some(isSample),
  };
}

/** Provenance of figures of these ports. */
export const provenanceOfPorts = (ports: readonly PortRecord[]): Provenance =>
  provenanceOf(
    unique(ports.flatMap(({ sources }) => sources)),
    ports.flatMap(({ method }) => method ?? []),
    newest(ports.map(({ as_of }) => as_of)),
  );

/** Provenance of import values: the trade sources that have been fetched. */
export function provenanceOfImports(sources: readonly SourceRecord[]): Provenance {
  const trade = sources.filter(({ source }) => isSample(source) || declarationOf(source)?.kind === 'trade');
  return provenanceOf(
    trade.map(({ source }) => source),
    ['trade'],
    newest(trade.map(({ last_fetch_iso }) => last_fetch_iso)),
  );
}
