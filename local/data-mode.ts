/** Where the data of a start come from: the recordings, the sample, the real upstreams, or other recorded replies. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locode } from '../core/reference/codes.ts';
import {
  addDays,
  type Clock,
  dayOf,
  formatInstant,
  type Instant,
  parseInstant,
} from '../core/reference/time.ts';
import { creditsOf, readManifest } from '../core/release/manifest.ts';
import { SOURCE_DECLARATIONS } from '../core/sources/declarations.ts';
import { hkMarineDepartmentDeclaration } from '../core/sources/hk-marine-department/declaration.ts';
import { SAMPLE_DECLARATION } from '../core/sources/sample-simulator/declaration.ts';
import { createSampleSource, HISTORY_DAYS } from '../core/sources/sample-simulator/source.ts';
import { timeStamp } from '../core/store/raw-archive.ts';
import { LATEST, latestIn, MANIFEST, releaseFolder } from '../core/store/release-place.ts';
import { INGEST_TABLES } from '../core/store/tables.ts';
import type { SourceDeclaration } from '../core/upstream/source.ts';
import type { StoreWiring } from '../lambdas/wiring.ts';
import { StartError } from './command-line.ts';
import { type IngestStep, type LocalIngest, readReplay, upstreamEnvironment } from './ingest.ts';
import type { LocalServiceOptions } from './local-service.ts';
import type { ServeOptions } from './start-options.ts';

// The release that an empty store of this machine begins with: what it is, and the load, which a mark in the folder
// of the data ends.

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
function removeUnlessBegunWith(directory: string, digest: string): void {
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

export interface ServeMode extends Pick<LocalServiceOptions, 'rawArchive' | 'recordedUntil' | 'ownRelease'> {
  /** Folder of this mode's data, so that data of different origin never mix. */
  readonly dataDirectory: string;
  readonly ingest: LocalIngest;
  /** Where the service's clock starts; the present when absent. */
  readonly nowAt?: Instant | undefined;
  readonly firstPass: readonly IngestStep[];
  readonly banner: readonly string[];
}

const RECORDINGS = fileURLToPath(new URL('../recordings', import.meta.url));
/** Figures of ports whose replies may not be passed on. */
const RECORDED_RELEASE = resolve(RECORDINGS, 'release');

const passes = (sources: readonly string[]): IngestStep[] =>
  sources.map((source) => ({ event: { source }, fetches: 1 }));

/** A start at a chosen time has a folder of its own: its data are not those of the present. */
const suffix = (nowAt: Instant | undefined): string => (nowAt === undefined ? '' : `-at-${timeStamp(nowAt)}`);

export const liveDirectory = (dataDir: string): string => resolve(dataDir, 'live');

/** The folder of the releases of the data in `directory`: releases of different origin never mix either. */
export const releasesDirectory = (dataDir: string, directory: string): string =>
  resolve(dataDir, 'releases', basename(directory));

/** The folder of the data from the recorded replies in `directory`. */
export function replayDirectory(dataDir: string, directory: string): string {
  const name = createHash('sha256').update(resolve(directory)).digest('hex').slice(0, 12);
  return resolve(dataDir, `replay-${name}`);
}

/** The same for every reader, so that the output in the README can be reproduced. */
const SEED = 20_260_101;

/** The simulated source. Its world begins with the data folder's first fetch, and later fetches continue it. */
export const SAMPLE_INGEST: LocalIngest = {
  sources: [SAMPLE_DECLARATION.id],
  load: ({ archive }) => [
    createSampleSource({
      seed: SEED,
      firstDay: async () => {
        const [firstAt] = await archive.fetches(SAMPLE_DECLARATION.id, undefined, Number.MAX_SAFE_INTEGER);
        return firstAt === undefined ? undefined : addDays(dayOf(firstAt), -HISTORY_DAYS);
      },
    }),
  ],
};

function sampleMode({ dataDir, now: nowAt, ingest }: ServeOptions): ServeMode {
  const dataDirectory = resolve(dataDir, `sample${suffix(nowAt)}`);
  // The clock is set back at every start, so data from a later time cannot be reused.
  if (nowAt !== undefined && ingest) rmSync(dataDirectory, { recursive: true, force: true });
  return {
    dataDirectory,
    ingest: SAMPLE_INGEST,
    nowAt,
    firstPass: passes(SAMPLE_INGEST.sources),
    banner: [
      `SAMPLE DATA (${SAMPLE_DECLARATION.id}): ${SAMPLE_DECLARATION.attribution}`,
      'For real data: npm start (no network), or npm start -- --live.',
    ],
  };
}

function liveMode({ dataDir }: ServeOptions, environment: NodeJS.ProcessEnv): ServeMode {
  const { variables, contactLine } = upstreamEnvironment(SOURCE_DECLARATIONS, environment);
  const isOff = ({ secret }: SourceDeclaration): boolean => secret !== undefined && !(secret in variables);
  const sources = SOURCE_DECLARATIONS.filter((declaration) => !isOff(declaration)).map(({ id }) => id);
  return {
    dataDirectory: liveDirectory(dataDir),
    ingest: { sources, environment: variables },
    firstPass: passes(sources),
    banner: [
      ...SOURCE_DECLARATIONS.map((declaration) =>
        isOff(declaration)
          ? `${declaration.id} is off: it needs a key in the environment variable ${declaration.secret}`
          : `${declaration.id}: ${declaration.attribution}`,
      ),
      contactLine,
    ],
  };
}

const isDeclared = (id: string): boolean => SOURCE_DECLARATIONS.some((declaration) => declaration.id === id);

/** The data of a replay of `folder`, up to `nowAt`. */
function replayed(folder: string, nowAt: Instant | undefined, environment: NodeJS.ProcessEnv) {
  const replay = readReplay(folder, isDeclared, nowAt);
  const { sources } = replay;
  return {
    replay,
    ingest: {
      sources,
      eventOf: (source: string) => ({ source, ask: false }),
      environment: upstreamEnvironment([], environment).variables,
    },
    rawArchive: replay.directory,
    nowAt: replay.nowAt,
    recordedUntil: formatInstant(replay.nowAt),
    firstPass: replay.steps,
  };
}

function replayMode(options: ServeOptions, folder: string, environment: NodeJS.ProcessEnv): ServeMode {
  const { replay, ...mode } = replayed(folder, options.now, environment);
  const { directory, skipped, strays, nowAt } = replay;
  return {
    ...mode,
    dataDirectory: `${replayDirectory(options.dataDir, directory)}${suffix(options.now)}`,
    banner: [
      ...skipped.map((name) => `${name} is skipped: there is no such source`),
      ...strays.map((name) => `${name} is skipped: it is neither a ZIP file nor a folder of a fetch`),
      `recorded replies of ${directory}, up to ${formatInstant(nowAt)}`,
    ],
  };
}

/**
 * The recordings, at the time of the newest poll of Hong Kong, which has the longest series. A start at a time before the last reply of the
 * release leaves the release out, because it has figures that were not known yet.
 */
function recordedMode({ dataDir, now, ingest }: ServeOptions, environment: NodeJS.ProcessEnv): ServeMode {
  const newestAt = now ?? readReplay(RECORDINGS, (id) => id === hkMarineDepartmentDeclaration.id).nowAt;
  const { replay, ...mode } = replayed(RECORDINGS, newestAt, environment);
  const dataDirectory = resolve(dataDir, `recorded${suffix(now)}`);
  const release = readBeginning(RECORDED_RELEASE);
  const isPast = release.newestAt <= newestAt;
  if (isPast && ingest) removeUnlessBegunWith(dataDirectory, release.digest);
  const attributions = SOURCE_DECLARATIONS.filter(({ id }) => replay.sources.includes(id));
  return {
    ...mode,
    dataDirectory,
    ...(isPast && { ownRelease: RECORDED_RELEASE }),
    banner: [
      `REAL DATA of recordings/, up to ${formatInstant(newestAt)}: recorded replies, and the seasons of ${release.ports.join(' and ')}, replayed from the calls of their ports; recordings/README.md says where they come from, and what --now shows`,
      ...attributions.map(({ id, attribution }) => `${id}: ${attribution}`),
      ...(isPast ? release.credits : []),
      'For simulated ports with the dates of today: npm start -- --sample. For the real upstreams: npm start -- --live.',
    ],
  };
}

const portsOf = (isOf: (declaration: SourceDeclaration) => boolean): Locode[] =>
  SOURCE_DECLARATIONS.filter(isOf).flatMap(({ ports }) => ports);

/** Ports that each start covers, by its command. */
const STARTS: Readonly<Record<string, () => readonly Locode[]>> = {
  'npm start': () => [
    ...portsOf(({ id }) => existsSync(join(RECORDINGS, id))),
    ...readBeginning(RECORDED_RELEASE).ports,
  ],
  'npm start -- --live': () => portsOf(() => true),
  'npm start -- --sample': () => SAMPLE_DECLARATION.ports,
};

/** The ports of the other starts, as the variable OTHER_STARTS has them. */
export function otherStarts({ live, sample, replay }: ServeOptions): string {
  const own = live ? '--live' : sample ? '--sample' : 'npm start';
  const others = Object.entries(STARTS).filter(([command]) => replay !== undefined || !command.endsWith(own));
  return JSON.stringify(Object.fromEntries(others.map(([command, ports]) => [command, ports()])));
}

/** Throws `StartError` when the folder of recorded replies cannot be used. */
export function chooseMode(options: ServeOptions, environment: NodeJS.ProcessEnv = process.env): ServeMode {
  if (options.live) return liveMode(options, environment);
  if (options.sample) return sampleMode(options);
  if (options.replay === undefined) return recordedMode(options, environment);
  return replayMode(options, options.replay, environment);
}
