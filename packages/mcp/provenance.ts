/** Provenance of a response: time, method, evidence, attribution, and whether the data are simulated. */
import type { PortRecord, SourceRecord } from '../../core/contracts/routes.ts';
import { callTablesDeclaration } from '../../core/sources/call-tables/declaration.ts';
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
  /** Evidence of the figures: `observed`, `recorded`, `given`, `read`, `expected` or `simulated`. */
  readonly evidence: readonly string[];
  readonly attribution: readonly string[];
}

const unique = (values: readonly string[]): string[] => [...new Set(values)].toSorted();
export const newest = (times: readonly (string | null)[]): string | null =>
  times
    .filter((time) => time !== null)
    .toSorted()
    .at(-1) ?? null;

/** Whether a source is the tables of calls: each table has terms of its own. */
export const isTables = (source: string): boolean => source === callTablesDeclaration.id;

/** A table of calls as the service states it. */
export type GivenTable = NonNullable<SourceRecord['tables']>[number];

const tableAttribution = ({ name, publisher, licence, attribution }: GivenTable): string =>
  [
    `Table of calls ${name}: publisher ${publisher ?? 'not stated'}, licence ${licence ?? 'not stated'}`,
    ...(attribution === null ? [] : [attribution]),
  ].join('; ');

type Observed = Pick<PortRecord, 'sources' | 'method' | 'evidence' | 'as_of'> & Partial<PortRecord>;

/** @param tables those of the service, where one of the ports has a table */
export function portProvenance(ports: readonly Observed[], tables: readonly GivenTable[] = []): Provenance {
  const ids = ports.flatMap(({ sources }) => sources);
  const codes = new Set(ports.map(({ port }) => port));
  const behind = tables.filter((table) => table.ports.some((port) => codes.has(port)));
  const declared = behind.length > 0 ? ids.filter((id) => !isTables(id)) : ids;
  return {
    sample_data: ids.length === 0 ? undefined : ids.some(isSample),
    as_of: newest(ports.map(({ as_of }) => as_of)),
    methods: unique(ports.flatMap(({ method }) => method ?? [])),
    evidence: unique(ports.flatMap(({ evidence }) => evidence ?? [])),
    attribution: unique([
      ...declared.map((id) => findDeclaration(id)?.attribution ?? `Source: ${id}`),
      ...behind.map(tableAttribution),
    ]),
  };
}

/** Provenance of import values: the trade sources that have been fetched. */
export function importProvenance(sources: readonly SourceRecord[]): Provenance {
  const trade = sources.filter(({ source }) => isSample(source) || findDeclaration(source)?.kind === 'trade');
  const observed = trade.map(
    ({ source, evidence, last_fetch_iso }): Observed => ({
      sources: [source],
      method: null,
      evidence,
      as_of: last_fetch_iso,
    }),
  );
  return { ...portProvenance(observed), methods: ['trade'] };
}
