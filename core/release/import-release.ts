/** Begins the tables of a service with a release: settled history, which later replies never change. */
import { type Clock, dayOf, parseInstant } from '../reference/time.ts';
import { createPortClockStore } from '../store/ports.ts';
import { ReleaseFailure } from '../store/release-place.ts';
import { createSourceStatusStore } from '../store/source-status.ts';
import { type CoveredPort, coverageOf, refuseUncovered } from './covered-days.ts';
import { allRows, createLoader, type ImportTables, portIn } from './release-loader.ts';
import type { OpenedRelease } from './release-reader.ts';

/** Throws ReleaseFailure where the tables have data: a release can only be their beginning. */
async function refuseUnlessEmpty({ portClocks, sourceStatus }: ImportTables, now: Clock): Promise<void> {
  const fetched = await createSourceStatusStore(sourceStatus, now).fetchTimes();
  if (fetched.size === 0 && (await portClocks.scan()).length === 0) return;
  throw new ReleaseFailure(
    'the tables have data already, and a release can only be the beginning of empty ones: name another --data-dir, or empty the tables',
  );
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
    for (const running of [undefined, 'running'] as const)
      for await (const group of release.rows(table, running)) refuseUncovered(group, covered);
  return covered;
}

/** Writes when each source was fetched, and that its first figures are those of a release. */
async function writeStatuses({ manifest }: OpenedRelease, { sourceStatus }: ImportTables, now: Clock) {
  const statuses = createSourceStatusStore(sourceStatus, now);
  const madeAt = manifest.made === undefined ? undefined : parseInstant(manifest.made);
  for (const { id, fetched_at, replayed } of manifest.sources) {
    const lastFetchAt = fetched_at == null ? undefined : parseInstant(fetched_at);
    if (lastFetchAt === undefined) continue;
    const imported = {
      release: manifest.release,
      ...(madeAt !== undefined && { madeAt }),
      ...(replayed === true && { replayed }),
    };
    const lease = await statuses.lease(id, 'import', LEASE_MS);
    await lease?.release({ source: id, failures: 0, lastFetchAt, imported });
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
  const loader = createLoader(release, tables);
  const forecastDays = await loader.forecasts();
  await loader.ports(await loader.days());
  await loader.waits();
  await loader.alerts();
  await loader.imports();
  await loader.beginnings();
  const clocks = createPortClockStore(tables.portClocks);
  for (const [port, { coverage, asOfAt }] of covered)
    await clocks.put(port, {
      knownOn: release.manifest.release,
      methodology: release.manifest.methodology_version,
      forecastDay: forecastDays.get(port),
      settled: { lastDay: dayOf(asOfAt), coverage: [...coverage] },
    });
  await writeStatuses(release, tables, now);
}
