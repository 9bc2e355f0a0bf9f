/** `npm start`: the whole service on this machine, until Ctrl-C. */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { TABLES } from '../core/store/tables.ts';
import { type LocalService, startLocalService } from '../local/local-service.ts';
import { createProgress } from '../local/progress.ts';
import { announceService, withdrawService } from '../local/service-address.ts';
import { faultText, StartFault } from '../local/start-fault.ts';
import { openBuiltService } from './serve/built-service.ts';
import { runSteps } from './serve/ingest-step.ts';
import { invitation } from './serve/invitation.ts';
import { type BuiltService, chooseMode, type ServeMode } from './serve/serve-mode.ts';
import { readServeOptions, type ServeOptions, USAGE } from './serve/serve-options.ts';

const progress = createProgress(process.stdout);
const ending = new AbortController();
const ORPHAN_CHECK_MS = 500;

function startService(options: ServeOptions, mode: ServeMode, built: BuiltService): Promise<LocalService> {
  return startLocalService({
    assembly: built.assembly,
    portalDirectory: built.portal,
    port: options.port,
    dataDirectory: mode.directory,
    ...(mode.nowAt !== undefined && { clockOffsetMs: mode.nowAt - Date.now() }),
    ...(mode.rawArchive !== undefined && { rawArchive: mode.rawArchive }),
    ...(options.ingest && { ingest: mode.ingest }),
    report: progress.line,
    onFailure: (reason) => {
      console.error(reason);
      process.exit(1);
    },
  });
}

/** So that the key command finds this service. */
function announce(service: LocalService, dataDir: string): void {
  const environments = [...service.model.functions.values()].map(({ environment }) => environment);
  const keysTable = environments.map((environment) => environment[TABLES.apiKeys.variable]).find(Boolean);
  announceService(dataDir, {
    pid: process.pid,
    url: service.url,
    controlPlane: service.controlPlaneEndpoint,
    store: service.storeEndpoint,
    keysTable: keysTable ?? '',
    stage: service.model.stage,
  });
}

async function serve(options: ServeOptions): Promise<void> {
  const dataDir = resolve(options.dataDir);
  const built = await openBuiltService(
    () => progress.line('building the handlers and the stacks, a few seconds'),
    ending.signal,
  );
  const mode = chooseMode(options, built);
  for (const line of mode.banner) progress.line(line);
  try {
    mkdirSync(mode.directory, { recursive: true });
  } catch (thrown) {
    throw new StartFault(`the data directory ${mode.directory} cannot be used: ${faultText(thrown)}`);
  }
  progress.line(`starting the store in ${mode.directory}`);
  const service = await startService(options, mode, built);
  ending.signal.addEventListener('abort', () => void stop(service, dataDir));
  announce(service, dataDir);
  if (service.ingest) await runSteps(mode.firstPass, service.ingest, progress, () => ending.signal.aborted);
  if (ending.signal.aborted) return;
  service.startSchedules();
  for (const line of await invitation(service, mode.ports)) progress.line(line);
}

async function stop(service: LocalService, dataDir: string): Promise<void> {
  await service.close();
  withdrawService(dataDir);
  process.exit(0);
}

function onSignal(): void {
  if (ending.signal.aborted) process.exit(130);
  progress.end();
  progress.line('stopping');
  ending.abort();
}

/** npm passes a signal on to the shell between us and itself, and no further: their end is the sign. */
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

try {
  const options = readServeOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(USAGE);
  else {
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
    stopWhenOrphaned();
    await serve(options);
  }
} catch (thrown) {
  if (ending.signal.aborted) process.exit(0);
  progress.end();
  console.error(thrown instanceof StartFault ? thrown.message : `the start failed: ${faultText(thrown)}`);
  process.exit(1);
}
