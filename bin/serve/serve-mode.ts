/** Where the data of a start come from: the sample, the real upstreams, or recorded replies. */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { formatInstant, type Instant } from '../../core/reference/time.ts';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { SAMPLE_DECLARATION } from '../../core/sources/sample-simulator/declaration.ts';
import type { SourceDeclaration } from '../../core/sources/source.ts';
import { folderOf } from '../../core/store/raw-archive.ts';
import { type LocalIngest, scheduledSources } from '../../local/schedule/ingest-schedule.ts';
import { readServiceModel } from '../../local/template/service-model.ts';
import type { IngestStep } from './ingest-step.ts';
import { readReplay } from './replay.ts';
import type { ServeOptions } from './serve-options.ts';

export interface ServeMode {
  /** Folder of this mode's data, so that data of different origin never mix. */
  readonly directory: string;
  readonly ingest: LocalIngest;
  readonly rawArchive: string | undefined;
  /** Where the service's clock starts; the present when undefined. */
  readonly nowAt: Instant | undefined;
  readonly firstPass: readonly IngestStep[];
  /** Ports that the data are about. */
  readonly ports: readonly string[];
  /** Lines that say what the data are. */
  readonly banner: readonly string[];
}

export interface BuiltService {
  readonly assembly: string;
  readonly sampleIngest: string;
  /** Folder of the built portal. */
  readonly portal: string;
}

const portsOf = (sources: readonly string[]): string[] =>
  SOURCE_DECLARATIONS.filter(({ id }) => sources.includes(id)).flatMap(({ ports }) => [...ports]);

/** One pass for each source. */
const passes = (sources: readonly string[]): IngestStep[] =>
  sources.map((source, index) => ({ source, fetches: 1, done: index + 1, label: source, event: { source } }));

/** A start at a time of its own choosing has a folder of its own: its data are not those of the present. */
const suffixOf = (nowAt: Instant | undefined): string =>
  nowAt === undefined ? '' : `-at-${folderOf(nowAt)}`;

/** Where the data of the real upstreams are kept. */
export const liveDirectory = (dataDir: string): string => resolve(dataDir, 'live');

/** Where what the folder of recorded replies `directory` gives is kept. */
export function replayDirectory(dataDir: string, directory: string): string {
  const name = createHash('sha256').update(resolve(directory)).digest('hex').slice(0, 12);
  return resolve(dataDir, `replay-${name}`);
}

function sampleMode({ dataDir, nowAt, ingest }: ServeOptions, { sampleIngest }: BuiltService): ServeMode {
  const directory = resolve(dataDir, `sample${suffixOf(nowAt)}`);
  // The clock goes back there with every start, and a world that has seen the future cannot follow it.
  if (nowAt !== undefined && ingest) rmSync(directory, { recursive: true, force: true });
  const sources = [SAMPLE_DECLARATION.id];
  return {
    directory,
    ingest: { sources, bundle: sampleIngest },
    rawArchive: undefined,
    nowAt,
    firstPass: passes(sources),
    ports: SAMPLE_DECLARATION.ports,
    banner: [
      `SAMPLE DATA (${SAMPLE_DECLARATION.id}): ${SAMPLE_DECLARATION.attribution}`,
      'For real data: npm start -- --live, or npm start -- --replay DIR with recorded replies.',
    ],
  };
}

/** Variables that hold a secret, of those that are set. */
const secretsAmong = (environment: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name];
      return value ? [[name, value]] : [];
    }),
  );

function liveMode({ dataDir }: ServeOptions, built: BuiltService, environment: NodeJS.ProcessEnv): ServeMode {
  const scheduled = scheduledSources(readServiceModel(built.assembly).schedules);
  const declared = SOURCE_DECLARATIONS.filter(({ id }) => scheduled.includes(id));
  const secrets = secretsAmong(
    environment,
    declared.flatMap(({ secret }) => secret ?? []),
  );
  const isOff = ({ secret }: SourceDeclaration): boolean => secret !== undefined && !(secret in secrets);
  const sources = declared.filter((declaration) => !isOff(declaration)).map(({ id }) => id);
  return {
    directory: liveDirectory(dataDir),
    ingest: { sources, environment: secrets },
    rawArchive: undefined,
    nowAt: undefined,
    firstPass: passes(sources),
    ports: portsOf(sources),
    banner: declared.map((declaration) =>
      isOff(declaration)
        ? `${declaration.id} is off: it needs a key in the environment variable ${declaration.secret}`
        : `${declaration.id}: ${declaration.attribution}`,
    ),
  };
}

function replayMode(options: ServeOptions, folder: string): ServeMode {
  const isKnown = (id: string): boolean => SOURCE_DECLARATIONS.some((declaration) => declaration.id === id);
  const replay = readReplay(folder, isKnown, options.nowAt);
  const { directory, sources, skipped, nowAt, steps } = replay;
  return {
    directory: `${replayDirectory(options.dataDir, directory)}${suffixOf(options.nowAt)}`,
    ingest: { sources, eventOf: (source) => ({ source, ask: false }) },
    rawArchive: directory,
    nowAt,
    firstPass: steps,
    ports: portsOf(sources),
    banner: [
      ...skipped.map((folderName) => `${folderName} is skipped: there is no such source`),
      `recorded replies of ${directory}, up to ${formatInstant(nowAt)}`,
    ],
  };
}

/** Throws `StartFault` when the folder of recorded replies cannot be used. */
export function chooseMode(
  options: ServeOptions,
  built: BuiltService,
  environment: NodeJS.ProcessEnv = process.env,
): ServeMode {
  if (options.live) return liveMode(options, built, environment);
  return options.replay === undefined ? sampleMode(options, built) : replayMode(options, options.replay);
}
