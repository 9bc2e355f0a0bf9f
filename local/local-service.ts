/** The whole service on one machine: store, keys, functions, gateway and schedules, from a synthesized assembly. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Closing } from './closing.ts';
import { openBoundedLog } from './functions/bounded-log.ts';
import { functionEnvironment } from './functions/function-environment.ts';
import { createFunctionPool, type FunctionPool } from './functions/function-pool.ts';
import type { Invoke } from './functions/functions.ts';
import { createGateway } from './gateway/gateway.ts';
import { serveGateway } from './gateway/gateway-server.ts';
import { openUsagePlans, type UsagePlans } from './gateway/usage-plans.ts';
import { type ControlPlane, openControlPlane } from './keys/control-plane.ts';
import { serveControlPlane } from './keys/control-plane-server.ts';
import { benchPlan, type DemoKeys, readDemoKeys, seedKeys } from './keys/demo-keys.ts';
import { behindPortal, createPortal } from './portal.ts';
import { housekeepingOf, type LocalIngest, planIngest } from './schedule/ingest-schedule.ts';
import { createScheduledJobs } from './schedule/scheduled-jobs.ts';
import { startScheduler } from './schedule/scheduler.ts';
import { startEmbeddedStore } from './store/embedded-store.ts';
import { createTables } from './store/tables.ts';
import type { ServiceModel } from './template/model.ts';
import { readServiceModel } from './template/service-model.ts';

export interface LocalServiceOptions {
  /** Folder of the synthesized cloud assembly. */
  readonly assembly: string;
  /** 0 or nothing: any free port. */
  readonly port?: number | undefined;
  /** Folder of everything that is kept; in memory only when undefined. */
  readonly dataDirectory?: string | undefined;
  /** A store that runs already, to be shared, in the place of one of its own. */
  readonly storeEndpoint?: string;
  /** Demo keys; those that come with the product without it. */
  readonly keys?: DemoKeys;
  /** How far the service's clock is ahead of the machine's. */
  readonly clockOffsetMs?: number | undefined;
  /** The machine's clock as gateway and functions see it, for tests. Epoch milliseconds. */
  readonly clock?: () => number;
  /** Folder of the raw archive; inside the data directory without it. */
  readonly rawArchive?: string | undefined;
  /** Copies of each function that take turns, as containers would. */
  readonly functionCopies?: number;
  /** More variables for every function. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What is ingested; nothing without it. */
  readonly ingest?: LocalIngest | undefined;
  /** Folder of the built portal; nothing but the API is served without it. */
  readonly portalDirectory?: string | undefined;
  /** Stops a start that is under way: the promise rejects with the signal's reason, and nothing stays open. */
  readonly signal?: AbortSignal | undefined;
  /** Told, in one line each, of what fails on the way. */
  readonly report?: (line: string) => void;
  /** Told when the service cannot go on: its store died. */
  readonly onFailure?: (reason: string) => void;
}

export interface LocalService {
  readonly url: string;
  readonly model: ServiceModel;
  readonly keys: DemoKeys;
  readonly storeEndpoint: string;
  readonly controlPlaneEndpoint: string;
  readonly controlPlane: ControlPlane;
  readonly usagePlans: UsagePlans;
  readonly functions: FunctionPool;
  /** Calls the ingest function with an event of its own; undefined when nothing is ingested. */
  readonly ingest: Invoke | undefined;
  /** Begins to run what the template schedules. */
  startSchedules(): void;
  /** Carries a change of keys or plans into the key table, as the template's schedule does in its time. */
  runHousekeeping(): Promise<void>;
  /** Ends everything in order; the data are on disk afterwards. Safe to call twice. */
  close(): Promise<void>;
}

const SAVE_EVERY_MS = 1000;
/** What is still running when the service ends is given this long. */
const GRACE_MS = 5000;

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

function temporaryArchive(closing: Closing): string {
  const folder = mkdtempSync(join(tmpdir(), 'archive-'));
  closing.add(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What is opened of this start, in the place that it is kept in. */
interface Opening {
  readonly options: LocalServiceOptions;
  readonly model: ServiceModel;
  readonly clock: () => number;
  readonly closing: Closing;
  /** A file or folder of the data directory; undefined where nothing is kept. */
  readonly kept: (name: string) => string | undefined;
}

/** The store's endpoint, with the template's tables in it. */
async function openStore({ options, model, closing, kept }: Opening): Promise<string> {
  let { storeEndpoint } = options;
  if (storeEndpoint === undefined) {
    const onFailure = options.onFailure && { onFailure: options.onFailure };
    const store = await startEmbeddedStore({ directory: kept('store'), ...onFailure });
    closing.add(() => store.close());
    storeEndpoint = store.endpoint;
  }
  await createTables(storeEndpoint, model.tables);
  return storeEndpoint;
}

/** The keys and plans of the template and the demo keys, as the console has them. */
async function openKeys({ options, model, clock, closing, kept }: Opening) {
  const keys = options.keys ?? readDemoKeys();
  const plans = [...model.plans, benchPlan(model.apiId, model.stage)];
  const controlPlane = openControlPlane({ file: kept('control-plane.json'), plans, now: clock });
  seedKeys(controlPlane, keys, model.stage);
  const server = await serveControlPlane(controlPlane);
  closing.add(() => server.close());
  return { keys, controlPlane, controlPlaneEndpoint: server.endpoint };
}

function openUsage({ closing, kept }: Opening): UsagePlans {
  const usagePlans = openUsagePlans(kept('usage.json'));
  const saving = setInterval(() => usagePlans.save(), SAVE_EVERY_MS).unref();
  closing.add(() => {
    clearInterval(saving);
    usagePlans.save();
  });
  return usagePlans;
}

function openLog({ closing, kept }: Opening): Writable {
  const file = kept('functions.log');
  const log =
    file === undefined ? new Writable({ write: (_line, _encoding, done) => done() }) : openBoundedLog(file);
  closing.add(() => new Promise<void>((resolve) => log.end(resolve)));
  return log;
}

/** The functions, loaded, with what they find around them on this machine. */
function openFunctions(
  opening: Opening,
  endpoints: Pick<LocalService, 'storeEndpoint' | 'controlPlaneEndpoint'>,
): FunctionPool {
  const { options, model, closing, kept } = opening;
  const archive = options.rawArchive ?? kept('archive') ?? temporaryArchive(closing);
  const environment = {
    ...functionEnvironment({ ...endpoints, archive, clockOffsetMs: options.clockOffsetMs ?? 0 }),
    ...options.environment,
  };
  const surroundings = { environment, log: openLog(opening), clock: options.clock };
  const functions = createFunctionPool(model.functions, surroundings, options.functionCopies ?? 1);
  functions.loadAll();
  return functions;
}

async function open(opening: Opening): Promise<Omit<LocalService, 'close'>> {
  const { options, model, clock, closing, kept } = opening;
  const { ingest, report = () => {}, clockOffsetMs = 0, signal } = options;
  const storeEndpoint = await openStore(opening);
  signal?.throwIfAborted();
  const { keys, controlPlane, controlPlaneEndpoint } = await openKeys(opening);
  const usagePlans = openUsage(opening);
  const functions = openFunctions(opening, { storeEndpoint, controlPlaneEndpoint });
  const { invokerOf } = functions;

  const housekeeping = housekeepingOf(model.schedules);
  const runHousekeeping = async (): Promise<void> => {
    for (const { functionArn, input } of housekeeping) await invokerOf(functionArn)(input);
  };
  await runHousekeeping();
  signal?.throwIfAborted();

  const plan = ingest && planIngest(model.schedules, ingest);
  const jobOf = createScheduledJobs({
    functions: model.functions,
    invokerOf,
    now: clock,
    signal: closing.signal,
    deadLetterFile: kept('dead-letters.jsonl'),
    report,
  });
  const startSchedules = (): void => {
    const jobs = [...housekeeping, ...(plan?.schedules ?? [])].map(jobOf);
    const scheduler = startScheduler(jobs, () => clock() + clockOffsetMs, report);
    closing.add(() => Promise.race([scheduler.stop(), delay(GRACE_MS, undefined, { ref: false })]));
  };

  const gateway = createGateway({ model, invoke: invokerOf, controlPlane, usagePlans, now: clock, report });
  const portal = options.portalDirectory && createPortal(options.portalDirectory, { demoKey: keys.demo });
  const server = await serveGateway(portal ? behindPortal(portal, gateway) : gateway, options.port ?? 0);
  closing.add(() => server.close());

  return {
    url: server.url,
    model,
    keys,
    storeEndpoint,
    controlPlaneEndpoint,
    controlPlane,
    usagePlans,
    functions,
    ingest: plan && invokerOf(plan.functionArn),
    startSchedules,
    runHousekeeping,
  };
}

/** Starts everything but the first ingest pass. Throws `StartFault` when it cannot. */
export async function startLocalService(options: LocalServiceOptions): Promise<LocalService> {
  const { dataDirectory, ingest, clock = Date.now } = options;
  const model = withLocalIngest(readServiceModel(options.assembly), ingest);
  const kept = (name: string): string | undefined =>
    dataDirectory === undefined ? undefined : join(dataDirectory, name);
  const closing = new Closing();
  try {
    const opened = await open({ options, model, clock, closing, kept });
    return { ...opened, close: () => closing.close() };
  } catch (thrown) {
    await closing.close();
    throw thrown;
  }
}
