/**
 * `node --import tsx test/emulated-deploy/emulated-deploy.ts PYTHON`: the deployment of docs/deploy.md on MiniStack, from an
 * empty account to an empty account: bootstrap, deploy, keys, recorded data through the deployed ingest function, every
 * endpoint, refusals, an edited plan, a second deployment, destroy. Exit 1 at the first difference from the documentation.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { CfnUsagePlan } from 'aws-cdk-lib/aws-apigateway';
import { PLANS } from '../../core/contracts/plans.ts';
import { createApp } from '../../lib/app.ts';
import { RECORDINGS } from '../builders/recordings.ts';
import { type Emulator, REGION, startEmulator } from './emulator.ts';
import { type Account, type Ask, openAccount, openApi, type Reply } from './stage.ts';

const CDK = join(import.meta.dirname, '../../node_modules/.bin/cdk');
const STAGE = 'dev';
/** Sources are never fetched: recorded replies are in `recordings/`. */
const SETTINGS = ['-c', `stage=${STAGE}`, '-c', 'apiGatewayLogRole=true', '-c', 'schedules=false'];
const QUIET = ['--no-notices', '--progress', 'events'];

const SOURCES = ['fintraffic-digitraffic', 'hk-marine-department', 'us-census-trade'];

type Outputs = Readonly<Record<string, Readonly<Record<string, string>>>>;

const startedAt = Date.now();
const report = (text: string): void =>
  console.log(`${((Date.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${text}`);

async function deploy({ command, folder }: Emulator, options: readonly string[]): Promise<Outputs> {
  const file = join(folder, 'outputs.json');
  const asked = ['--all', '--require-approval', 'never', '--outputs-file', file];
  await command(CDK, ['deploy', ...asked, ...QUIET, ...options]);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The same stage with another burst of Starter, as a release that sells more would have it. */
function synthesizeEditedPlan(outdir: string, burstLimit: number): void {
  const { app, application } = createApp({
    outdir,
    stage: STAGE,
    portalDir: join(import.meta.dirname, '../../dist/portal'),
    context: { apiGatewayLogRole: 'true', schedules: 'false' },
  });
  const starter = application.api.node
    .findAll()
    .find((node) => node instanceof CfnUsagePlan && node.usagePlanName?.endsWith(PLANS.starter.title));
  assert(starter instanceof CfnUsagePlan);
  starter.throttle = { rateLimit: PLANS.starter.ratePerSecond, burstLimit };
  app.synth();
}

interface IssuedKey {
  readonly id: string;
  readonly secret: string;
}

async function createKey({ command }: Emulator, plan: string): Promise<IssuedKey> {
  const text = await command('npm', [
    ...['run', '--silent', 'keys', '--', 'create'],
    ...['--plan', plan, '--name', `emulated-${plan}`, '--stage', STAGE],
  ]);
  const field = (name: string) => new RegExp(`^${name} +(\\S+)$`, 'm').exec(text)?.[1];
  const [id, secret] = [field('id'), field('secret')];
  assert(id !== undefined && secret !== undefined, text);
  return { id, secret };
}

const expectStatus = (reply: Reply, status: number, code?: string): Reply => {
  assert.equal(reply.status, status, reply.text);
  if (code !== undefined) assert.equal(JSON.parse(reply.text).code, code);
  return reply;
};

/** Copies recorded replies into the archive, and has the deployed ingest function apply them. */
async function ingestRecordings(account: Account, archive: string, ingest: string): Promise<void> {
  for (const source of SOURCES) {
    for (const entry of readdirSync(join(RECORDINGS, source), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      await account.put(archive, relative(RECORDINGS, file).replaceAll('\\', '/'), readFileSync(file));
    }
    const pass = await account.invoke(ingest, { source, ask: false });
    assert.equal(pass.state, 'ok', JSON.stringify(pass));
    report(`the ingest function applied ${pass.fetches} recorded fetches of ${source}`);
  }
}

async function readEveryEndpoint(ask: Ask, key: string): Promise<void> {
  const get = async (path: string): Promise<Reply> => expectStatus(await ask(path, key), 200);
  const read = async (path: string) => JSON.parse((await get(path)).text);
  assert.equal(JSON.parse(expectStatus(await ask('/v1/health'), 200).text).region, REGION);
  const sources: readonly { source: string }[] = await read('/v1/meta/sources');
  assert.deepEqual(
    sources.map(({ source }) => source),
    SOURCES,
  );
  const ports: readonly { port: string }[] = await read('/v1/ports');
  for (const port of ['FIKTK', 'FIRAU', 'HKHKG']) assert(ports.some((one) => one.port === port));
  // Counted by hand from the recorded reply: recordings/README.md.
  const { vessels } = await read('/v1/ports/FIRAU/snapshot');
  assert.deepEqual(vessels, { arrivals_24h: 1, departures_24h: 6, at_anchor: 0, in_port: 1 });
  const dwell: readonly unknown[] = await read('/v1/ports/HKHKG/dwell?days=3&until=2025-10-04');
  assert(dwell.length > 0);
  // Ten hours of polls are not a reliable day once it is over, so the trend is empty and the CSV its header alone.
  assert.deepEqual(await read('/v1/ports/HKHKG/trend?days=30&until=2025-10-04'), []);
  const csv = await get('/v1/ports/HKHKG/trend?days=30&until=2025-10-04&format=csv');
  assert.equal(csv.text.trimEnd().split('\n').length, 1);
  assert(Array.isArray(await read('/v1/ports/HKHKG/alerts')));
  // Recorded as imports for consumption up to 2021, and for a few chapters as general imports of 2023 and 2024.
  for (const [code, months, newest] of [
    ['94', 36, '2021-06'],
    ['85', 11, '2024-12'],
  ] as const) {
    const imports = await read(`/v1/hs/${code}/imports`);
    assert.deepEqual([imports.length, imports.at(-1).month], [months, newest]);
  }
  report(`every endpoint responds; Hong Kong has ${dwell.length} dwell periods in three days`);
}

async function meetRefusals(
  { command }: Emulator,
  ask: Ask,
  starter: IssuedKey,
  lite: IssuedKey,
): Promise<void> {
  expectStatus(await ask('/v1/ports'), 401, 'auth_missing');
  expectStatus(await ask('/v1/ports', 'pcd_dev_unknown0000000000000000000000'), 401, 'auth_invalid');
  expectStatus(await ask('/v1/hs/85/imports', lite.secret), 403, 'auth_forbidden');
  expectStatus(await ask('/v1/nothing', starter.secret), 404, 'not_found');
  expectStatus(await ask('/v1/ports/ZZZZZ/snapshot', starter.secret), 404, 'not_found');
  await command('npm', ['run', '--silent', 'keys', '--', 'disable', lite.id, '--stage', STAGE]);
  expectStatus(await ask('/v1/ports', lite.secret), 403, 'auth_forbidden');
  report('401, 403 and 404 come in the envelope of the contract');
}

/** The runbook's restore, on a table of the stage: the table keeps its name, so the functions find it again. */
async function restorePorts({ command }: Emulator, account: Account, table: string): Promise<void> {
  const copy = `restored-${table}`;
  const removeCopy = await account.recoverTable(table, copy);
  await account.deletePort(table, 'HKHKG');
  const restore = ['run', '--silent', 'restore-table', '--', '--from', copy, '--to', table];
  const said = await command('npm', restore);
  assert.match(said, /: 1 rows were written, 0 were deleted/);
  assert.match(
    await command('npm', [...restore, '--dry-run']),
    /: 0 rows would be written, 0 would be deleted/,
  );
  await removeCopy();
  report('restored a lost row from a recovered copy into the table of the stage');
}

/** More requests at once than the key's bucket has tokens. */
async function exceedBurst(ask: Ask, key: string): Promise<void> {
  const burst = await Promise.all(Array.from({ length: 20 }, () => ask('/v1/ports', key)));
  const refused = burst.filter(({ status }) => status === 429);
  assert(refused.length > 0 && refused.length < burst.length);
  for (const reply of refused) {
    expectStatus(reply, 429, 'rate_limited');
    assert.equal(reply.headers['ratelimit-remaining'], '0');
  }
  report(`${refused.length} of ${burst.length} requests at once are refused with 429 at a burst of 5`);
}

async function walk(emulator: Emulator): Promise<void> {
  const { command, endpoint, folder } = emulator;
  const account = openAccount(endpoint);
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  await command(CDK, ['bootstrap', `aws://000000000000/${REGION}`, '--no-notices'], empty);
  report('bootstrapped an empty account');

  const outputs = await deploy(emulator, SETTINGS);
  assert.deepEqual(
    Object.keys(outputs).sort(),
    ['api', 'data', 'ingest', 'portal'].map((part) => `pcd-${STAGE}-${part}`),
  );
  const output = (part: string, name: string): string => {
    const value = outputs[`pcd-${STAGE}-${part}`]?.[name];
    assert(value !== undefined, `the stack ${part} has no output ${name}`);
    return value;
  };
  report('deployed four stacks');
  await command('npm', ['run', '--silent', 'upload:portal', '--', output('portal', 'PortalBucketName')]);
  report('uploaded the portal');

  const starter = await createKey(emulator, 'starter');
  const lite = await createKey(emulator, 'lite');
  const reconcile = () => account.invoke(output('api', 'KeySyncFunctionName'), { reason: 'emulated deploy' });
  assert.deepEqual(await reconcile(), { written: 0, removed: 0, unchanged: 2, ignored: 0 });
  report('created two keys, which the key command has already reconciled');

  await ingestRecordings(account, output('data', 'RawArchiveName'), output('ingest', 'IngestFunctionName'));
  const ages = await account.invoke(output('ingest', 'WatchFunctionName'), { reason: 'emulated deploy' });
  assert(Number(ages['tipc-taiwan']) < 60 && Number(ages['hk-marine-department']) > 60 * 24);
  report('the watch counts a source that was never fetched from now, the others from their last good fetch');
  const ask = openApi(endpoint, output('api', 'ApiId'), STAGE);
  await readEveryEndpoint(ask, starter.secret);
  const first = await account.invoke(output('portal', 'ReleaseFunctionName'), {});
  assert(first.written === true && Number(first.rows) > 0, JSON.stringify(first));
  const again = await account.invoke(output('portal', 'ReleaseFunctionName'), {});
  assert.deepEqual(again, { ...first, written: false });
  const released = await account.list(output('portal', 'ReleaseBucketName'));
  for (const path of ['data/latest.json', 'data/index.html', `data/release=${first.release}/manifest.json`])
    assert(released.includes(path), released.join());
  report(`released ${first.rows} rows in ${first.files} files; the same day again changes nothing`);
  await restorePorts(emulator, account, output('data', 'PortsTableName'));
  await readEveryEndpoint(ask, starter.secret);
  await meetRefusals(emulator, ask, starter, lite);
  const plan = output('api', 'StarterPlanId');
  await account.setBurst(plan, 5);
  await reconcile();
  await exceedBurst(ask, starter.secret);

  assert.deepEqual(await deploy(emulator, [...SETTINGS, '-c', 'responseCacheSeconds=0']), outputs);
  assert.equal(await account.burstOf(plan), 5);
  report('deployed another setting: the same outputs, and the burst that the console set stays');
  const edited = join(folder, 'edited');
  synthesizeEditedPlan(edited, 400);
  assert.deepEqual(await deploy(emulator, ['--app', edited]), outputs);
  assert.equal(await account.burstOf(plan), 400);
  await reconcile();
  expectStatus(await ask('/v1/ports', starter.secret), 200);
  report('deployed an edited plan: the key is still on it, at the same address');

  await account.emptyBuckets(`pcd-${STAGE}-`);
  await command(CDK, ['destroy', '--all', '--force', ...QUIET, '--app', edited]);
  assert.deepEqual(await account.leftovers(`pcd-${STAGE}-`), []);
  report('emptied the buckets and destroyed the stacks: no bucket, table, function or API is left');
}

const [, , python] = process.argv;
if (python === undefined) throw new Error('usage: emulated-deploy.ts PYTHON (one with MiniStack installed)');
const emulator = await startEmulator(python);
try {
  await walk(emulator);
} finally {
  await emulator.close();
}
