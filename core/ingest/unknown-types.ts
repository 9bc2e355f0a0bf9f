/** How many vessels of a fetch have a type that the source does not state, for operators. */
import type { SourceReport, Traffic } from '../calls/observation.ts';
import type { Counts } from '../sources/source.ts';

function trafficIn(report: SourceReport): readonly { readonly traffic?: Traffic }[] {
  if (report.kind === 'call-batch') return report.records;
  return report.kind === 'poll' ? (report.inPort ?? []) : [];
}

/** `unknownTypes`: vessels in port or call records of unknown type; undefined where there is none. */
export function unknownTypes(reports: readonly SourceReport[]): Counts | undefined {
  const count = reports.flatMap(trafficIn).filter(({ traffic }) => traffic === 'unknown').length;
  return count === 0 ? undefined : { unknownTypes: count };
}
