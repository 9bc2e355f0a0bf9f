/** The whole service on one machine: store, keys, functions, gateway and schedules, from a synthesized assembly. */
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Writable, Writable as WritableStream } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createAsynchronous, type DeadLetter } from './functions/asynchronous.ts';
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
import { startScheduler } from './schedule/scheduler.ts';
import { startEmbeddedStore } from './store/embedded-store.ts';
import { createTables } from './store/tables.ts';
import type { ScheduleModel, ServiceModel } from './template/model.ts';
import { readServiceModel } from './template/service-model.ts';

export interface LocalServiceOptions {
  /** Folder of the synthesized cloud assembly. */
  readonly assembly: string;
  /** 0 or nothing: any free port. */
  readonly port?: number;
  /** Folder of everything that is kept; in memory only when undefined. */
  readonly dataDirectory?: string | undefined;
  /** A store that runs already, to be shared, in the place of one of its own. */
  readonly storeEndpoint?: string;
  /** Demo keys; those that come with the product without it. */
  readonly keys?: DemoKeys;
  /** How far the service's clock is ahead of the machine's. */
  readonly clockOffsetMs?: number;
  /** The machine's clock as gateway and functions see it, for tests. Epoch milliseconds. */
  readonly clock?: () => number;
  /** Folder of the raw archive; inside the data directory without it. */
  readonly rawArchive?: string;
  /** Copies of each function that take turns, as containers would. */
  readonly functionCopies?: number;
  /** More variables for every function. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What is ingested; nothing without it. */
  readonly ingest?: LocalIngest;
  /** Folder of the built portal; nothing but the API is served without it. */
  readonly portalDirectory?: string | undefined;
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

/** Replaces the module of the ingest function where another takes its place on this machine. */
function withLocalIngest(model: ServiceModel, ingest: LocalIngest | undefined): ServiceModel {
  if (ingest?.bundle === undefined) return model;
  const { functionArn } = planIngest(model.schedules, ingest);
  const deployed = model.functions.get(functionArn);
  if (!deployed) return model;
  const functions = new Map(model.functions).set(functionArn, { ...deployed, file: ingest.bundle });
  return { ...model, functions };
}

type Closing = (() => Promise<void> | void)[];

function temporaryArchive(closing: Closing): string {
  const folder = mkdtempSync(join(tmpdir(), 'archive-'));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function openLog(directory: string | undefined): Writable {
  if (directory !== undefined) return openBoundedLog(join(directory, 'functions.log'));
  return new WritableStream({ write: (_chunk, _encoding, done) => done() });
}

/** Starts everything but the first ingest pass. Throws `StartFault` when it cannot. */
export async function startLocalService(options: LocalServiceOptions): Promise<LocalService> {
  const { dataDirectory: directory, ingest, clock = Date.now, report = () => {} } = options;
  const fileOf = (name: string): string | undefined =>
    directory === undefined ? undefined : join(directory, name);
  const model = withLocalIngest(readServiceModel(options.assembly), ingest);
  const closing: Closing = [];
  const end = new AbortController();
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= (async () => {
      end.abort();
      for (const step of closing.reverse()) await step();
    })();
    return closed;
  };

  try {
    let { storeEndpoint } = options;
    if (storeEndpoint === undefined) {
      const onFailure = options.onFailure && { onFailure: options.onFailure };
      const store = await startEmbeddedStore({ directory: fileOf('store'), ...onFailure });
      closing.push(() => store.close());
      storeEndpoint = store.endpoint;
    }
    await createTables(storeEndpoint, model.tables);

    const keys = options.keys ?? readDemoKeys();
    const plans = [...model.plans, benchPlan(model.apiId, model.stage)];
    const controlPlane = openControlPlane({ file: fileOf('control-plane.json'), plans, now: clock });
    seedKeys(controlPlane, keys, model.stage);
    const controlPlaneServer = await serveControlPlane(controlPlane);
    closing.push(() => controlPlaneServer.close());

    const usagePlans = openUsagePlans(fileOf('usage.json'));
    const saving = setInterval(() => usagePlans.save(), SAVE_EVERY_MS).unref();
    closing.push(() => {
      clearInterval(saving);
      usagePlans.save();
    });

    const archive = options.rawArchive ?? fileOf('archive') ?? temporaryArchive(closing);
    const log = openLog(directory);
    closing.push(() => new Promise<void>((resolve) => log.end(resolve)));
    const environment = {
      ...functionEnvironment({
        storeEndpoint,
        controlPlaneEndpoint: controlPlaneServer.endpoint,
        archive,
        clockOffsetMs: options.clockOffsetMs ?? 0,
      }),
      ...options.environment,
    };
    const functions = createFunctionPool(
      model.functions,
      { environment, log, clock: options.clock },
      options.functionCopies ?? 1,
    );
    functions.loadAll();

    const wait = async (ms: number): Promise<void> => {
      await delay(ms, undefined, { signal: end.signal }).catch(() => {});
    };
    const putAside = (letter: DeadLetter): void => {
      const file = fileOf('dead-letters.jsonl');
      if (file !== undefined) appendFileSync(file, `${JSON.stringify({ at: clock(), ...letter })}\n`);
    };
    const queues = new Map(
      [...model.functions].map(([arn, functionModel]) => [
        arn,
        createAsynchronous({
          model: functionModel,
          invoke: functions.invokerOf(arn),
          now: clock,
          wait,
          ended: () => end.signal.aborted,
          putAside,
          report,
        }),
      ]),
    );
    const jobOf = ({ name, expression, functionArn, input }: ScheduleModel) => ({
      name,
      expression,
      run: async () => queues.get(functionArn)?.(input),
    });

    const housekeeping = housekeepingOf(model.schedules);
    const runHousekeeping = async (): Promise<void> => {
      for (const { functionArn, input } of housekeeping) await functions.invokerOf(functionArn)(input);
    };
    await runHousekeeping();

    const plan = ingest && planIngest(model.schedules, ingest);
    const serviceNow = (): number => clock() + (options.clockOffsetMs ?? 0);
    const startSchedules = (): void => {
      const jobs = [...housekeeping, ...(plan?.schedules ?? [])].map(jobOf);
      const scheduler = startScheduler(jobs, serviceNow, report);
      closing.push(() => Promise.race([scheduler.stop(), delay(GRACE_MS, undefined, { ref: false })]));
    };

    const gateway = createGateway({
      model,
      invoke: functions.invokerOf,
      controlPlane,
      usagePlans,
      now: clock,
      report,
    });
    const portal = options.portalDirectory && createPortal(options.portalDirectory, { demoKey: keys.demo });
    const server = await serveGateway(portal ? behindPortal(portal, gateway) : gateway, options.port ?? 0);
    closing.push(() => server.close());

    return {
      url: server.url,
      model,
      keys,
      storeEndpoint,
      controlPlaneEndpoint: controlPlaneServer.endpoint,
      controlPlane,
      usagePlans,
      functions,
      ingest: plan && functions.invokerOf(plan.functionArn),
      startSchedules,
      runHousekeeping,
      close,
    };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}
