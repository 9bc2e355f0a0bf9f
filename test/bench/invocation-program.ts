/**
 * Invokes the built read handlers in this process as Lambda does, one after the other: the event is read from text, the
 * response is written to text. Measures the processor time of the process, and who spends it.
 */
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { exampleRequest } from '../../core/contracts/route.ts';
import { OPERATION_IDS, ROUTES } from '../../core/contracts/routes.ts';
import { folderOf } from '../../core/endpoints/endpoint.ts';
import { awsEnvironment } from '../../local/functions/aws-environment.ts';
import { instantiate } from '../../local/functions/functions.ts';
import { readServiceModel } from '../../local/template/service-model.ts';
import { gatewayEvent, STARTER_KEY } from '../builders/gateway-event.ts';
import type { CpuProfile } from './cpu-profile.ts';
import { microsByShare, type Shares } from './cpu-shares.ts';
import { rememberStore } from './remembered-store.ts';

export interface InvocationSettings {
  /** Folder of the cloud assembly that names the functions' tables and variables. */
  readonly assembly: string;
  /** The built handlers: as deployed, and with their names and lines for the profile. */
  readonly handlers: string;
  readonly readableHandlers: string;
  readonly storeEndpoint: string;
  readonly invocations: number;
  readonly rounds: number;
}

export interface InvocationFigures {
  readonly path: string;
  readonly responseBytes: number;
  /**
   * Microseconds of processor time of one invocation, all threads. The lowest of many short rounds, because other work on the machine
   * only adds to it.
   */
  readonly storeAskedMicros: number;
  readonly cachedMicros: number;
  /** Who spends the first of these. */
  readonly shares: Shares;
}

/** Headers as CloudFront and API Gateway add them to those of a client. */
const HEADERS: Readonly<Record<string, string>> = {
  Accept: 'application/json',
  'Accept-Encoding': 'gzip, deflate',
  'CloudFront-Forwarded-Proto': 'https',
  'CloudFront-Is-Desktop-Viewer': 'true',
  'CloudFront-Viewer-ASN': '3303',
  'CloudFront-Viewer-Country': 'CH',
  Host: 'a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com',
  'User-Agent': 'python-requests/2.32.3',
  Via: '1.1 4c2b1d5fae9c0b7d8e6f.cloudfront.net (CloudFront)',
  'X-Amz-Cf-Id': 'u7mQ2n5kP0vT9xW3yZ6aB8cD1eF4gH7iJ0kL3mN6oP9qR2sT5uV8w==',
  'X-Amzn-Trace-Id': 'Root=1-67891233-abcdef012345678912345678',
  'X-API-Key': `pcd_dev_${'a'.repeat(43)}`,
  'X-Forwarded-For': '203.0.113.10, 198.51.100.2',
  'X-Forwarded-Port': '443',
  'X-Forwarded-Proto': 'https',
};

const { assembly, handlers, readableHandlers, storeEndpoint, invocations, rounds } = JSON.parse(
  process.argv[2] ?? '{}',
) as InvocationSettings;
rememberStore();
const model = readServiceModel(assembly);
const log = new Writable({ write: (_chunk, _encoding, done) => done() });

function eventOf(path: string, resource: string, query: URLSearchParams): string {
  // Port or code is the third segment of every path that has one.
  const value = path.split('/')[3] ?? '';
  const name = /\{(\w+)\}/.exec(resource)?.[1];
  const event = gatewayEvent({
    resource,
    rawPath: path,
    ...(name !== undefined && { path: { [name]: value } }),
    query: Object.fromEntries([...query].map(([name, value]) => [name, [value]])),
    headers: Object.fromEntries(Object.entries(HEADERS).map(([name, value]) => [name, [value]])),
    key: STARTER_KEY,
  });
  return JSON.stringify({ ...event, headers: HEADERS });
}

/** Invokes a copy of an endpoint's function of its own. Throws when it responds with anything but a 200. */
function invokerOf(operation: (typeof OPERATION_IDS)[number], folder: string, cacheSeconds: number) {
  const route = ROUTES[operation];
  const path = exampleRequest(route, { UNLOCODE: 'USLAX', code: '85' });
  const [resource] = route.paths;
  const arn = model.routes.find((one) => one.path === resource)?.functionArn;
  const deployed = model.functions.get(arn ?? '');
  if (deployed === undefined) throw new Error(`${resource} has no function in ${assembly}`);
  const call = instantiate(
    { ...deployed, file: join(folder, folderOf(operation), 'index.cjs') },
    {
      log,
      environment: {
        ...awsEnvironment({ storeEndpoint, controlPlaneEndpoint: storeEndpoint }),
        // Temporary credentials, whose token is signed and sent with every request.
        AWS_SESSION_TOKEN: 'IQoJb3JpZ2luX2VjE'.repeat(50),
        ANSWER_CACHE_SECONDS: String(cacheSeconds),
        CLOCK_OFFSET_MS: '0',
        LIMITER_DEADLINE_MS: '10000',
        POWERTOOLS_TRACE_ENABLED: 'false',
      },
    },
  );
  const url = new URL(path, 'http://localhost');
  const event = eventOf(url.pathname, resource, url.searchParams);
  const invoke = async (): Promise<string> => {
    const response = (await call(JSON.parse(event))) as {
      readonly statusCode: number;
      readonly body: string;
    };
    if (response.statusCode !== 200)
      throw new Error(`${path} responds with ${response.statusCode}: ${response.body}`);
    return JSON.stringify(response);
  };
  return { path, invoke };
}

type Invoke = () => Promise<string>;

/** Invocations before the first that counts: until then V8 still compiles. */
const WARM_UP = 1500;
/** Invocations under the profiler. */
const PROFILED = 1500;

async function microsOf(invoke: Invoke, times: number): Promise<number> {
  const before = process.cpuUsage();
  for (let n = 0; n < times; n += 1) await invoke();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}

async function sharesOf(invoke: Invoke): Promise<Shares> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 100 });
  await session.post('Profiler.start');
  for (let n = 0; n < PROFILED; n += 1) await invoke();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const micros = microsByShare(profile as unknown as CpuProfile);
  const total = Object.values(micros).reduce((sum, value) => sum + value, 0);
  return Object.fromEntries(Object.entries(micros).map(([name, value]) => [name, value / total])) as Shares;
}

const measured: Record<string, InvocationFigures> = {};
const runs = [];
for (const operation of OPERATION_IDS) {
  const asked = invokerOf(operation, handlers, 0);
  const cached = invokerOf(operation, handlers, 10);
  const readable = invokerOf(operation, readableHandlers, 0);
  for (const { invoke } of [asked, cached, readable]) await microsOf(invoke, WARM_UP);
  runs.push({ operation, asked, cached, readable, askedMicros: [Number.NaN], cachedMicros: [Number.NaN] });
}
// All handlers in turn in each round, so that a busy moment of the machine hits all of them.
for (let round = 0; round < rounds; round += 1)
  for (const run of runs) {
    run.askedMicros[round] = await microsOf(run.asked.invoke, invocations);
    run.cachedMicros[round] = await microsOf(run.cached.invoke, invocations);
  }
for (const { operation, asked, readable, askedMicros, cachedMicros } of runs) {
  const { body } = JSON.parse(await asked.invoke()) as { readonly body: string };
  measured[operation] = {
    path: asked.path,
    responseBytes: Buffer.byteLength(body),
    storeAskedMicros: Math.min(...askedMicros),
    cachedMicros: Math.min(...cachedMicros),
    shares: await sharesOf(readable.invoke),
  };
}
process.send?.(measured);
process.on('message', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
