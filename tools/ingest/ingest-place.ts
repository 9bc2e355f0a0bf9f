/** The place of a manual ingest: the tables that the environment names, or those of a data directory. */

import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { Option } from 'commander';
import { type Instant, isDay, parseInstant } from '../../core/reference/time.ts';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { loadSources } from '../../core/sources/load-sources.ts';
import { readFetchedAt } from '../../core/store/raw-archive.ts';
import { TABLES } from '../../core/store/tables.ts';
import type { Source } from '../../core/upstream/source.ts';
import { storeWiring } from '../../lambdas/function-tables.ts';
import { functionWiring, type StoreWiring } from '../../lambdas/wiring.ts';
import {
  command,
  dataDirOption,
  errorText,
  notEmpty,
  parse,
  StartError,
  UsageError,
} from '../../local/command-line.ts';
import { makeFolder } from '../../local/data-directory.ts';
import { liveDirectory, replayDirectory } from '../../local/data-mode.ts';
import { upstreamEnvironment } from '../../local/ingest.ts';
import { localVariables } from '../../local/local-service.ts';
import { openStoreTables } from '../../local/tables.ts';
import { DEFAULT_DATA_DIR, openLocalTables } from '../local-tables.ts';
import type { BackFillSpan } from './worker-pool.ts';

/** In the environment of a worker: the store of this machine, where its tables are there. */
const LOCAL_STORE = 'LOCAL_STORE';

export interface IngestPlace {
  /** Its name in messages. */
  readonly name: string;
  /** It is of a deployed stage, or of any endpoint that others read too. */
  readonly isStage: boolean;
  /** Environment of the workers, which wire themselves with it. */
  readonly environment: NodeJS.ProcessEnv;
  close(): Promise<void>;
}

/** The tables and the archive of a deployed stage, or of any endpoint. */
function namedPlace(replay: string | undefined): IngestPlace {
  const named = process.env.RAW_ARCHIVE ?? process.env.RAW_ARCHIVE_BUCKET;
  if (replay === undefined && named === undefined)
    throw new StartError(
      'the environment names tables but no archive: set RAW_ARCHIVE_BUCKET, or RAW_ARCHIVE',
    );
  const archive = replay === undefined ? {} : { RAW_ARCHIVE: pathToFileURL(replay).href };
  return {
    isStage: true,
    name: `the tables that the environment names (${process.env[TABLES.ports.variable]} and the others)`,
    environment: { ...process.env, ...archive },
    close: async () => undefined,
  };
}

/** The data directory of the service on this machine, with its store opened. */
async function localPlace(
  dataDir: string,
  replay: string | undefined,
  say: (line: string) => void,
): Promise<IngestPlace> {
  const { variables, contactLine } = upstreamEnvironment(SOURCE_DECLARATIONS, process.env);
  if (replay === undefined) say(contactLine);
  const directory = replay === undefined ? liveDirectory(dataDir) : replayDirectory(dataDir, replay);
  try {
    makeFolder(directory);
  } catch (thrown) {
    throw new StartError(`the data directory ${directory} cannot be used: ${errorText(thrown)}`);
  }
  const { endpoint, close } = await openLocalTables(directory, undefined);
  return {
    isStage: false,
    name: directory,
    environment: {
      PATH: process.env.PATH,
      ...variables,
      ...localVariables(directory, replay),
      [LOCAL_STORE]: endpoint,
    },
    close,
  };
}

export const openIngestPlace = async (
  dataDir: string | undefined,
  replay: string | undefined,
  say: (line: string) => void,
): Promise<IngestPlace> =>
  dataDir === undefined && process.env[TABLES.ports.variable] !== undefined
    ? namedPlace(replay)
    : localPlace(dataDir ?? DEFAULT_DATA_DIR, replay, say);

/** The wiring of a process with the environment of a place. */
export function wiringOf(environment: NodeJS.ProcessEnv): StoreWiring {
  const endpoint = environment[LOCAL_STORE];
  if (endpoint === undefined) return storeWiring(environment);
  return { ...functionWiring(environment), openTables: openStoreTables(endpoint).openTables };
}

// The options of `npm run ingest`.

/** A fetch as the archive names it. */
interface ArchivedName {
  readonly source: string;
  readonly fetchedAt: Instant;
}

interface Values {
  readonly replay?: string;
  /** Folder of a dataset or release that fills empty tables first. */
  readonly import?: string;
  readonly from?: Instant;
  readonly to?: Instant;
  readonly history?: BackFillSpan['history'];
  readonly source?: string;
  readonly accept?: ArchivedName;
  readonly revoke?: ArchivedName;
  /** A table of calls to apply, with what is said about it, or one to remove. */
  readonly calls?: string;
  readonly about?: string;
  readonly leaveOut?: boolean;
  readonly asPolls?: 'daily';
  readonly yes?: boolean;
  readonly removeCalls?: string;
  /** Undefined: the default, unless the environment names tables. */
  readonly dataDir?: string;
  readonly workers?: number;
}

export interface IngestOptions extends Omit<Values, 'source'> {
  readonly sources: readonly Source[];
  readonly workers: number;
}

const MAX_WORKERS = 16;
const DEFAULT_WORKERS = 4;

const ABOUT = `One pass over every source; with --replay, the recorded replies of a folder instead. It works on the tables that the
environment names (PORTS_TABLE and the others, as the ingest function has them), else on those of the data directory, where
the service must not be running. A replay and a history are worked on by port, by HS chapter or by source, as the source
declares. Ctrl-C stops between two fetches; the same command goes on from there. Set CONTACT to your e-mail or https address:
every request to an upstream states it, so that a publisher can reach you.`;

const readInstant =
  (option: string) =>
  (text: string): Instant => {
    const at = parseInstant(text);
    if (at !== undefined) return at;
    throw new UsageError(`${option} must be a date and time like 2025-08-17T00:00:00Z, not ${text}`);
  };

function readHistory(text: string): Values['history'] {
  const [fromDay = '', toDay = '', ...more] = text.split('..');
  if (isDay(fromDay) && isDay(toDay) && more.length === 0 && fromDay <= toDay) return { fromDay, toDay };
  throw new UsageError(`--history must be two days like 2025-08-01..2025-08-31, not ${text}`);
}

/** `tipc-taiwan/20250817T053000Z`, as the archive names it. */
const readFetch =
  (option: string) =>
  (text: string): ArchivedName => {
    const [source = '', name = '', ...more] = text.split('/');
    const fetchedAt = readFetchedAt(name);
    if (fetchedAt !== undefined && more.length === 0) return { source, fetchedAt };
    throw new UsageError(`${option} must name a fetch like tipc-taiwan/20250817T053000Z, not ${text}`);
  };

function readFolder(text: string): string {
  if (!/^[a-z][\w+.-]*:\/\//i.test(text)) return notEmpty('--import must name a folder')(text);
  throw new UsageError(
    `--import must name a folder: download the release, then name its folder, not ${text}`,
  );
}

function readWorkers(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= MAX_WORKERS) return count;
  throw new UsageError(`--workers must be a number from 1 to ${MAX_WORKERS}, not ${text}`);
}

const ingestCommand = () =>
  command('npm run ingest --', ABOUT)
    .option(
      '--replay <dir>',
      'apply recorded replies, laid out as the raw archive; npm start -- --replay DIR then serves them',
      notEmpty('--replay must name a folder'),
    )
    .option(
      '--import <dir>',
      'begin empty tables with a release of the dataset in a folder: with the newest, or with the one that the folder names, as in data/release=2026-02-01',
      readFolder,
    )
    .option(
      '--from <iso>',
      'leave out replies before this time, for example 2025-08-17T00:00:00Z',
      readInstant('--from'),
    )
    .option('--to <iso>', 'leave out replies after this time', readInstant('--to'))
    .option(
      '--history <from..to>',
      'first bring the past of these days into the archive, for example 2025-08-01..2025-08-31, from sources that still have it, then apply it; the tables must not be ahead of it',
      readHistory,
    )
    .option('--source <id>', 'this source alone')
    .option(
      '--accept <fetch>',
      'apply a fetch that was refused or held, for example tipc-taiwan/20250817T053000Z: it prints what the fetch changes, and changes it',
      readFetch('--accept'),
    )
    .option(
      '--revoke <fetch>',
      'take back a fetch that was accepted: the tables become those without it, as far as it is kept what it replaced (a day)',
      readFetch('--revoke'),
    )
    .option(
      '--calls <file>',
      'apply a table of calls, a CSV file with a row for each stay (docs/table-of-calls.md), in place of one of the same name',
      notEmpty('--calls must name a file'),
    )
    .option('--about <file>', 'of a table: publisher, licence, attribution, time zone and span, as JSON')
    .option('--leave-out', 'of a table: apply it without the rows that cannot be read')
    .addOption(
      new Option(
        '--as-polls <step>',
        'of a table: apply it as if it had been read at the end of each day',
      ).choices(['daily']),
    )
    .option('--yes', 'of a table: apply it without being asked')
    .option('--remove-calls <name>', 'remove a table of calls', notEmpty('--remove-calls must name a table'))
    .addOption(dataDirOption())
    .option(
      '--workers <n>',
      'processes that work at the same time (default: one a processor, 4 at most)',
      readWorkers,
    );

/** The fault of options that exclude each other. */
function faultIn({ import: beginning, dataDir: _, workers: __, ...rest }: Values): string | undefined {
  const tableFault = callTableFault({ import: beginning, ...rest });
  if (tableFault !== undefined) return tableFault;
  const { replay, from, to, history, source, accept, revoke } = rest;
  if (beginning !== undefined && Object.keys(rest).length > 0)
    return '--import goes with --data-dir alone: it loads a whole release';
  if (replay !== undefined && history !== undefined) return '--replay and --history exclude each other';
  if (replay === undefined && (from ?? to) !== undefined)
    return '--from and --to go with --replay: a live pass knows only the present';
  if (from !== undefined && to !== undefined && from > to) return '--from must not be after --to';
  if ((accept ?? revoke) !== undefined && (history ?? source) !== undefined)
    return '--accept and --revoke go without --history and --source';
  if (accept !== undefined && revoke !== undefined) return '--accept and --revoke exclude each other';
  return undefined;
}

/** Tables of calls go alone: nothing is fetched with them. */
function callTableFault(values: Omit<Values, 'dataDir' | 'workers'>): string | undefined {
  const { calls, removeCalls, about, leaveOut, asPolls, yes, ...others } = values;
  const ofTable = [about, leaveOut, asPolls, yes].some((value) => value !== undefined);
  if (calls === undefined && ofTable) return '--about, --leave-out, --as-polls and --yes go with --calls';
  if (calls !== undefined && removeCalls !== undefined)
    return '--calls and --remove-calls exclude each other';
  const isOther = Object.values(others).some((value) => value !== undefined);
  return (calls ?? removeCalls) !== undefined && isOther
    ? '--calls and --remove-calls go with --data-dir alone'
    : undefined;
}

/** Without a name all sources. */
async function readSources(id: string | undefined, history: boolean): Promise<readonly Source[]> {
  const sources = await loadSources();
  if (id === undefined) return sources.filter((source) => !history || source.history !== undefined);
  const source = sources.find(({ declaration }) => declaration.id === id);
  const known = sources.map(({ declaration }) => declaration.id).join(', ');
  if (source === undefined) throw new UsageError(`--source must be one of ${known}, not ${id}`);
  if (history && source.history === undefined)
    throw new UsageError(`${id} serves no past fetches: --history does not work with it`);
  return [source];
}

export async function readIngestOptions(args: readonly string[]): Promise<IngestOptions> {
  const values = parse<Values>(ingestCommand(), args);
  const fault = faultIn(values);
  if (fault !== undefined) throw new UsageError(fault);
  const { source, accept, revoke, history, workers } = values;
  return {
    ...values,
    sources: await readSources((accept ?? revoke)?.source ?? source, history !== undefined),
    workers: workers ?? Math.min(DEFAULT_WORKERS, availableParallelism()),
  };
}
