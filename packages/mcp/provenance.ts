/** Provenance of a response: time, method, evidence, attribution, and whether the data are simulated. */
import type { PortRecord, SourceRecord } from '../../core/contracts/routes.ts';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { SAMPLE_DECLARATION } from '../../core/sources/sample-simulator/declaration.ts';
import type { SourceDeclaration } from '../../core/upstream/source.ts';

const DECLARED: ReadonlyMap<string, SourceDeclaration> = new Map(
  [...SOURCE_DECLARATIONS, SAMPLE_DECLARATION].map((declaration) => [declaration.id, declaration]),
);

/** The declaration of a source; undefined for one that is newer than this program. */
export const findDeclaration = (id: string): SourceDeclaration | undefined => DECLARED.get(id);

const isSample = (id: string): boolean => id === SAMPLE_DECLARATION.id;

export interface Provenance {
  /** True: simulated figures for trying the service out, not real ports. Undefined where the response is about nothing. */
  readonly sample_data: boolean | undefined;
  readonly as_of: string | null;
  /** `records` of stated times, `polls` of lists of the vessels in port, `positions` from AIS, `trade` from customs values. */
  readonly methods: readonly string[];
  /** Evidence of the figures: `observed`, `recorded`, `read`, `expected` or `simulated`. */
  readonly evidence: readonly string[];
  readonly attribution: readonly string[];
}

const unique = (values: readonly string[]): string[] => [...new Set(values)].toSorted();
export const newest = (times: readonly (string | null)[]): string | null =>
  times
    .filter((time) => time !== null)
    .toSorted()
    .at(-1) ?? null;

function provenance(
  records: readonly (PortRecord | SourceRecord)[],
  sources: readonly string[],
  methods: readonly string[],
  asOf: string | null,
): Provenance {
  return {
    sample_data: sources.length === 0 ? undefined : sources.some(isSample),
    as_of: asOf,
    methods: unique(methods),
    evidence: unique(records.flatMap(({ evidence }) => evidence ?? [])),
    attribution: unique(sources.map((id) => findDeclaration(id)?.attribution ?? `Source: ${id}`)),
  };
}

export const portProvenance = (ports: readonly PortRecord[]): Provenance =>
  provenance(
    ports,
    unique(ports.flatMap(({ sources }) => sources)),
    ports.flatMap(({ method }) => method ?? []),
    newest(ports.map(({ as_of }) => as_of)),
  );

/** Provenance of import values: the trade sources that have been fetched. */
export function importProvenance(sources: readonly SourceRecord[]): Provenance {
  const trade = sources.filter(({ source }) => isSample(source) || findDeclaration(source)?.kind === 'trade');
  return provenance(
    trade,
    trade.map(({ source }) => source),
    ['trade'],
    newest(trade.map(({ last_fetch_iso }) => last_fetch_iso)),
  );
}
