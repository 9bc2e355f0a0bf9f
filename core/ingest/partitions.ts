/** How a back-fill is divided. Partitions are independent: calls of a port change no other, and each HS code has its own series. */
import type { SourceReport } from '../calls/observation.ts';
import { HS_CHAPTERS } from '../reference/hs-code.ts';
import { isLocode, type Locode } from '../reference/locode.ts';
import type { SourceDeclaration } from '../upstream/source.ts';

/** The only part of a source that is not divided, and of one whose fetches are not judged yet. */
export const WHOLE = 'whole';

/** A UN/LOCODE, an HS chapter, a region, or `whole`. */
export type Part = string;

/** One part of one source, applied by one process in order of time. */
export interface Partition {
  readonly source: string;
  readonly part: Part;
  /** Fetches before this time are skipped. ISO 8601. */
  readonly since?: string | undefined;
  /** Fetches after this time are skipped. ISO 8601. */
  readonly until?: string | undefined;
}

export function partsOf({ partitionedBy, ports, regions = {} }: SourceDeclaration): readonly Part[] {
  if (partitionedBy === 'port') return ports;
  if (partitionedBy === 'region') return Object.keys(regions);
  return partitionedBy === 'hs-chapter' ? HS_CHAPTERS : [WHOLE];
}

/** A fetch is judged as a whole, so one process walks fetches `toJudge`; days of positions are judged region by region. */
export function partitions(
  declaration: SourceDeclaration,
  span: Omit<Partition, 'source' | 'part'>,
  toJudge: boolean,
): Partition[] {
  const parts = toJudge && declaration.partitionedBy !== 'region' ? [WHOLE] : partsOf(declaration);
  return parts.map((part) => ({ source: declaration.id, part, ...span }));
}

/** The ports that belong to `part`. */
export function listPorts({ ports, regions }: SourceDeclaration, part: Part): readonly Locode[] {
  if (part === WHOLE) return ports;
  return regions?.[part] ?? (isLocode(part) ? [part] : []);
}

/** The reports, or the parts of them, that belong to `part`. */
export function reportsIn(
  declaration: SourceDeclaration,
  part: Part,
  reports: readonly SourceReport[],
): readonly SourceReport[] {
  if (part === WHOLE) return reports;
  const ports = listPorts(declaration, part);
  if (ports.length > 0)
    return reports.filter((report) => report.kind !== 'trade' && ports.includes(report.port));
  return reports.flatMap((report) => {
    if (report.kind !== 'trade') return [];
    const values = report.values.filter(({ code }) => code.startsWith(part));
    return values.length === 0 ? [] : [{ ...report, values }];
  });
}
