/**
 * Runs a synthesized CDK application on one machine: API Gateway's REST API with its authorizer, keys and usage plans,
 * the Lambda functions behind it, their DynamoDB tables and their schedules. README.md lists what is the same as on
 * AWS and what differs.
 *
 * @example
 * const model = readServiceModel('cdk.out');
 * const api = await startLocalApi({ model, port: 3000, dataDirectory: '.data' });
 * api.startSchedules();
 */
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { awsEnvironment } from './functions/aws-environment.ts';
import { openBoundedLog } from './functions/bounded-log.ts';
import { type Invoke, loadFunctions } from './functions/functions.ts';
import { createGateway, type Gateway } from './gateway/gateway.ts';
import { serveGateway } from './gateway/gateway-server.ts';
import { openUsagePlans, type UsagePlans } from './gateway/usage-plans.ts';
import { type ControlPlane, openControlPlane } from './keys/control-plane.ts';
import { serveControlPlane } from './keys/control-plane-server.ts';
import { createScheduledJobs, startScheduler } from './schedule/scheduler.ts';
import { errorText } from './start-error.ts';
import { startEmbeddedStore } from './store/embedded-store.ts';
import { createTables } from './store/tables.ts';
import type { PlanModel, ScheduleModel, ServiceModel } from './template/model.ts';

/** Closes opened resources in reverse order, and only once, however often it is called. */
class Cleanup {
  readonly #steps: (() => Promise<unknown> | unknown)[] = [];
  readonly #end = new AbortController();
  #closed: Promise<void> | undefined;

  /** Aborted when the closing begins. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  add(step: () => Promise<unknown> | unknown): void {
    this.#steps.push(step);
  }

  close(): Promise<void> {
    this.#closed ??= this.#run();
    return this.#closed;
  }

  async #run(): Promise<void> {
    this.#end.abort();
    for (const step of this.#steps.reverse()) await step();
  }
}

export { StartError } from './start-error.ts';
export type { ServiceModel } from './template/model.ts';
export { readServiceModel } from './template/service-model.ts';

export interface LocalApiOptions {
  /** What the template declares; see `readServiceModel`. */
  readonly model: ServiceModel;
  /** 0 or undefined: any free port. */
  readonly port?: number | undefined;
  /** Folder of tables, keys, counts and logs; in memory only when undefined. */
  readonly dataDirectory?: string | undefined;
  /** An existing DynamoDB endpoint, instead of an embedded store. */
  readonly storeEndpoint?: string | undefined;
  /** Usage plans in addition to those of the template. */
  readonly morePlans?: readonly PlanModel[];
  /** Variables for every function, in addition to those of the template and of AWS. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The clock that gateway and functions read, in epoch milliseconds. The machine's when undefined. */
  readonly clock?: (() => number) | undefined;
  /** Copies of each function, which take turns like containers. */
  readonly functionCopies?: number | undefined;
  /** Called when everything but the port is open: what requests need is put in place here, such as keys. */
  readonly prepare?: ((parts: Prepared) => Promise<void>) | undefined;
  /** Handles requests before the gateway on its port, for example to serve a site. */
  readonly front?: ((gateway: Gateway, storeEndpoint: string) => Gateway) | undefined;
  /** Aborts a start: the promise rejects with the signal's reason, and nothing stays open. */
  readonly signal?: AbortSignal | undefined;
  /** Gets one line for each failure behind the gateway. */
  readonly report?: ((line: string) => void) | undefined;
  /** Called when the API cannot continue because its store crashed. */
  readonly onFailure?: ((reason: string) => void) | undefined;
}

export interface LocalApi {
  readonly url: string;
  readonly storeEndpoint: string;
  readonly controlPlaneEndpoint: string;
  readonly controlPlane: ControlPlane;
  readonly usagePlans: UsagePlans;
  /** Calls the function with an ARN. */
  readonly invokerOf: (functionArn: string) => Invoke;
  /** Starts these schedules, by default those of the template. */
  startSchedules(schedules?: readonly ScheduleModel[]): void;
  /** Stops everything in order; all data are then on disk. Safe to call twice. */
  close(): Promise<void>;
}

/** The parts of an API whose port is not open yet. */
type Prepared = Pick<LocalApi, 'controlPlane' | 'invokerOf'>;

const SAVE_EVERY_MS = 1000;
/** Time for running requests to finish when the API stops. */
const GRACE_MS = 5000;

/** A start in progress: its options, the resources to close, and the paths of its files. */
interface Start {
  readonly options: LocalApiOptions;
  readonly clock: () => number;
  readonly cleanup: Cleanup;
  /** A file or folder of the data directory; undefined without one. */
  readonly pathOf: (name: string) => string | undefined;
}

/** The store's endpoint, with the template's tables in it. */
async function openStore({ options, cleanup, pathOf }: Start): Promise<string> {
  let { storeEndpoint } = options;
  if (storeEndpoint === undefined) {
    const { onFailure, report } = options;
    const store = await startEmbeddedStore({ directory: pathOf('store'), onFailure, report });
    cleanup.add(() => store.close());
    storeEndpoint = store.endpoint;
  }
  await createTables(storeEndpoint, options.model.tables);
  return storeEndpoint;
}

async function openKeys({ options, clock, cleanup, pathOf }: Start) {
  const plans = [...options.model.plans, ...(options.morePlans ?? [])];
  const controlPlane = openControlPlane({ file: pathOf('control-plane.json'), plans, now: clock });
  const server = await serveControlPlane(controlPlane);
  cleanup.add(() => server.close());
  return { controlPlane, controlPlaneEndpoint: server.endpoint };
}

function openUsage({ options, cleanup, pathOf }: Start): UsagePlans {
  const usagePlans = openUsagePlans(pathOf('usage.json'));
  let isSaved = true;
  const save = (): void => {
    try {
      usagePlans.save();
      isSaved = true;
    } catch (thrown) {
      // Tried again in a second, and said once.
      if (isSaved) options.report?.(errorText(thrown));
      isSaved = false;
    }
  };
  const saving = setInterval(save, SAVE_EVERY_MS).unref();
  cleanup.add(() => {
    clearInterval(saving);
    save();
  });
  return usagePlans;
}

function openLog({ cleanup, pathOf }: Start): Writable {
  const file = pathOf('functions.log');
  const log =
    file === undefined ? new Writable({ write: (_line, _encoding, done) => done() }) : openBoundedLog(file);
  cleanup.add(() => new Promise<void>((resolve) => log.end(resolve)));
  return log;
}

async function open(start: Start): Promise<Omit<LocalApi, 'close'>> {
  const { options, clock, cleanup, pathOf } = start;
  const { model, signal, report = () => {}, front = (gateway) => gateway } = options;
  const storeEndpoint = await openStore(start);
  signal?.throwIfAborted();
  const { controlPlane, controlPlaneEndpoint } = await openKeys(start);
  const usagePlans = openUsage(start);
  const environment = {
    ...awsEnvironment({ storeEndpoint, controlPlaneEndpoint }),
    ...options.environment,
  };
  const runtime = { environment, log: openLog(start), clock: options.clock };
  const invokerOf = loadFunctions(model.functions, runtime, options.functionCopies ?? 1);
  const jobOf = createScheduledJobs({
    functions: model.functions,
    invokerOf,
    now: clock,
    signal: cleanup.signal,
    deadLetterFile: pathOf('dead-letters.jsonl'),
    report,
  });
  const startSchedules = (schedules = model.schedules): void => {
    const scheduler = startScheduler(schedules.map(jobOf), report);
    cleanup.add(() => Promise.race([scheduler.stop(), delay(GRACE_MS, undefined, { ref: false })]));
  };

  const gateway = createGateway({ model, invoke: invokerOf, controlPlane, usagePlans, now: clock, report });
  await options.prepare?.({ controlPlane, invokerOf });
  signal?.throwIfAborted();
  const server = await serveGateway(front(gateway, storeEndpoint), options.port ?? 0);
  cleanup.add(() => server.close());
  signal?.throwIfAborted();
  const { url } = server;
  return { url, storeEndpoint, controlPlaneEndpoint, controlPlane, usagePlans, invokerOf, startSchedules };
}

/** Throws `StartError` with one line that says what to do, when the API cannot start. */
export async function startLocalApi(options: LocalApiOptions): Promise<LocalApi> {
  const { dataDirectory, clock = Date.now } = options;
  const pathOf = (name: string): string | undefined =>
    dataDirectory === undefined ? undefined : join(dataDirectory, name);
  const cleanup = new Cleanup();
  try {
    const opened = await open({ options, clock, cleanup, pathOf });
    return { ...opened, close: () => cleanup.close() };
  } catch (thrown) {
    await cleanup.close();
    throw thrown;
  }
}
