/** `npm run ingest`: one pass over the sources, a replay of recorded replies, a back-fill from their history, a release to begin with, or a table of calls. */
import { daysBetween, formatInstant } from '../core/reference/time.ts';
import { importRelease } from '../core/release/import-release.ts';
import { openRelease } from '../core/release/release-reader.ts';
import { createFolderArchive } from '../core/store/raw-archive.ts';
import { INGEST_TABLES } from '../core/store/tables.ts';
import type { SourceDeclaration } from '../core/upstream/source.ts';
import { errorText, run } from '../local/command-line.ts';
import { type Replay, readReplay } from '../local/ingest.ts';
import { createProgress } from '../local/ready-lines.ts';
import { catchUpCallTables, giveCallTable } from '../tools/ingest/call-tables.ts';
import {
  type IngestOptions,
  openIngestPlace,
  readIngestOptions,
  wiringOf,
} from '../tools/ingest/ingest-place.ts';
import { createTally, type Steps } from '../tools/ingest/tally.ts';
import { endLine, openWorkerPool, type Work, type WorkNews } from '../tools/ingest/worker-pool.ts';

const progress = createProgress(process.stdout);
const ending = new AbortController();

/** The folder's fetches of the requested sources; undefined when no folder is replayed. */
function openReplay({ replay, to, sources }: IngestOptions): Replay | undefined {
  if (replay === undefined) return undefined;
  const ids = sources.map(({ declaration }) => declaration.id);
  const found = readReplay(replay, (source) => ids.includes(source), to);
  for (const name of found.skipped)
    progress.line(`${name} is skipped: ${ids.length === 1 ? 'not requested' : 'there is no such source'}`);
  for (const name of found.strays)
    progress.line(`${name} is skipped: it is neither a ZIP file nor a folder of a fetch`);
  return found;
}

/** Steps of the progress bar: fetches of a replay, days of a history to load and to apply, else one for each source. */
async function countSteps(
  declarations: readonly SourceDeclaration[],
  { history, from, to }: IngestOptions,
  replay: Replay | undefined,
): Promise<Map<string, Steps>> {
  const steps = declarations.map(async ({ id }): Promise<[string, Steps]> => {
    if (history !== undefined) {
      const days = daysBetween(history.fromDay, history.toDay).length;
      return [id, { days, fetches: days }];
    }
    if (replay === undefined) return [id, { days: 0, fetches: 1 }];
    const archive = createFolderArchive(replay.directory);
    const afterAt = from === undefined ? undefined : from - 1;
    const fetches = await archive.fetches(id, afterAt, to ?? Number.MAX_SAFE_INTEGER);
    return [id, { days: 0, fetches: fetches.length }];
  });
  return new Map(await Promise.all(steps));
}

/** Loads a release into empty tables. */
async function begin({ dataDir }: IngestOptions, place: string): Promise<number> {
  const opened = await openIngestPlace(dataDir, undefined, progress.line);
  try {
    const release = await openRelease(place);
    progress.line(`loading the release of ${release.manifest.release} from ${place} into ${opened.name}`);
    await importRelease(release, wiringOf(opened.environment).openTables(INGEST_TABLES, 'patient'), Date.now);
    progress.line('loaded: its days are settled, and passes go on from the first reply after it');
    return 0;
  } finally {
    await opened.close();
  }
}

/** The exit code: 0 when everything is done, 1 after a failure, 130 when it was stopped. */
async function ingest(options: IngestOptions): Promise<number> {
  const replay = openReplay(options);
  const { dataDir, workers, history } = options;
  const place = await openIngestPlace(dataDir, replay?.directory, progress.line);
  try {
    const what = replay === undefined ? 'ingesting' : `replaying ${replay.directory}`;
    progress.line(`${what} into ${place.name}`);
    const declarations = options.sources
      .map(({ declaration }) => declaration)
      .filter(({ id }) => replay === undefined || replay.sources.includes(id));
    const tally = createTally(await countSteps(declarations, options, replay), performance.now());
    const onNews = (news: WorkNews): void => {
      if (news.news === 'plan') for (const line of news.lines) progress.line(`will change ${line}`);
      else progress.step(tally.receive(news), `${news.of} ${tally.left(performance.now())}`);
    };
    progress.begin(replay === undefined ? 'ingesting' : 'replaying', tally.total);
    const { environment } = place;
    const pool = openWorkerPool({ workers, environment, onNews, signal: ending.signal });
    const { accept, revoke, from: sinceAt, to: untilAt } = options;
    const workOn = (source: string): Work => {
      if (accept !== undefined) return { work: 'accept', ...accept };
      if (revoke !== undefined) return { work: 'revoke', ...revoke };
      if (replay === undefined && history === undefined) return { work: 'pass', source };
      return { work: 'back-fill', source, history, sinceAt, untilAt };
    };
    const runs = declarations.map(async ({ id }) => {
      const work = workOn(id);
      const end = await pool.run(work);
      if (end.outcome === 'done') onNews({ news: 'over', of: id });
      progress.line(endLine(work, end));
      return end.outcome;
    });
    const outcomes = await Promise.all(runs);
    pool.close();
    if (replay === undefined && declarations.length > 1) await catchUpCallTables(place);
    if (outcomes.includes('stopped')) {
      progress.line('stopped between two fetches: run the same command again to continue');
      return 130;
    }
    return outcomes.includes('failed') ? 1 : 0;
  } finally {
    await place.close();
  }
}

function onSignal(): void {
  if (ending.signal.aborted) process.exit(130);
  progress.line(`stopping after the current fetch, ${formatInstant(Date.now())}`);
  ending.abort();
}

await run(async () => {
  const options = await readIngestOptions(process.argv.slice(2));
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  try {
    if (options.import !== undefined) return await begin(options, options.import);
    const { calls, removeCalls, leaveOut = false, yes = false } = options;
    if ((calls ?? removeCalls) === undefined) return await ingest(options);
    return await giveCallTable({ ...options, leaveOut, yes }, progress.line);
  } catch (thrown) {
    if (!ending.signal.aborted) throw thrown;
    progress.line(errorText(thrown));
    return 130;
  }
});
