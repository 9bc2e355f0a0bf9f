/** `npm start`: the whole service on this machine, until Ctrl-C. */
import { resolve } from 'node:path';
import { errorText, run } from '../local/command-line.ts';
import { claimDataDirectory, whenOrphaned } from '../local/data-directory.ts';
import { beginWith, chooseMode, otherStarts, releasesDirectory } from '../local/data-mode.ts';
import { checkPort, listensEverywhere } from '../local/gateway.ts';
import { failureLines, runSteps } from '../local/ingest.ts';
import { openLocalService } from '../local/local-service.ts';
import { openBuiltPortal } from '../local/portal.ts';
import { createProgress, readyLines } from '../local/ready-lines.ts';
import { readServeOptions, type ServeOptions } from '../local/start-options.ts';

const OPEN_TO_THE_NETWORK =
  'listening on every address of this machine or container: the demo keys are public, so let only a trusted network reach the port';

const progress = createProgress(process.stdout);
/** Aborted by Ctrl-C and the other signals that end the service. */
const ending = new AbortController();
const { signal } = ending;
const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve));

/** The portal, which is built while the data are applied; a failure costs the pages alone. */
function openPortal(): Promise<string> {
  const building = () => progress.line('building the portal, a few seconds; the API does not wait for it');
  const portal = openBuiltPortal(building, signal);
  portal.catch((thrown) => {
    if (!signal.aborted) progress.line(errorText(thrown));
  });
  return portal;
}

async function serve(options: ServeOptions): Promise<void> {
  const directory = claimDataDirectory(options.dataDir);
  process.on('exit', directory.release);
  // The port is opened later; that it is taken is said at once.
  await checkPort(options.port, options.host);
  const mode = chooseMode(options);
  for (const line of mode.banner) progress.line(line);
  if (listensEverywhere(options.host)) progress.line(OPEN_TO_THE_NETWORK);
  progress.line(`starting the store in ${mode.dataDirectory}`);
  const releases = resolve(options.releases ?? releasesDirectory(options.dataDir, mode.dataDirectory));
  const clockOffsetMs = mode.nowAt === undefined ? 0 : mode.nowAt - Date.now();
  const service = await openLocalService({
    ...mode,
    portal: openPortal(),
    releases,
    port: options.port,
    ...(options.closeAtOnce && { graceMs: 0 }),
    hosts: options.host,
    clockOffsetMs,
    ingest: options.ingest ? mode.ingest : undefined,
    environment: { OTHER_STARTS: otherStarts(options) },
    signal,
    report: progress.line,
    onFailure: (reason) => {
      console.error(reason);
      process.exit(1);
    },
  });
  const { ingest, schedules, keys, storeEndpoint, wiring } = service;
  const { recordedUntil, ownRelease, dataDirectory, firstPass } = mode;

  const open = async (): Promise<string> => {
    const url = await service.listen();
    directory.announce({ url, store: storeEndpoint, releases, clockOffsetMs });
    return url;
  };
  const fill = async () => ingest && (await runSteps(firstPass, ingest, progress, () => signal.aborted));

  /** Recorded data are applied before the port is opened; real upstreams may take long, and are fetched afterwards. */
  async function begin(): Promise<void> {
    if (ownRelease !== undefined && ingest) await beginWith(ownRelease, dataDirectory, wiring, wiring.now);
    const early = options.live ? await open() : undefined;
    const failed = await fill();
    if (signal.aborted) return;
    const url = early ?? (await open());
    service.startSchedules(failed);
    const total = new Set(firstPass.map(({ event }) => event.source)).size;
    // Nothing is tried again where nothing is fetched.
    const failures =
      failed && recordedUntil === undefined ? failureLines(failed, total, schedules, wiring.now()) : [];
    for (const line of [...failures, `ready ${url}`]) progress.line(line);
    const lines = await readyLines({ url, keys }, recordedUntil);
    if (signal.aborted) return;
    for (const line of lines) progress.line(line);
    // For `npm run dev`, which restarts without a first pass from here on.
    process.send?.('ready');
  }
  // A step that is running when the signal arrives fails with the store; that failure is not reported.
  await Promise.race([begin(), stopped]);
  await stopped;
  await service.close();
}

function onSignal(): void {
  if (signal.aborted) process.exit(130);
  progress.line('stopping');
  ending.abort();
}

await run(async () => {
  const options = readServeOptions(process.argv.slice(2));
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  whenOrphaned(() => {
    if (!signal.aborted) onSignal();
  });
  await serve(options).catch((thrown: unknown) => {
    if (signal.aborted) return;
    throw thrown;
  });
});
// The store's thread and open connections would keep the process.
process.exit();
