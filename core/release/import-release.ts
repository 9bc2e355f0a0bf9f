/** Begins the tables of a service with a release: settled history, which later replies never change. */
import { type Coverage, dayCoverage } from '../calls/coverage.ts';
import { type Clock, type Day, dayOf, type Instant, parseInstant } from '../reference/time.ts';
import { createPortClockStore } from '../store/ports.ts';
import { ReleaseFailure } from '../store/release-place.ts';
import { createSourceStatusStore, type GivenTable } from '../store/source-status.ts';
import type { ReleaseRow } from './columns.ts';
import type { Manifest, ManifestSource } from './manifest.ts';
import { allRows, type ImportTables, Loader, portIn } from './release-loader.ts';
import type { OpenedRelease } from './release-reader.ts';

/** Throws ReleaseFailure where the tables have data: a release can only be their beginning. */
async function refuseUnlessEmpty({ portClocks, sourceStatus }: ImportTables, now: Clock): Promise<void> {
  const fetched = await createSourceStatusStore(sourceStatus, now).fetchTimes();
  if (fetched.size === 0 && (await portClocks.scan()).length === 0) return;
  throw new ReleaseFailure(
    'the tables have data already, and a release can only be the beginning of empty ones: name another --data-dir, or empty the tables',
  );
}

// Every day with a row must be covered, because a figure of an unobserved day is a false zero.

/** Rows state a share with fewer decimals than spans have. */
const TOLERANCE = 0.005;

interface CoveredPort {
  readonly coverage: Coverage;
  /** Its newest observation: of the day that was running then, only the part so far counts. */
  readonly asOfAt: Instant;
}

/** The spans of a port as its manifest states them. Throws ReleaseFailure for an invalid span. */
const coverageOf = (port: string, { covered = {} }: Pick<Manifest, 'covered'>): Coverage =>
  (covered[port] ?? []).map(([from, to]) => {
    const [fromAt = 0, toAt = 0] = [parseInstant(from), parseInstant(to)];
    if (fromAt > toAt)
      throw new ReleaseFailure(`the manifest states a span of ${port} that is none: ${from} to ${to}`);
    return { fromAt, toAt };
  });

const percent = (share: number): string => `${Math.round(100 * share)} %`;

/** Throws ReleaseFailure where a row of a day states more coverage than the spans of its port. */
export function refuseUncovered(rows: readonly ReleaseRow[], ports: ReadonlyMap<string, CoveredPort>): void {
  for (const { port, date, coverage } of rows) {
    const found = ports.get(String(port));
    const share = found === undefined ? 0 : dayCoverage(found.coverage, date as Day, found.asOfAt);
    if (Number(coverage) > share + TOLERANCE)
      throw new ReleaseFailure(
        `${port}: the row of ${date} rests on ${percent(Number(coverage))} of the day, but the release covers ${percent(share)} of it: nothing is loaded`,
      );
  }
}

/** The covered spans of each observed port. Checks every row of a day, and throws ReleaseFailure before anything is written. */
async function readCovered(release: OpenedRelease): Promise<ReadonlyMap<string, CoveredPort>> {
  const { manifest } = release;
  if (manifest.covered === undefined)
    throw new ReleaseFailure(
      `the release of ${manifest.release} does not state what it covers: nothing can begin with it`,
    );
  const covered = new Map<string, CoveredPort>();
  for (const row of await allRows(release, 'ports')) {
    const coverage = coverageOf(portIn(row), manifest);
    if (row.as_of != null && coverage.length > 0)
      covered.set(portIn(row), { coverage, asOfAt: Number(row.as_of) });
  }
  for (const table of ['days', 'waits'] as const)
    for await (const group of release.rows(table)) refuseUncovered(group, covered);
  return covered;
}

const givenTableOf = ({
  calls,
  publisher,
  licence,
  attribution,
  ...table
}: NonNullable<ManifestSource['tables']>[number]): GivenTable => ({
  ...table,
  ...(publisher !== null && { publisher }),
  ...(licence !== null && { licence }),
  ...(attribution !== null && { attribution }),
  passesOnCalls: calls,
});

/** Writes when each source was fetched, and that its first figures are those of a release. */
async function writeStatuses({ manifest }: OpenedRelease, { sourceStatus }: ImportTables, now: Clock) {
  const statuses = createSourceStatusStore(sourceStatus, now);
  const madeAt = manifest.made === undefined ? undefined : parseInstant(manifest.made);
  for (const { id, fetched_at, replayed, tables } of manifest.sources) {
    const lastFetchAt = fetched_at == null ? undefined : parseInstant(fetched_at);
    if (lastFetchAt === undefined) continue;
    const imported = {
      release: manifest.release,
      ...(madeAt !== undefined && { madeAt }),
      ...(replayed === true && { replayed }),
    };
    const lease = await statuses.lease(id, 'import', LEASE_MS);
    await lease?.release({
      source: id,
      failures: 0,
      lastFetchAt,
      imported,
      ...(tables && { tables: tables.map(givenTableOf) }),
    });
  }
}

const LEASE_MS = 60_000;

/**
 * Loads a release into empty tables. The clocks of ports and the status of sources are written last: if it is interrupted, the
 * tables still count as empty, and the next run writes the same rows. Throws ReleaseFailure.
 */
export async function importRelease(release: OpenedRelease, tables: ImportTables, now: Clock): Promise<void> {
  await refuseUnlessEmpty(tables, now);
  const covered = await readCovered(release);
  const { forecastDays, withStays } = await new Loader(release, tables).load();
  const clocks = createPortClockStore(tables.portClocks);
  for (const [port, { coverage, asOfAt }] of covered)
    await clocks.put(port, {
      knownOn: release.manifest.release,
      methodology: release.manifest.methodology_version,
      forecastDay: forecastDays.get(port),
      settled: {
        lastDay: dayOf(asOfAt),
        coverage: [...coverage],
        ...(withStays.has(port) && { hasStays: true }),
      },
    });
  await writeStatuses(release, tables, now);
}
