/** The service on one machine: the application of a synthesized assembly, demo keys, pages beside the API, and something to ingest. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Instant } from '../../core/reference/time.ts';
import { createAsynchronous } from '../functions/asynchronous.ts';
import { awsEnvironment } from '../functions/aws-environment.ts';
import { openBoundedLog } from '../functions/bounded-log.ts';
import { loadFunctions } from '../functions/functions.ts';
import { createGateway } from '../gateway/gateway.ts';
import { serveGateway } from '../gateway/gateway-server.ts';
import { openUsagePlans } from '../gateway/usage-plans.ts';
import { openControlPlane } from '../keys/control-plane.ts';
import { serveControlPlane } from '../keys/control-plane-server.ts';
import { startScheduler } from '../schedule/scheduler.ts';
import { errorText } from '../start-error.ts';
import { startEmbeddedStore } from '../store/embedded-store.ts';
import { createTables } from '../store/tables.ts';
import { readServiceModel, type ServiceModel } from '../template/service-model.ts';
import { datasetFront } from './dataset.ts';
import { benchPlan, readDemoKeys, seedKeys } from './demo-keys.ts';
import { withFronts } from './front.ts';
import { housekeepingOf, type LocalIngest, nextPass, planIngest } from './ingest-schedule.ts';
import { mcpFront } from './mcp.ts';
import { portalFront } from './portal.ts';
import { statusFront } from './status.ts';

export interface LocalServiceOptions {
  readonly assembly: string;
  /** By default any free port. */
  readonly port?: number;
  /** Folder of tables, keys, counts, logs and archive; in memory and in a temporary folder when undefined. */
  readonly dataDirectory?: string;
  /** An existing DynamoDB endpoint, instead of an embedded store. */
  readonly storeEndpoint?: string;
  /** Folder of the raw archive; by default inside the data directory. */
  readonly rawArchive?: string | undefined;
  /** What is ingested; nothing when absent. */
  readonly ingest?: LocalIngest | undefined;
  /** Variables for every function, in addition to those of the template and of AWS. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The clock that gateway and functions read, in epoch milliseconds. The machine's when undefined. */
  readonly clock?: () => number;
  /** How far the service's clock is ahead of the machine's, in milliseconds. */
  readonly clockOffsetMs?: number;
  /** Copies of each function, which take turns like containers. */
  readonly functionCopies?: number;
  /** Folder of the built portal; only the API is served when absent. */
  readonly portalDirectory?: string;
  /** Folder of the releases that are served below `/data/`; none when absent. */
  readonly releases?: string;
  /** Folder of the releases that are served until there are some in `releases`; none when absent. */
  readonly ownRelease?: string | undefined;
  /** Recorded replies are replayed up to this time, ISO 8601; undefined where something is fetched. */
  readonly recordedUntil?: string | undefined;
  /** Aborts a start: the promise rejects with the signal's reason, and nothing stays open. */
  readonly signal?: AbortSignal;
  /** Gets one line for each failure behind the gateway. */
  readonly report?: (line: string) => void;
  /** Called when the API cannot continue because its store crashed. */
  readonly onFailure?: (reason: string) => void;
}

const SAVE_EVERY_MS = 1000;
/** Time for running requests to finish when the service stops. */
const GRACE_MS = 5000;

/**
 * Environment variables of the functions on one machine, in addition to those of AWS: they read `rawArchive`, else the archive in
 * `folder`, where everything else is. What is noted of fetches that others archived is apart from them.
 */
export const serviceEnvironment = (
  folder: string,
  rawArchive: string | undefined,
  clockOffsetMs: number,
) => ({
  CLOCK_OFFSET_MS: String(Math.round(clockOffsetMs)),
  RAW_ARCHIVE: pathToFileURL(rawArchive ?? join(folder, 'archive')).href,
  ARCHIVE_NOTES: pathToFileURL(join(folder, rawArchive === undefined ? 'archive' : 'verdicts')).href,
  POSITION_STEPS: pathToFileURL(join(folder, 'positions')).href,
  /** One owner for all processes on a data directory: the lease of a pass that was killed does not block the next. */
  LEASE_OWNER: 'local',
  LOCAL_PLANS: 'true',
  POWERTOOLS_TRACE_ENABLED: 'false',
});

/** The model with the ingest function's module and variables as this machine has them. */
function withLocalIngest(model: ServiceModel, ingest: LocalIngest | undefined): ServiceModel {
  if (ingest === undefined) return model;
  const { functionArn } = planIngest(model.schedules, ingest);
  const deployed = model.functions.get(functionArn);
  if (!deployed) return model;
  const { bundle: file = deployed.file, environment } = ingest;
  const local = { ...deployed, file, environment: { ...deployed.environment, ...environment } };
  return { ...model, functions: new Map(model.functions).set(functionArn, local) };
}

/** A start in progress: its options, and what has to be closed after it, the newest first. */
interface Start extends LocalServiceOptions {
  readonly report: (line: string) => void;
  readonly now: () => number;
  readonly closing: (() => unknown)[];
  /** Aborted when the closing begins. */
  readonly ending: AbortController;
}

/** A file or folder of the data directory; undefined without one. */
const pathIn = ({ dataDirectory }: Start, name: string): string | undefined =>
  dataDirectory && join(dataDirectory, name);

/** The store's endpoint, with the template's tables in it. */
async function openStore(start: Start, { tables }: ServiceModel): Promise<string> {
  let { storeEndpoint } = start;
  if (storeEndpoint === undefined) {
    const { onFailure, report } = start;
    const store = await startEmbeddedStore({ directory: pathIn(start, 'store'), onFailure, report });
    start.closing.push(store.close);
    storeEndpoint = store.endpoint;
  }
  await createTables(storeEndpoint, tables);
  return storeEndpoint;
}

function openUsage(start: Start) {
  const usagePlans = openUsagePlans(pathIn(start, 'usage.json'));
  let isSaved = true;
  const save = (): void => {
    try {
      usagePlans.save();
      isSaved = true;
    } catch (thrown) {
      // Tried again in a second, and said once.
      if (isSaved) start.report(errorText(thrown));
      isSaved = false;
    }
  };
  const saving = setInterval(save, SAVE_EVERY_MS).unref();
  start.closing.push(() => {
    clearInterval(saving);
    save();
  });
  return usagePlans;
}

function openLog(start: Start): Writable {
  const file = pathIn(start, 'functions.log');
  const log = file ? openBoundedLog(file) : new Writable({ write: (_line, _encoding, done) => done() });
  start.closing.push(() => new Promise<void>((resolve) => log.end(resolve)));
  return log;
}

/** Variables of the functions; without a data directory, archive and derived steps are in a temporary one. */
function functionVariables(start: Start, endpoints: Parameters<typeof awsEnvironment>[0]) {
  const { dataDirectory, rawArchive, clockOffsetMs = 0, environment } = start;
  const folder = dataDirectory ?? mkdtempSync(join(tmpdir(), 'archive-'));
  if (dataDirectory === undefined)
    start.closing.unshift(() => rmSync(folder, { recursive: true, force: true }));
  return {
    ...awsEnvironment(endpoints),
    ...serviceEnvironment(folder, rawArchive, clockOffsetMs),
    // The replies of such an archive were fetched by another deployment.
    ...(rawArchive === undefined ? {} : { REPLAYS: 'true' }),
    ...environment,
  };
}

async function open(start: Start) {
  const { now, closing, ending, signal, report, clock, ingest, clockOffsetMs = 0, recordedUntil } = start;
  const model = withLocalIngest(readServiceModel(start.assembly), ingest);
  const { functions, schedules, apiId, stage } = model;
  const plan = ingest && planIngest(schedules, ingest);
  const housekeeping = housekeepingOf(schedules);

  const storeEndpoint = await openStore(start, model);
  signal?.throwIfAborted();
  const plans = [...model.plans, benchPlan(apiId, stage)];
  const controlPlane = openControlPlane(pathIn(start, 'control-plane.json'), plans, now);
  const controlPlaneServer = await serveControlPlane(controlPlane);
  closing.push(controlPlaneServer.close);
  const controlPlaneEndpoint = controlPlaneServer.endpoint;
  const usagePlans = openUsage(start);
  const environment = functionVariables(start, { storeEndpoint, controlPlaneEndpoint });
  const invoke = loadFunctions(
    functions,
    { environment, log: openLog(start), clock },
    start.functionCopies ?? 1,
  );

  /** Applies a change of keys or plans to the key table at once, instead of with the next scheduled run. */
  async function runHousekeeping(): Promise<void> {
    for (const { functionArn, input } of housekeeping) await invoke(functionArn)(input);
  }
  /** Begins to run what the template schedules and what this start ingests. */
  function startSchedules(): void {
    const deadLetterFile = pathIn(start, 'dead-letters.jsonl');
    const queues = new Map(
      [...functions].map(([arn, called]) => [
        arn,
        createAsynchronous(called, invoke(arn), { now, signal: ending.signal, deadLetterFile, report }),
      ]),
    );
    const scheduler = startScheduler(
      [...housekeeping, ...(plan?.schedules ?? [])],
      async ({ functionArn, input }) => queues.get(functionArn)?.(input),
      report,
    );
    closing.push(() => Promise.race([scheduler.stop(), delay(GRACE_MS, undefined, { ref: false })]));
  }

  const gateway = createGateway({ model, invoke, controlPlane, usagePlans, now, report });
  const keys = readDemoKeys();
  seedKeys(controlPlane, keys, stage);
  // A key that is refused before it is known stays refused for as long as the gateway caches a refusal.
  await runHousekeeping();
  signal?.throwIfAborted();
  const { portalDirectory, releases, ownRelease } = start;
  const fronts = [
    mcpFront(keys.demo),
    statusFront({ model, storeEndpoint, clockOffsetMs, recordedUntil }),
    ...(releases === undefined ? [] : [datasetFront(releases, ownRelease)]),
    ...(portalDirectory === undefined
      ? []
      : [portalFront(portalDirectory, { demoKey: keys.demo, recordedUntil })]),
  ];
  const server = await serveGateway(withFronts(gateway, fronts), start.port ?? 0);
  closing.push(server.close);
  signal?.throwIfAborted();
  return {
    url: server.url,
    storeEndpoint,
    controlPlaneEndpoint,
    controlPlane,
    usagePlans,
    model,
    keys,
    /** Calls the ingest function with an event; undefined when nothing is ingested. */
    ingest: plan && invoke(plan.functionArn),
    /** When a source has its next scheduled pass, not before the given time; undefined when it has none. */
    nextPassAt: (source: string, notBefore: Instant): Instant | undefined =>
      plan && nextPass(plan, source, Date.now() + clockOffsetMs, notBefore),
    startSchedules,
    runHousekeeping,
  };
}

export type LocalService = Awaited<ReturnType<typeof startLocalService>>;

/** Starts everything but the first ingest pass. Throws `StartError`, with one line that says what to do, when it cannot. */
export async function startLocalService(options: LocalServiceOptions) {
  const { clock: now = Date.now, report = () => undefined } = options;
  const closing: (() => unknown)[] = [];
  const ending = new AbortController();
  let closed: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    ending.abort();
    for (const step of closing.reverse()) await step();
  };
  /** Stops everything in order; all data are then on disk. Safe to call twice. */
  const close = (): Promise<void> => {
    closed ??= closeAll();
    return closed;
  };
  try {
    return { ...(await open({ ...options, now, report, closing, ending })), close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}
