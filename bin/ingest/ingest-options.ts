/** The options of `npm run ingest`. */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { addDays, type Day, type Instant, parseInstant, startOfDay } from '../../core/reference/time.ts';
import { DEPLOYED_SOURCES, sourceById } from '../../core/sources/registry.ts';
import type { Source } from '../../core/sources/source.ts';
import { optionErrorText, StartError } from '../../local/start-error.ts';

export const USAGE = `Usage: npm run ingest -- [options]

One pass over every source; with --replay, the recorded replies of a folder instead. It works on the tables that the
environment names (PORTS_TABLE and the others, as the ingest function has them), else on those of the data directory,
where the service must not be running. A replay and a history are worked on by port, by HS chapter or by source, as the
source declares. Ctrl-C stops between two fetches; the same command goes on from there. Set CONTACT to your e-mail or https
address: every request to an upstream states it, so that a publisher can reach you.

  --replay DIR         apply recorded replies, laid out as the raw archive; npm start -- --replay DIR then serves them
  --from ISO           leave out replies before this time, for example 2025-08-17T00:00:00Z
  --to ISO             leave out replies after this time
  --history FROM..TO   first bring the past of these days into the archive, for example 2025-08-01..2025-08-31, from
                       sources that still have it, then apply it; the tables must not be ahead of it
  --source ID          this source alone
  --data-dir DIR       folder of the data (default .data)
  --workers N          processes that work at the same time (default: one a processor, 4 at most)
  --help               this text
`;

export interface IngestOptions {
  readonly replay: string | undefined;
  readonly fromAt: Instant | undefined;
  readonly toAt: Instant | undefined;
  readonly history: { readonly from: Day; readonly to: Day } | undefined;
  readonly sources: readonly Source[];
  /** Undefined: the default, unless the environment names tables. */
  readonly dataDir: string | undefined;
  readonly workers: number;
  readonly help: boolean;
}

const MOST_WORKERS = 16;
const DEFAULT_WORKERS = 4;

function instantOf(option: string, text: string | undefined): Instant | undefined {
  const at = text === undefined ? undefined : parseInstant(text);
  if (text !== undefined && at === undefined)
    throw new StartError(`${option} must be a date and time like 2025-08-17T00:00:00Z, not ${text}`);
  return at;
}

const isDay = (text: string | undefined): text is Day =>
  text !== undefined &&
  /^\d{4}-\d{2}-\d{2}$/.test(text) &&
  !Number.isNaN(startOfDay(text)) &&
  addDays(text, 0) === text;

function historyOf(text: string | undefined): IngestOptions['history'] {
  if (text === undefined) return undefined;
  const [from, to, ...more] = text.split('..');
  if (!isDay(from) || !isDay(to) || more.length > 0 || from > to)
    throw new StartError(`--history must be two days like 2025-08-01..2025-08-31, not ${text}`);
  return { from, to };
}

/** Without a name all sources; of those that their publisher has taken offline only the archive is left. */
function sourcesOf(id: string | undefined, history: boolean, replay: boolean): readonly Source[] {
  if (id === undefined)
    return DEPLOYED_SOURCES.filter(
      (source) =>
        (!history || source.history !== undefined) && (replay || source.declaration.gone === undefined),
    );
  const source = sourceById(id);
  const known = DEPLOYED_SOURCES.map(({ declaration }) => declaration.id).join(', ');
  if (source === undefined) throw new StartError(`--source must be one of ${known}, not ${id}`);
  if (history && source.history === undefined)
    throw new StartError(`${id} serves no past fetches: --history does not work with it`);
  return [source];
}

/** Throws `StartError` naming the option that is wrong. */
export function readIngestOptions(args: readonly string[]): IngestOptions {
  const { replay, workers, source, help = false, 'data-dir': dataDir, ...values } = parse(args);
  const fromAt = instantOf('--from', values.from);
  const toAt = instantOf('--to', values.to);
  const history = historyOf(values.history);
  if (replay === '') throw new StartError('--replay must name a folder');
  if (dataDir === '') throw new StartError('--data-dir must name a folder');
  if (replay !== undefined && history !== undefined)
    throw new StartError('--replay and --history exclude each other');
  if (replay === undefined && (fromAt !== undefined || toAt !== undefined))
    throw new StartError('--from and --to go with --replay: a live pass knows only the present');
  if (fromAt !== undefined && toAt !== undefined && fromAt > toAt)
    throw new StartError('--from must not be after --to');
  const count = Number(workers ?? Math.min(DEFAULT_WORKERS, availableParallelism()));
  if (!Number.isInteger(count) || count < 1 || count > MOST_WORKERS)
    throw new StartError(`--workers must be a number from 1 to ${MOST_WORKERS}, not ${workers}`);
  const sources = sourcesOf(source, history !== undefined, replay !== undefined);
  return { replay, fromAt, toAt, history, sources, dataDir, workers: count, help };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        replay: { type: 'string' },
        from: { type: 'string' },
        to: { type: 'string' },
        history: { type: 'string' },
        source: { type: 'string' },
        'data-dir': { type: 'string' },
        workers: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (thrown) {
    throw new StartError(`${optionErrorText(thrown)} (--help lists the options)`);
  }
}
