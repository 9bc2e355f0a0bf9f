/** The options of `npm run ingest`. */
import { availableParallelism } from 'node:os';
import { type Day, type Instant, isDay, parseInstant } from '../../core/reference/time.ts';
import { DEPLOYED_SOURCES, sourceById } from '../../core/sources/registry.ts';
import { readFetchedAt } from '../../core/store/raw-archive.ts';
import type { Source } from '../../core/upstream/source.ts';
import { command, parse, UsageError } from '../../local/command-line.ts';

export interface IngestOptions {
  readonly replay: string | undefined;
  /** Dataset or release that fills empty tables first: a folder or an address. */
  readonly beginning: string | undefined;
  readonly fromAt: Instant | undefined;
  readonly toAt: Instant | undefined;
  readonly history: { readonly from: Day; readonly to: Day } | undefined;
  /** The fetch to accept, of the only source. */
  readonly acceptAt: Instant | undefined;
  readonly sources: readonly Source[];
  /** Undefined: the default, unless the environment names tables. */
  readonly dataDir: string | undefined;
  readonly workers: number;
}

const MAX_WORKERS = 16;
const DEFAULT_WORKERS = 4;

const ABOUT = `One pass over every source; with --replay, the recorded replies of a folder instead. It works on the tables that the
environment names (PORTS_TABLE and the others, as the ingest function has them), else on those of the data directory, where
the service must not be running. A replay and a history are worked on by port, by HS chapter or by source, as the source
declares. Ctrl-C stops between two fetches; the same command goes on from there. Set CONTACT to your e-mail or https address:
every request to an upstream states it, so that a publisher can reach you.`;

const ingestCommand = () =>
  command('npm run ingest --', ABOUT)
    .option(
      '--replay <dir>',
      'apply recorded replies, laid out as the raw archive; npm start -- --replay DIR then serves them',
    )
    .option(
      '--import <place>',
      'begin empty tables with a release of the dataset, at an address or in a folder: with the newest, or with the one that ends the place, as in https://example.org/data/release=2026-02-01',
    )
    .option('--from <iso>', 'leave out replies before this time, for example 2025-08-17T00:00:00Z')
    .option('--to <iso>', 'leave out replies after this time')
    .option(
      '--history <from..to>',
      'first bring the past of these days into the archive, for example 2025-08-01..2025-08-31, from sources that still have it, then apply it; the tables must not be ahead of it',
    )
    .option('--source <id>', 'this source alone')
    .option(
      '--accept <fetch>',
      'apply a fetch that was refused or held, for example tipc-taiwan/20250817T053000Z: it prints what the fetch changes, and changes it',
    )
    .option('--data-dir <dir>', 'folder of the data (default .data)')
    .option('--workers <n>', 'processes that work at the same time (default: one a processor, 4 at most)');

type Values = Readonly<
  Partial<
    Record<
      'replay' | 'import' | 'from' | 'to' | 'history' | 'source' | 'accept' | 'dataDir' | 'workers',
      string
    >
  >
>;

function readInstant(option: string, text: string | undefined): Instant | undefined {
  const at = text === undefined ? undefined : parseInstant(text);
  if (text !== undefined && at === undefined)
    throw new UsageError(`${option} must be a date and time like 2025-08-17T00:00:00Z, not ${text}`);
  return at;
}

function readHistory(text: string | undefined): IngestOptions['history'] {
  if (text === undefined) return undefined;
  const [from = '', to = '', ...more] = text.split('..');
  if (!isDay(from) || !isDay(to) || more.length > 0 || from > to)
    throw new UsageError(`--history must be two days like 2025-08-01..2025-08-31, not ${text}`);
  return { from, to };
}

/** Without a name all sources; of a source that is offline for good only the archive is used. */
function readSources(id: string | undefined, history: boolean, replay: boolean): readonly Source[] {
  if (id === undefined)
    return DEPLOYED_SOURCES.filter(
      (source) =>
        (!history || source.history !== undefined) && (replay || source.declaration.gone === undefined),
    );
  const source = sourceById(id);
  const known = DEPLOYED_SOURCES.map(({ declaration }) => declaration.id).join(', ');
  if (source === undefined) throw new UsageError(`--source must be one of ${known}, not ${id}`);
  if (history && source.history === undefined)
    throw new UsageError(`${id} serves no past fetches: --history does not work with it`);
  return [source];
}

/** `tipc-taiwan/20250817T053000Z`, as the archive names it. */
function readFetch(text: string): { readonly source: string; readonly acceptAt: Instant } {
  const [source = '', name = '', ...more] = text.split('/');
  const acceptAt = readFetchedAt(name);
  if (acceptAt === undefined || more.length > 0)
    throw new UsageError(`--accept must name a fetch like tipc-taiwan/20250817T053000Z, not ${text}`);
  return { source, acceptAt };
}

/** Throws `UsageError` naming the option that is wrong. */
export function readIngestOptions(args: readonly string[]): IngestOptions {
  const {
    replay,
    import: beginning,
    workers,
    dataDir,
    accept,
    ...values
  } = parse<Values>(ingestCommand(), args);
  const fromAt = readInstant('--from', values.from);
  const toAt = readInstant('--to', values.to);
  const history = readHistory(values.history);
  if (replay === '') throw new UsageError('--replay must name a folder');
  if (beginning === '') throw new UsageError('--import must name a folder or an address');
  const rest = Object.values({ ...values, replay, accept }).some((value) => value !== undefined);
  if (beginning !== undefined && rest)
    throw new UsageError('--import goes with --data-dir alone: it loads a whole release');
  if (dataDir === '') throw new UsageError('--data-dir must name a folder');
  if (replay !== undefined && history !== undefined)
    throw new UsageError('--replay and --history exclude each other');
  if (replay === undefined && (fromAt !== undefined || toAt !== undefined))
    throw new UsageError('--from and --to go with --replay: a live pass knows only the present');
  if (fromAt !== undefined && toAt !== undefined && fromAt > toAt)
    throw new UsageError('--from must not be after --to');
  const { source = values.source, acceptAt } = accept === undefined ? {} : readFetch(accept);
  if (acceptAt !== undefined && (history !== undefined || values.source !== undefined))
    throw new UsageError('--accept goes without --history and --source');
  const count = Number(workers ?? Math.min(DEFAULT_WORKERS, availableParallelism()));
  if (!Number.isInteger(count) || count < 1 || count > MAX_WORKERS)
    throw new UsageError(`--workers must be a number from 1 to ${MAX_WORKERS}, not ${workers}`);
  const sources = readSources(source, history !== undefined, replay !== undefined);
  return { replay, beginning, fromAt, toAt, history, acceptAt, sources, dataDir, workers: count };
}
