/** The release that an empty store of this machine begins with: what it is, and the load, which a mark in the folder of the data ends. */
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, parseInstant } from '../core/reference/time.ts';
import { creditsOf, readManifest } from '../core/release/manifest.ts';
import { LATEST, latestIn, MANIFEST, releaseFolder } from '../core/store/release-place.ts';
import { INGEST_TABLES } from '../core/store/tables.ts';
import type { StoreWiring } from '../lambdas/wiring.ts';
import { StartError } from './start-error.ts';

/** The newest release of a dataset in a folder. Throws `StartError` where it has none, and ReleaseFailure where it is damaged. */
export function readBeginning(folder: string) {
  const day = latestIn(readFileSync(join(folder, LATEST), 'utf8'));
  if (day === undefined) throw new StartError(`${join(folder, LATEST)} is damaged`);
  const text = readFileSync(join(folder, releaseFolder(day), MANIFEST), 'utf8');
  const { sources, covered = {} } = readManifest(day, text);
  const fetches = sources.map(({ fetched_at }) => parseInstant(fetched_at ?? '') ?? 0);
  return {
    /** Digest of its manifest, which has the digests of its files. */
    digest: createHash('sha256').update(text).digest('hex'),
    /** Whom to credit for its figures, as lines. */
    credits: creditsOf(sources).map(({ id, attribution }) => `${id}: ${attribution}`),
    /** Ports that it has observations of. */
    ports: Object.keys(covered).sort(),
    /** The newest reply that its figures are made from. */
    newestAt: Math.max(...fetches),
  };
}

const markOf = (directory: string): string => join(directory, 'began-with');

/** The digest of the release that the data in `directory` began with; undefined where they began without one, or are not there. */
function begunWith(directory: string): string | undefined {
  try {
    return readFileSync(markOf(directory), 'utf8');
  } catch {
    return undefined;
  }
}

/** Removes data that began otherwise, or whose load was interrupted: they are made of files of the repository. */
export function removeUnlessBegunWith(directory: string, digest: string): void {
  if (begunWith(directory) !== digest) rmSync(directory, { recursive: true, force: true });
}

/** Loads the newest release of the dataset in `folder` into the empty store of the service, unless it was loaded before. */
export async function beginWith(
  folder: string,
  directory: string,
  { openTables }: Pick<StoreWiring, 'openTables'>,
  now: Clock,
): Promise<void> {
  if (begunWith(directory) !== undefined) return;
  // The reader is loaded by the starts that need it.
  const [{ importRelease }, { openRelease }] = await Promise.all([
    import('../core/release/import-release.ts'),
    import('../core/release/release-reader.ts'),
  ]);
  await importRelease(await openRelease(folder), openTables(INGEST_TABLES, 'patient'), now);
  writeFileSync(markOf(directory), readBeginning(folder).digest);
}
