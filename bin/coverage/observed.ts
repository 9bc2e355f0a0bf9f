/** Coverage of each port by the repository's recordings: the span, and the calls and waits reconstructed from them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLedger } from '../../core/calls/ledger.ts';
import type { PortReport } from '../../core/calls/observation.ts';
import type { PortCall } from '../../core/calls/port-call.ts';
import { applyReport } from '../../core/calls/reconstruct.ts';
import type { Locode } from '../../core/reference/locode.ts';
import { formatInstant } from '../../core/reference/time.ts';
import { sourceById } from '../../core/sources/registry.ts';
import {
  type ArchivedFetch,
  type FetchedFiles,
  RefusedReply,
  type Source,
} from '../../core/sources/source.ts';
import { fetchedAtOf } from '../../core/store/raw-archive.ts';
import type { Observed, ObservedPort } from '../../site/coverage.ts';

const foldersIn = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();

const filesIn = (path: string): FetchedFiles =>
  new Map(readdirSync(path).map((name) => [name, readFileSync(join(path, name))]));

/** The recorded replies of a source, in order of time; none when it has no folder. */
export function recordedFetches(recordings: string, source: string): ArchivedFetch[] {
  const directory = join(recordings, source);
  if (!existsSync(directory)) return [];
  return foldersIn(directory).flatMap((name) => {
    const fetchedAt = fetchedAtOf(name);
    return fetchedAt === undefined ? [] : [{ fetchedAt, files: filesIn(join(directory, name)) }];
  });
}

/** Reports of recorded replies; a reply that the source refuses adds none. */
function reportsOf(source: Source, fetches: readonly ArchivedFetch[]): PortReport[] {
  return fetches.flatMap((fetched) => {
    try {
      const { reports } = source.parse(fetched);
      return reports.filter((report): report is PortReport => 'port' in report);
    } catch (thrown) {
      if (thrown instanceof RefusedReply) return [];
      throw thrown;
    }
  });
}

function portFrom(reports: readonly PortReport[]): ObservedPort {
  const calls = new Map<string, PortCall>();
  let ledger = openLedger();
  for (const report of reports) {
    const applied = applyReport(ledger, report);
    ledger = applied.ledger;
    for (const call of applied.changed) calls.set(call.callId, call);
    for (const call of applied.removed) calls.delete(call.callId);
  }
  const times = reports.map(({ observedAt }) => observedAt);
  const anchored = [...calls.values()].filter(({ legs }) => legs.some(({ zone }) => zone === 'anchorage'));
  return {
    from: formatInstant(Math.min(...times)),
    to: formatInstant(Math.max(...times)),
    replies: reports.length,
    calls: calls.size,
    anchored: anchored.length,
  };
}

/** By source, then by port, in order of their names. `directory` is laid out as the raw archive is. */
export function observedIn(directory: string): Observed {
  const sources = foldersIn(directory).flatMap((id) => {
    const source = sourceById(id);
    return source === undefined || source.declaration.ports.length === 0 ? [] : [{ id, source }];
  });
  return Object.fromEntries(
    sources.map(({ id, source }) => {
      const byPort = new Map<Locode, PortReport[]>();
      for (const report of reportsOf(source, recordedFetches(directory, id)))
        byPort.set(report.port, [...(byPort.get(report.port) ?? []), report]);
      const ports = [...byPort].toSorted(([a], [b]) => (a < b ? -1 : 1));
      return [id, Object.fromEntries(ports.map(([port, reports]) => [port, portFrom(reports)]))];
    }),
  );
}
