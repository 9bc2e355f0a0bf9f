/** `npm run ingest`: one pass over the sources, a replay of recorded replies, or a back-fill from their history. */
import { daysBetween, formatInstant } from '../core/reference/time.ts';
import { createFolderArchive } from '../core/store/folder-archive.ts';
import { createProgress } from '../local/progress.ts';
import { faultText, StartFault } from '../local/start-fault.ts';
import { type IngestOptions, readIngestOptions, USAGE } from './ingest/ingest-options.ts';
import { openIngestPlace } from './ingest/ingest-place.ts';
import { createTally } from './ingest/tally.ts';
import type { WalkNews, WalkOrder } from './ingest/walk.ts';
import { walkAll } from './ingest/worker-pool.ts';
import { type Replay, readReplay } from './serve/replay.ts';

const progress = createProgress(process.stdout);
const ending = new AbortController();

/** What the folder has for the sources that were asked for; undefined when no folder is replayed. */
function openReplay({ replay, toAt, sources }: IngestOptions): Replay | undefined {
  if (replay === undefined) return undefined;
  const ids = sources.map(({ declaration }) => declaration.id);
  const found = readReplay(replay, (source) => ids.includes(source), toAt);
  for (const name of found.skipped)
    progress.line(`${name} is skipped: ${ids.length === 1 ? 'not asked for' : 'there is no such source'}`);
  return found;
}

function ordersOf(
  { sources, fromAt, toAt, history }: IngestOptions,
  replay: Replay | undefined,
): WalkOrder[] {
  const ids = sources.map(({ declaration }) => declaration.id);
  return (replay?.sources ?? ids).map((source) => ({
    source,
    ask: replay === undefined && history === undefined,
    ...(fromAt === undefined ? {} : { fromAt }),
    ...(toAt === undefined ? {} : { untilAt: toAt }),
    ...(history === undefined ? {} : { history }),
  }));
}

/** Steps of each order, for the bar: fetches of a replay, days of a history to bring in and to apply, else one. */
async function stepsOf(orders: readonly WalkOrder[], replay: Replay | undefined) {
  const steps = orders.map(async ({ source, history, fromAt, untilAt }) => {
    if (history !== undefined) return [source, 2 * daysBetween(history.from, history.to).length] as const;
    if (replay === undefined) return [source, 1] as const;
    const archive = createFolderArchive(replay.directory);
    const afterAt = fromAt === undefined ? undefined : fromAt - 1;
    const fetches = await archive.fetches(source, afterAt, untilAt ?? Number.MAX_SAFE_INTEGER);
    return [source, fetches.length] as const;
  });
  return new Map(await Promise.all(steps));
}

/** The exit code: 0 when all is done, 1 when something failed, 130 when it was stopped. */
async function ingest(options: IngestOptions): Promise<number> {
  const replay = openReplay(options);
  const { dataDir } = options;
  const place = await openIngestPlace({ dataDir, replay: replay?.directory }, progress.line, ending.signal);
  try {
    const what = replay === undefined ? 'ingesting' : `replaying ${replay.directory}`;
    progress.line(`${what} into ${place.name}`);
    const orders = ordersOf(options, replay);
    const tally = createTally(await stepsOf(orders, replay), performance.now());
    const onNews = (news: WalkNews): void => {
      const done = tally.hear(news);
      if (news.news === 'end') progress.line(news.line);
      else progress.step(done, `${news.source} ${tally.left(performance.now())}`);
    };
    progress.begin(replay === undefined ? 'ingesting' : 'replaying', tally.total);
    const { workers } = options;
    const ends = await walkAll(orders, {
      workers,
      environment: place.environment,
      onNews,
      signal: ending.signal,
    });
    progress.end();
    if (ends.includes('stopped')) {
      progress.line('stopped between two fetches: the same command goes on from there');
      return 130;
    }
    return ends.includes('failed') ? 1 : 0;
  } finally {
    await place.close();
  }
}

function onSignal(): void {
  if (ending.signal.aborted) process.exit(130);
  progress.line(`stopping after the fetch under way, ${formatInstant(Date.now())}`);
  ending.abort();
}

try {
  const options = readIngestOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(USAGE);
  else {
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
    process.exitCode = await ingest(options);
  }
} catch (thrown) {
  progress.end();
  console.error(thrown instanceof StartFault ? thrown.message : `the ingest failed: ${faultText(thrown)}`);
  process.exitCode = ending.signal.aborted ? 130 : 1;
}
