/** `npm start`: the whole service on this machine, until Ctrl-C. */
import { resolve } from 'node:path';
import { run } from '../local/command-line.ts';
import { beginWith } from '../local/service/beginning.ts';
import { openBuiltService } from '../local/service/built-service.ts';
import { claimDataDirectory } from '../local/service/data-directory.ts';
import { chooseMode, otherStarts, releasesDirectory, type ServeMode } from '../local/service/data-mode.ts';
import { failureLines, runSteps } from '../local/service/first-pass.ts';
import { type LocalService, startLocalService } from '../local/service/local-service.ts';
import { createProgress } from '../local/service/progress.ts';
import { readyLines } from '../local/service/ready-lines.ts';
import { readServeOptions, type ServeOptions } from '../local/service/start-options.ts';
import { tableName } from '../local/service/store-tables.ts';

const progress = createProgress(process.stdout);
/** Aborted by Ctrl-C and the other signals that end the service. */
const ending = new AbortController();
const stopped = new Promise((resolve) => ending.signal.addEventListener('abort', resolve));
const ORPHAN_CHECK_MS = 500;

/** The release that the store begins with, the first pass over the sources, then the schedules, and example requests. */
async function begin(service: LocalService, mode: ServeMode, clockOffsetMs: number): Promise<void> {
  const { signal } = ending;
  const { firstPass, recordedUntil, ownRelease, dataDirectory } = mode;
  const { ingest } = service;
  if (ownRelease !== undefined && ingest)
    await beginWith(ownRelease, dataDirectory, service, () => Date.now() + clockOffsetMs);
  const failed = ingest && (await runSteps(firstPass, ingest, progress, () => signal.aborted));
  if (signal.aborted) return;
  service.startSchedules();
  const total = new Set(firstPass.map(({ event }) => event.source)).size;
  // Nothing is tried again where nothing is fetched.
  const failures =
    failed && recordedUntil === undefined ? failureLines(failed, total, service.nextPassAt) : [];
  const lines = [...failures, ...(await readyLines(service, recordedUntil))];
  if (!signal.aborted) for (const line of lines) progress.line(line);
}

async function serve(options: ServeOptions): Promise<void> {
  const directory = claimDataDirectory(options.dataDir);
  process.on('exit', directory.release);
  const built = await openBuiltService(
    () => progress.line('building the handlers and the stacks, a few seconds'),
    ending.signal,
  );
  const mode = chooseMode(options, built);
  for (const line of mode.banner) progress.line(line);
  progress.line(`starting the store in ${mode.dataDirectory}`);
  const releases = resolve(options.releases ?? releasesDirectory(options.dataDir, mode.dataDirectory));
  const clockOffsetMs = mode.nowAt === undefined ? 0 : mode.nowAt - Date.now();
  const service = await startLocalService({
    ...mode,
    assembly: built.assembly,
    portalDirectory: built.portal,
    releases,
    port: options.port,
    clockOffsetMs,
    ingest: options.ingest ? mode.ingest : undefined,
    environment: { OTHER_STARTS: otherStarts(options) },
    signal: ending.signal,
    report: progress.line,
    onFailure: (reason) => {
      console.error(reason);
      process.exit(1);
    },
  });
  const { model, url, controlPlaneEndpoint, storeEndpoint } = service;
  directory.announce({
    url,
    controlPlane: controlPlaneEndpoint,
    store: storeEndpoint,
    releases,
    keysTable: tableName(model, 'apiKeys'),
    stage: model.stage,
    apiId: model.apiId,
    clockOffsetMs,
  });
  // A step that is running when the signal arrives fails with the store; that failure is not reported.
  await Promise.race([begin(service, mode, clockOffsetMs), stopped]);
  await stopped;
  await service.close();
}

function onSignal(): void {
  if (ending.signal.aborted) process.exit(130);
  progress.line('stopping');
  ending.abort();
}

/** npm passes a signal only to the shell between itself and this process, so this process watches for the shell's end. */
function stopWhenOrphaned(): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    if (!ending.signal.aborted) onSignal();
  }, ORPHAN_CHECK_MS);
  watch.unref();
}

await run(async () => {
  const options = readServeOptions(process.argv.slice(2));
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  stopWhenOrphaned();
  await serve(options).catch((thrown: unknown) => {
    if (ending.signal.aborted) return;
    throw thrown;
  });
});
// The store's thread and open connections would keep the process.
process.exit();
