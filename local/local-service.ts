/** The service on one machine: the functions of `lambdas/` in this process, over an embedded store, with pages beside the API. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { createKeyStore, KEY_PREFIXES } from '../core/access/keys.ts';
import { CLOCK_JUMP } from '../core/access/token-bucket.ts';
import { serviceName } from '../core/contracts/log.ts';
import type { Route } from '../core/contracts/route.ts';
import { OPERATION_IDS, type OperationId } from '../core/contracts/routes.ts';
import type { GatewayHandler } from '../core/http/chain.ts';
import { type Clock, type Instant, MINUTE_MS, SECOND_MS } from '../core/reference/time.ts';
import { sourcesFor } from '../core/sources/load-sources.ts';
import { TABLES, type TableId } from '../core/store/tables.ts';
import { createKeyCheck, keyCheckDependencies } from '../lambdas/authorizer/authorizer.ts';
import type { Endpoint } from '../lambdas/endpoints/endpoint.ts';
import { ENDPOINTS } from '../lambdas/endpoints/endpoints.ts';
import { limitedHandler, processLimiter } from '../lambdas/endpoints/keyed-handler.ts';
import { endpointHandler } from '../lambdas/endpoints/open-handler.ts';
import { openIngestDependencies } from '../lambdas/ingest/dependencies.ts';
import { ingestFunction } from '../lambdas/ingest/ingest.ts';
import { createLog } from '../lambdas/log.ts';
import type { StoreWiring } from '../lambdas/wiring.ts';
import { errorText } from './command-line.ts';
import { datasetFront } from './dataset.ts';
import { startEmbeddedStore } from './embedded-store.ts';
import { createGateway, openBoundedLog, serveGateway, within } from './gateway.ts';
import {
  createAsynchronous,
  INGEST_EVENTS,
  type Invoke,
  type LocalIngest,
  schedulesOf,
  startScheduler,
  statusFront,
} from './ingest.ts';
import { LOCAL_STAGE, openUsage, prepareKeys, readDemoKeys } from './keys.ts';
import { mcpFront } from './mcp.ts';
import { portalFront } from './portal.ts';
import { withOtherStarts } from './ready-lines.ts';
import { createTables, LOCAL_REGION, openStoreTables, tableName } from './tables.ts';

export interface LocalServiceOptions {
  /** By default any free port. */
  readonly port?: number;
  /** Names besides those of loopback that requests may give as their host; 0.0.0.0 to listen on every address. */
  readonly hosts?: readonly string[];
  /** Folder of tables, counts, logs and archive; in memory and in a temporary folder when undefined. */
  readonly dataDirectory?: string;
  /** An existing DynamoDB endpoint, instead of an embedded store. */
  readonly storeEndpoint?: string;
  /** Folder of the raw archive; by default inside the data directory. */
  readonly rawArchive?: string | undefined;
  /** What is ingested; nothing when absent. */
  readonly ingest?: LocalIngest | undefined;
  /** Variables for every function, in addition to those of this machine. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The wall clock, in epoch milliseconds. The machine's when undefined. */
  readonly clock?: Clock;
  /** How far the service's clock is ahead of the wall clock, in milliseconds. */
  readonly clockOffsetMs?: number;
  /** Folder of the built portal, which may come later; only the API is served when absent. */
  readonly portal?: Promise<string>;
  /** Folder of the releases that are served below `/data/`; none when absent. */
  readonly releases?: string;
  /** Folder of the releases that are served until there are some in `releases`; none when absent. */
  readonly ownRelease?: string | undefined;
  /** Recorded replies are replayed up to this time, ISO 8601; undefined where something is fetched. */
  readonly recordedUntil?: string | undefined;
  /** Handlers in place of those of `lambdas/`. */
  readonly handlers?: Readonly<Partial<Record<OperationId, GatewayHandler>>>;
  /** How long the gateway waits for a function. */
  readonly integrationMs?: number;
  /** How long `close` lets current requests finish, in milliseconds. */
  readonly graceMs?: number;
  /** Aborts a start: the promise rejects with the signal's reason, and nothing stays open. */
  readonly signal?: AbortSignal;
  /** Gets one line for each failure behind the gateway. */
  readonly report?: (line: string) => void;
  /** Called when the API cannot continue because its store crashed. */
  readonly onFailure?: (reason: string) => void;
}

const SAVE_EVERY_MS = SECOND_MS;
/** Time for running requests to finish when the service stops. */
const GRACE_MS = 5000;

/** Time limits as the stacks declare them: of an endpoint's function, of the gateway's wait for it, and of a pass. */
export const LIMITS = {
  functionMs: 8 * SECOND_MS,
  integrationMs: 29 * SECOND_MS,
  ingestMs: 15 * MINUTE_MS,
} as const;

/** Variables of the functions that are the same on every machine, as the stage dev has them. */
export const STAGE_VARIABLES = {
  SERVICE_NAME: serviceName(LOCAL_STAGE),
  KEY_PREFIX: KEY_PREFIXES.dev,
  RESPONSE_CACHE_SECONDS: '5',
} as const;

/**
 * Variables of the functions on one machine: they read `rawArchive`, else the archive in `folder`, where everything else is. What is
 * noted of fetches that others archived is apart from them.
 */
export const localVariables = (folder: string, rawArchive: string | undefined) => ({
  ...STAGE_VARIABLES,
  AWS_REGION: LOCAL_REGION,
  ...Object.fromEntries((Object.keys(TABLES) as TableId[]).map((id) => [TABLES[id].variable, tableName(id)])),
  RAW_ARCHIVE: pathToFileURL(rawArchive ?? join(folder, 'archive')).href,
  ARCHIVE_NOTES: pathToFileURL(join(folder, rawArchive === undefined ? 'archive' : 'verdicts')).href,
  POSITION_STEPS: pathToFileURL(join(folder, 'positions')).href,
  /** One owner for all processes on a data directory: the lease of a pass that was killed does not block the next. */
  LEASE_OWNER: 'local',
  // The replies of such an archive were fetched by another deployment.
  ...(rawArchive === undefined ? {} : { REPLAYS: 'true' }),
});

/** A start in progress: its options, and what has to be closed after it, the newest first. */
interface Start extends LocalServiceOptions {
  readonly report: (line: string) => void;
  readonly wallClock: Clock;
  /** The service's clock. */
  readonly now: Clock;
  readonly closing: (() => unknown)[];
  /** Aborted when the closing begins. */
  readonly ending: AbortController;
}

/** A file or folder of the data directory; undefined without one. */
const pathIn = ({ dataDirectory }: Start, name: string): string | undefined =>
  dataDirectory && join(dataDirectory, name);

/** The store's endpoint, with all tables in it. */
async function openStore(start: Start, onRowsWritten: () => void): Promise<string> {
  let { storeEndpoint } = start;
  if (storeEndpoint === undefined) {
    const { onFailure, report } = start;
    const store = await startEmbeddedStore({
      directory: pathIn(start, 'store'),
      onFailure,
      report,
      onRowsWritten,
    });
    start.closing.push(store.close);
    storeEndpoint = store.endpoint;
  }
  await createTables(storeEndpoint);
  return storeEndpoint;
}

function openCounts(start: Start) {
  const usage = openUsage(pathIn(start, 'usage.json'));
  let isSaved = true;
  const save = (): void => {
    try {
      usage.save();
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
  return usage;
}

/** The wiring of all functions of the process. */
function wire(start: Start, endpoint: string): StoreWiring {
  const { closing, wallClock, now, rawArchive, environment, dataDirectory } = start;
  const file = pathIn(start, 'functions.log');
  const log = file ? openBoundedLog(file) : new Writable({ write: (_line, _encoding, done) => done() });
  closing.push(() => new Promise<void>((resolve) => log.end(resolve)));
  const folder = dataDirectory ?? mkdtempSync(join(tmpdir(), 'archive-'));
  if (dataDirectory === undefined) closing.unshift(() => rmSync(folder, { recursive: true, force: true }));
  const { openTables, close } = openStoreTables(endpoint);
  closing.push(close);
  return {
    variables: { ...localVariables(folder, rawArchive), ...environment },
    wallClock,
    now,
    log: createLog({
      service: STAGE_VARIABLES.SERVICE_NAME,
      write: (line) => void log.write(line),
      now: wallClock,
    }),
    openTables,
  };
}

/** The endpoint, whose 404s name the starts that cover the port. */
const namingOtherStarts = (
  endpoint: Endpoint<Route, TableId>,
  { variables }: StoreWiring,
): typeof endpoint => ({
  ...endpoint,
  create: (...given) => withOtherStarts(endpoint.create(...given), variables.OTHER_STARTS),
});

/** The handler of each endpoint, all with one limiter. */
function endpointHandlers(wiring: StoreWiring, given: LocalServiceOptions['handlers'] = {}) {
  const limiter = processLimiter(wiring, wiring.openTables(['rateLimits']).rateLimits, CLOCK_JUMP);
  const handlers = OPERATION_IDS.map((id) => {
    const endpoint = ENDPOINTS[id] as Endpoint<Route, TableId>;
    const made = endpoint.route.authenticated
      ? limitedHandler(id, namingOtherStarts(endpoint, wiring), wiring, limiter)
      : endpointHandler(id, endpoint as Endpoint<Route, never>, wiring);
    return [id, given[id] ?? made] as const;
  });
  return Object.fromEntries(handlers) as Record<OperationId, GatewayHandler>;
}

/** The ingest function, with its time limit. */
async function openIngest(
  wiring: StoreWiring,
  { load, environment, sources: ids }: LocalIngest,
): Promise<Invoke> {
  const variables = { ...wiring.variables, ...environment };
  const dependencies = openIngestDependencies({ ...wiring, variables }, 'local');
  const sources = load?.(dependencies) ?? (await sourcesFor(variables, ids));
  const ingest = ingestFunction(wiring, dependencies, sources);
  return (event) => {
    const endsAt = performance.now() + LIMITS.ingestMs;
    const invocation = { getRemainingTimeInMillis: () => endsAt - performance.now() };
    const fault = () => new Error(`the ingest timed out after ${LIMITS.ingestMs} ms`);
    // A handler may throw before it returns a promise.
    return within(LIMITS.ingestMs, (async () => ingest(event, invocation))(), fault);
  };
}

async function open(start: Start) {
  const { closing, ending, signal, report, wallClock, now, ingest: wanted, recordedUntil } = start;
  const changes = { onKeysWritten: (): void => undefined };
  const storeEndpoint = await openStore(start, () => changes.onKeysWritten());
  signal?.throwIfAborted();
  const usage = openCounts(start);
  const wiring = wire(start, storeEndpoint);
  const keys = readDemoKeys();
  const keyStore = createKeyStore(wiring.openTables(['apiKeys']).apiKeys);
  await prepareKeys(keyStore, keys, pathIn(start, 'control-plane.json'), wallClock);
  signal?.throwIfAborted();
  const ingest = wanted && (await openIngest(wiring, wanted));
  const { CONTACT: contact, CORS_ORIGINS = '' } = wiring.variables;
  const gateway = createGateway({
    handlers: endpointHandlers(wiring, start.handlers),
    checkKey: createKeyCheck(keyCheckDependencies(wiring)),
    usage,
    now: wallClock,
    settings: { contact, corsOrigins: CORS_ORIGINS.split(',').filter(Boolean) },
    functionMs: LIMITS.functionMs,
    integrationMs: start.integrationMs ?? LIMITS.integrationMs,
    report,
  });
  changes.onKeysWritten = gateway.forgetKeys;
  const schedules = wanted === undefined ? [] : schedulesOf(wanted);

  return {
    storeEndpoint,
    keys,
    wiring,
    /** The keys of the key table. A change in it is seen at the next request. */
    keyStore,
    usage,
    schedules,
    /** Calls the ingest function with an event; undefined when nothing is ingested. */
    ingest,
    /** Begins to run what this start ingests. `failed`: sources whose first pass failed, and until when each is paused. */
    startSchedules(failed?: ReadonlyMap<string, Instant>): void {
      if (ingest === undefined) return;
      const deadLetterFile = pathIn(start, 'dead-letters.jsonl');
      const options = { ...INGEST_EVENTS, name: 'ingest', now: wallClock, signal: ending.signal };
      const run = createAsynchronous(ingest, { ...options, deadLetterFile, report });
      const scheduler = startScheduler(schedules, { ...(failed && { failed }), now, run, report });
      closing.push(() => Promise.race([scheduler.stop(), delay(GRACE_MS, undefined, { ref: false })]));
    },
    /** Opens the port. Throws `StartError` when it cannot. */
    async listen() {
      const { portal, releases, ownRelease, port = 0, hosts = [] } = start;
      const fronts = [
        mcpFront(keys.demo),
        statusFront(wiring, recordedUntil),
        ...(releases === undefined ? [] : [datasetFront(releases, ownRelease)]),
        ...(portal === undefined ? [] : [portalFront(portal, { demoKey: keys.demo, recordedUntil })]),
      ];
      const server = await serveGateway(gateway, { port, fronts, hosts });
      closing.push(() => server.close(start.graceMs));
      signal?.throwIfAborted();
      return server.url;
    },
  };
}

/** Opens everything but the port. Throws `StartError`, with one line that says what to do, when it cannot. */
export async function openLocalService(options: LocalServiceOptions) {
  const { clock: wallClock = Date.now, clockOffsetMs = 0, report = () => undefined } = options;
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
  const now = (): Instant => wallClock() + clockOffsetMs;
  try {
    return { ...(await open({ ...options, wallClock, now, report, closing, ending })), close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

export type LocalService = Awaited<ReturnType<typeof startLocalService>>;

/** Opens everything, the port too. */
export async function startLocalService(options: LocalServiceOptions) {
  const service = await openLocalService(options);
  try {
    return { ...service, url: await service.listen() };
  } catch (thrown) {
    await service.close();
    throw thrown;
  }
}
