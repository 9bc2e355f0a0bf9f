/** `npm run ingest`: one pass over the sources, a replay of recorded replies, a back-fill from their history, or a release to begin with. */
import { daysBetween, formatInstant } from '../core/reference/time.ts';
import { importRelease } from '../core/release/import-release.ts';
import { openRelease } from '../core/release/release-reader.ts';
import { PATIENT_RESPONSE_MS } from '../core/store/open-tables.ts';
import { createFolderArchive } from '../core/store/raw-archive.ts';
import { INGEST_TABLES } from '../core/store/tables.ts';
import type { SourceDeclaration } from '../core/upstream/source.ts';
import { openFunctionTables } from '../lambdas/function-tables.ts';
import { run } from '../local/command-line.ts';
import { createProgress } from '../local/service/progress.ts';
import { type Replay, readReplay } from '../local/service/replay.ts';
import { errorText } from '../local/start-error.ts';
import { type IngestOptions, readIngestOptions } from '../tools/ingest/ingest-options.ts';
import { openIngestPlace } from '../tools/ingest/ingest-place.ts';
import { acceptOver, backFill, makeSteps, passOver } from '../tools/ingest/source-run.ts';
import { createTally } from '../tools/ingest/tally.ts';
import type { BackFillSpan, WorkNews } from '../tools/ingest/work.ts';
import { openWorkerPool } from '../tools/ingest/worker-pool.ts';

const progress = createProgress(process.stdout);
const ending = new AbortController();

/** The folder's fetches of the requested sources; undefined when no folder is replayed. */
function openReplay({ replay, toAt, sources }: IngestOptions): Replay | undefined {
  if (replay === undefined) return undefined;
  const ids = sources.map(({ declaration }) => declaration.id);
  const found = readReplay(replay, (source) => ids.includes(source), toAt);
  for (const name of found.skipped)
    progress.line(`${name} is skipped: ${ids.length === 1 ? 'not requested' : 'there is no such source'}`);
  for (const name of found.strays)
    progress.line(`${name} is skipped: it is neither a ZIP file nor a folder of a fetch`);
  return found;
}

const span = ({ fromAt, toAt, history }: IngestOptions): BackFillSpan => ({
  sinceAt: fromAt,
  untilAt: toAt,
  history: history && { fromDay: history.from, toDay: history.to },
});

/** Steps of the progress bar: fetches of a replay, days of a history to load and to apply, else one for each source. */
async function countSteps(
  declarations: readonly SourceDeclaration[],
  { history, fromAt, toAt }: IngestOptions,
  replay: Replay | undefined,
): Promise<Map<string, number>> {
  const steps = declarations.map(async (declaration): Promise<[string, number][]> => {
    if (history !== undefined) {
      const days = daysBetween(history.from, history.to).length;
      return makeSteps(declaration, { days, fetches: days });
    }
    if (replay === undefined) return [[declaration.id, 1]];
    const archive = createFolderArchive(replay.directory);
    const afterAt = fromAt === undefined ? undefined : fromAt - 1;
    const fetches = await archive.fetches(declaration.id, afterAt, toAt ?? Number.MAX_SAFE_INTEGER);
    return makeSteps(declaration, { days: 0, fetches: fetches.length });
  });
  return new Map((await Promise.all(steps)).flat());
}

/** Loads a release into empty tables. */
async function begin(options: IngestOptions, place: string): Promise<number> {
  const opened = await openIngestPlace({ ...options, replay: undefined }, progress.line, ending.signal);
  try {
    const release = await openRelease(place);
    progress.line(`loading the release of ${release.manifest.release} from ${place} into ${opened.name}`);
    Object.assign(process.env, opened.environment);
    const tables = openFunctionTables(INGEST_TABLES, opened.environment, PATIENT_RESPONSE_MS);
    await importRelease(release, tables, Date.now);
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
  const place = await openIngestPlace({ dataDir, replay: replay?.directory }, progress.line, ending.signal);
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
    const { acceptAt } = options;
    const asks = replay === undefined && history === undefined;
    const runs = declarations.map(async (declaration) => {
      const sourceRun =
        acceptAt !== undefined
          ? await acceptOver(declaration, acceptAt, pool)
          : asks
            ? await passOver(declaration, pool)
            : await backFill(declaration, span(options), pool, onNews);
      progress.line(sourceRun.line);
      return sourceRun.outcome;
    });
    const outcomes = await Promise.all(runs);
    pool.close();
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
    return options.beginning === undefined ? await ingest(options) : await begin(options, options.beginning);
  } catch (thrown) {
    if (!ending.signal.aborted) throw thrown;
    progress.line(errorText(thrown));
    return 130;
  }
});
