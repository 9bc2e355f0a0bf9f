/**
 * One way through the service in a process of its own: prints the product's files in which a function ran, as JSON. Functions are wired
 * as on AWS, over an embedded store and a folder as archive; replies are recorded or generated, and the clock is set.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Context } from 'aws-lambda';
import { createKeyStore, keyDigest } from '../../core/access/keys.ts';
import { DAY_MS, HOUR_MS } from '../../core/reference/time.ts';
import { TABLES, type TableId } from '../../core/store/tables.ts';
import { startEmbeddedStore } from '../../local/embedded-store.ts';
import { createTables, openStoreTables, tableName } from '../../local/tables.ts';
import { gatewayEvent, INVOCATION } from '../../test/builders/gateway-event.ts';
import { zstdFrame } from '../../test/builders/zstd-frames.ts';
import { noaaDays } from '../../test/worlds/traffic/day-files.ts';
import { roadsteadWorld } from '../../test/worlds/traffic/roadstead-world.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PRODUCT = /^(bin|core|lambdas|lib|packages|tools)\//;
const PORT_RESOURCE = '/v1/ports/{UNLOCODE}';

/** Sets the clock of the process. */
const clock = { nowAt: Date.UTC(2026, 0, 1) };
Date.now = () => clock.nowAt;

/** What the upstreams return, by the last part of an address. */
const replies = new Map<string, Uint8Array>();
const throughNetwork = globalThis.fetch;
globalThis.fetch = async (address, options) => {
  const url = new URL(address instanceof Request ? address.url : address);
  if (url.hostname === '127.0.0.1') return throughNetwork(address, options);
  const body = replies.get(url.pathname.split('/').at(-1) ?? '');
  return new Response(body === undefined ? undefined : new Uint8Array(body), {
    status: body === undefined ? 404 : 200,
  });
};

const folder = mkdtempSync(join(tmpdir(), 'ways-'));
const store = await startEmbeddedStore({ directory: undefined });
await createTables(store.endpoint);
Object.assign(process.env, {
  AWS_ENDPOINT_URL_DYNAMODB: store.endpoint,
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  KEY_PREFIX: 'pcd_dev',
  // A slow store lets requests pass.
  LIMITER_DEADLINE_MS: '60000',
  RAW_ARCHIVE: pathToFileURL(folder).href,
  ...Object.fromEntries((Object.keys(TABLES) as TableId[]).map((id) => [TABLES[id].variable, tableName(id)])),
});

// After the variables are set: functions read them while they are loaded.
const { handler: ingest } = await import('../../lambdas/ingest/index.ts');
const { handler: authorize } = await import('../../lambdas/authorizer/index.ts');
const { endpointHandler } = await import('../../lambdas/endpoints/keyed-handler.ts');
const { storeWiring } = await import('../../lambdas/function-tables.ts');
const { trend } = await import('../../lambdas/endpoints/trend.ts');
const { waits } = await import('../../lambdas/endpoints/waits.ts');

const trendFunction = () => endpointHandler('trend', trend, storeWiring(process.env));
const waitsFunction = () => endpointHandler('waits', waits, storeWiring(process.env));
const invocation = { getRemainingTimeInMillis: () => 900_000 } as Context;

async function pass(source: string): Promise<void> {
  const outcome = await ingest({ source }, invocation);
  if (!('state' in outcome) || outcome.state !== 'ok')
    throw new Error(`${source}: ${JSON.stringify(outcome)}`);
}

/** The response, which must have the status. */
async function respond(
  handler: ReturnType<typeof trendFunction>,
  event: Parameters<typeof handler>[0],
  status: number,
): Promise<string> {
  const { statusCode, body } = await handler(event, INVOCATION);
  if (statusCode !== status) throw new Error(`${event.path}: ${statusCode} ${body}`);
  return body;
}

const HK_AT = Date.UTC(2025, 9, 4, 14, 20);
const NOAA = 'noaa-marinecadastre-ais';
const AIS_BEGAN_AT = Date.UTC(2026, 0, 5);
const AIS_DAYS = 3;

/** The recorded replies of a day in the archive, and the last of them fetched. */
async function hongKong() {
  const source = 'hk-marine-department';
  const recorded = join(ROOT, 'recordings', source);
  const fetches = readdirSync(recorded).sort();
  for (const name of fetches.slice(0, -1))
    cpSync(join(recorded, name), join(folder, source, name), { recursive: true });
  const last = join(recorded, fetches.at(-1) ?? '');
  for (const file of readdirSync(last)) replies.set(file, readFileSync(join(last, file)));
  clock.nowAt = HK_AT;
  const respondTrend = trendFunction();
  const event = gatewayEvent({
    resource: `${PORT_RESOURCE}/trend`,
    path: { UNLOCODE: 'HKHKG' },
    query: { window: '7d' },
  });
  return async () => {
    await pass(source);
    const body = await respond(respondTrend, event, 200);
    if (!/"date":"2025-10-04/.test(body)) throw new Error(`no figure: ${body}`);
  };
}

/** Three generated days of traffic, published as day files. */
async function positions() {
  const world = roadsteadWorld({
    seed: 3,
    startAt: AIS_BEGAN_AT,
    days: AIS_DAYS,
    vessels: 30,
    ports: ['USOAK', 'USSEA'],
    fixSeconds: 120,
    hard: false,
  });
  const blobs = [];
  for (const { day, text } of noaaDays(world.fixes, '2025')) {
    const file = `ais-${day}.csv.zst`;
    replies.set(file, zstdFrame(new TextEncoder().encode(text)));
    blobs.push(`<Blob><Name>csv2/csv2026/${file}</Name><Properties><Etag>1</Etag></Properties></Blob>`);
  }
  replies.set(
    'ais',
    new TextEncoder().encode(
      `<?xml version="1.0"?><EnumerationResults><Blobs>${blobs.join('')}</Blobs><NextMarker/></EnumerationResults>`,
    ),
  );
  const respondWaits = waitsFunction();
  const event = gatewayEvent({ resource: `${PORT_RESOURCE}/waits`, path: { UNLOCODE: 'USOAK' } });
  return async () => {
    for (let day = 1; day <= AIS_DAYS; day += 1) {
      clock.nowAt = AIS_BEGAN_AT + AIS_DAYS * DAY_MS + (5 + 24 * (day - 1)) * HOUR_MS;
      await pass(NOAA);
    }
    const body = await respond(respondWaits, event, 200);
    if (!/"mean_hours":\d/.test(body)) throw new Error(`no wait: ${body}`);
  };
}

/** A request whose key has used up its burst at another instance of the function. */
async function rejection() {
  const secret = `pcd_dev_${'a'.repeat(30)}`;
  const { openTables, close } = openStoreTables(store.endpoint);
  const row = {
    digest: keyDigest(secret),
    keyId: 'key',
    name: 'key',
    enabled: true,
    planId: 'plan',
    tier: 'starter',
    limits: { ratePerSecond: 1, burst: 1 },
  } as const;
  await createKeyStore(openTables(['apiKeys']).apiKeys).change([row], []);
  const methodArn = 'arn:aws:execute-api:local:1:api/dev/GET/v1/ports/HKHKG/trend';
  const event = gatewayEvent({
    resource: `${PORT_RESOURCE}/trend`,
    path: { UNLOCODE: 'HKHKG' },
    query: { window: '7d' },
  });
  const admitted = async () => {
    const { context } = await authorize({
      methodArn,
      multiValueHeaders: { 'X-API-Key': [secret] },
      headers: {},
    });
    return { ...event, requestContext: { ...event.requestContext, authorizer: context } } as typeof event;
  };
  await respond(trendFunction(), await admitted(), 404);
  const limited = trendFunction();
  close();
  return async () => void (await respond(limited, await admitted(), 429));
}

const WAYS: Readonly<Record<string, () => Promise<() => Promise<void>>>> = { hongKong, positions, rejection };

const inspector = new Session();
inspector.connect();

/** The product's files in which a function ran during `work`; the evaluation of a module, and what it calls, has been before. */
async function filesThatRan(work: () => Promise<void>): Promise<readonly string[]> {
  await inspector.post('Profiler.enable');
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  // Sets the counts of what ran before to zero.
  await inspector.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  const ran = result.filter(({ functions }) =>
    functions.some(({ functionName, ranges }) =>
      functionName !== '' || ranges[0]?.startOffset !== 0 ? (ranges[0]?.count ?? 0) > 0 : false,
    ),
  );
  const paths = ran.map(({ url }) =>
    relative(ROOT, url.startsWith('file:') ? fileURLToPath(url.replace(/\?.*$/, '')) : url),
  );
  return [...new Set(paths.filter((path) => PRODUCT.test(path)))].sort();
}

const prepare = WAYS[process.argv[2] ?? ''];
if (prepare === undefined) throw new Error(`there is no way ${process.argv[2]}`);
// The ingest loads its sources with its first event.
await ingest({ source: 'none' }, invocation).catch(() => undefined);
const work = await prepare();
const files = await filesThatRan(work);
process.stdout.write(`\n${JSON.stringify(files)}\n`);
rmSync(folder, { recursive: true, force: true });
process.exit();
