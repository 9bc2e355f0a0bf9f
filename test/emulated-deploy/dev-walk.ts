/** A dev stage: bootstrap, deploy, keys, recorded data, every endpoint, the runbook, a refused release, an edited plan, destroy. */
import assert from 'node:assert/strict';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CfnUsagePlan } from 'aws-cdk-lib/aws-apigateway';
import { CfnAlias } from 'aws-cdk-lib/aws-lambda';
import { PLANS } from '../../core/contracts/plans.ts';
import { HANDLERS_DIR } from '../../lib/application.ts';
import {
  exceedBurst,
  expectStatus,
  ingestRecordings,
  meetRefusals,
  readEveryEndpoint,
  report,
  SOURCES,
} from './checks.ts';
import { createKey, type IssuedKey, newRelease, STAGE, type Walk } from './dev-stage.ts';
import type { Emulator } from './emulator.ts';
import type { Session } from './session.ts';
import { smoke } from './smoke.ts';
import { type Account, openApi, type Reply } from './stage.ts';

/** A release whose trend is an empty object. */
function synthesizeBrokenTrend(outdir: string, handlersDir: string): void {
  cpSync(HANDLERS_DIR, handlersDir, { recursive: true });
  const answer = `{ statusCode: 200, headers: { 'x-request-id': event.requestContext.requestId }, body: '{}' }`;
  writeFileSync(join(handlersDir, 'trend/index.cjs'), `exports.handler = async (event) => (${answer});\n`);
  newRelease(outdir, handlersDir).app.synth();
}

/** The same stage with another burst of Starter, as a release that sells more would have it. */
function synthesizeEditedPlan(outdir: string, burstLimit: number): void {
  const { app, application } = newRelease(outdir);
  const starter = application.api.node
    .findAll()
    .find((node) => node instanceof CfnUsagePlan && node.usagePlanName?.endsWith(PLANS.starter.title));
  assert(starter instanceof CfnUsagePlan);
  starter.throttle = { rateLimit: PLANS.starter.ratePerSecond, burstLimit };
  app.synth();
}

/** A release that changes every function and whose checks do not wait for one another. */
function synthesizeChecksAtOnce(outdir: string): void {
  const { app, application } = newRelease(outdir, HANDLERS_DIR, { responseCacheSeconds: '0' });
  const aliases = application.api.node.findAll().filter((node) => node instanceof CfnAlias);
  for (const alias of aliases) for (const other of aliases) alias.removeResourceDependency(other);
  app.synth();
}

/** Invocations that the emulator has refused in the last hour, because no concurrency was left. */
async function throttledInvocations(session: Session): Promise<number> {
  const said =
    await session.run(`aws cloudwatch get-metric-statistics --namespace AWS/Lambda --metric-name Throttles \\
      --start-time $(date -u -d -1hour +%FT%TZ) --end-time $(date -u -d +5minutes +%FT%TZ) --period 60 --statistics Sum \\
      --output text --query 'sum(Datapoints[].Sum)'`);
  return Number(said);
}

async function release({ account, output }: Walk): Promise<void> {
  const name = await output('portal', 'ReleaseFunctionName');
  const first = await account.invoke(name, {});
  assert(first.written === true && Number(first.rows) > 0, JSON.stringify(first));
  assert.deepEqual(await account.invoke(name, {}), { ...first, written: false });
  const released = await account.list(await output('portal', 'ReleaseBucketName'));
  for (const path of ['data/latest.json', 'data/index.html', `data/release=${first.release}/manifest.json`])
    assert(released.includes(path), released.join());
  report(`released ${first.rows} rows in ${first.files} files; the same day again changes nothing`);
}

/** Executions of the back-fill, which the runbook starts, end well. */
async function awaitBackFills({ session }: Walk): Promise<void> {
  const statuses = () =>
    session.run(`aws stepfunctions list-executions --state-machine-arn $(output ingest BackFillArn) \\
      --output text --query 'executions[].status'`);
  let said = await statuses();
  for (const started = Date.now(); said.includes('RUNNING') && Date.now() - started < 120_000; ) {
    await new Promise((next) => setTimeout(next, 1000));
    said = await statuses();
  }
  assert.deepEqual(
    said.trim().split(/\s+/),
    SOURCES.map(() => 'SUCCEEDED'),
  );
}

async function followRunbook(walk: Walk, starterKey: string, readAll: () => Promise<void>): Promise<void> {
  const { session, account, output } = walk;
  const rehearse = (heading: string, before?: (text: string) => unknown) =>
    session.rehearse('runbook.md', heading, before);
  await rehearse('Runbook');
  session.set({
    KEY: starterKey,
    SOURCE: 'fintraffic-digitraffic',
    PART: 'ingest',
    REQUEST_ID: 'of no request',
  });
  session.set({ SOURCES: SOURCES.join(' ') });
  for (const heading of [
    'First, in two minutes',
    'The health canary fails',
    'A source is stale',
    'Dead letters arrive',
  ])
    await rehearse(heading);
  for (const heading of ['Keys are not reconciled', 'No release is written']) await rehearse(heading);
  report('ran the commands of the alarms');

  const ports = await output('data', 'PortsTableName');
  await rehearse('Restore a stage', async (text) => {
    // The emulator recovers the present state, so the loss comes after the dry run has made the copies.
    if (/--at \$RESTORE_TO$/.test(text)) await account.deletePort(ports, 'HKHKG');
  });
  await readAll();
  report('restored a lost row from recovered copies into the tables of the stage');
  await rehearse('Rebuild the tables', (text) =>
    text.startsWith('aws stepfunctions list') ? awaitBackFills(walk) : undefined,
  );
  await readAll();
  report('emptied the tables and rebuilt them from the archive');
}

async function followKeysPage({ session }: Walk, lite: IssuedKey): Promise<void> {
  session.set({ KEY_ID: lite.id });
  await session.rehearse('runbook.md', 'A function is throttled');
  await session.rehearse('keys.md', 'The key command');
  await session.rehearse('keys.md', 'What the console may do');
  await session.rehearse('keys.md', 'A plan that was deleted');
  await session.rehearse('keys.md', 'Quotas and usage');
  await session.rehearse('keys.md', 'What a change does, and how soon');
  await session.rehearse('runbook.md', 'A key cannot be used');
  await session.rehearse('keys.md', 'Revoking a key');
  const { id } = await createKey(session, 'lite', 'leaked');
  session.set({ KEY_ID: id });
  await session.rehearse('runbook.md', 'Common tasks');
  report('ran the commands of the keys page; a key made as in the console is accepted');
}

/** Names of what the prod stage of the walk has, the key among them. */
const PROD = /\bprod\b|^owner$/;

export interface DevStage {
  /** With its key. */
  readonly ask: (path: string) => Promise<Reply>;
  readonly remove: () => Promise<void>;
}

export async function walkDev(
  { endpoint, folder }: Emulator,
  account: Account,
  session: Session,
): Promise<DevStage> {
  const page = (heading: string) => session.rehearse('deploy.md', heading);
  const output = async (part: string, name: string) => (await session.run(`output ${part} ${name}`)).trim();
  const walk = { account, session, output };
  const preflight = () => session.run(`npm run --silent preflight -- --stage ${STAGE} || true`);
  assert.match(await preflight(), /missing bootstrap: .*\n +npx cdk bootstrap aws:/);
  await page('1. Once for the account and region');
  assert.match(await preflight(), /ok +bootstrap: version/);
  report('bootstrapped an empty account, as the preflight says');
  session.set({ CENSUS_API_KEY: 'none', PORTMIS_SERVICE_KEY: 'none', MPA_API_KEY: 'none' });
  await session.rehearse('settings.md', 'Settings of a stage');
  await session.rehearse('settings.md', 'Keys of sources');
  await page('3. Deploy');
  // What the CDK builds before each synthesis is built now.
  session.set({ CDK_BUILD: 'true' });
  report('deployed four stacks and uploaded the portal');

  await page('4. A key and the first response');
  const starter: IssuedKey = { id: await session.get('KEY_ID'), secret: await session.get('KEY') };
  const lite = await createKey(session, 'lite', 'emulated-lite');
  const keySync = await output('api', 'KeySyncFunctionName');
  const reconcile = () => account.invoke(keySync, { reason: 'emulated deploy' });
  assert.deepEqual(await reconcile(), { written: 0, removed: 0, unchanged: 2, ignored: 0, held: 0 });
  report('created two keys, which the key command has already reconciled');

  const archive = await output('data', 'RawArchiveName');
  await ingestRecordings(account, archive, await output('ingest', 'IngestFunctionName'));
  const ages = await account.invoke(await output('ingest', 'WatchFunctionName'), {
    reason: 'emulated deploy',
  });
  assert(Number(ages['tipc-taiwan']) < 60 && Number(ages['hk-marine-department']) > 60 * 24);
  report('the watch counts a source that was never fetched from now, the others from their last good fetch');
  const ask = openApi(endpoint, await output('api', 'ApiId'), STAGE);
  const readAll = () => readEveryEndpoint(ask, starter.secret);
  await readAll();
  await release(walk);
  await meetRefusals(ask, starter.secret, lite.secret);
  await followRunbook(walk, starter.secret, readAll);
  await followKeysPage(walk, lite);
  expectStatus(await ask('/v1/ports', lite.secret), 200);

  const plan = await output('api', 'StarterPlanId');
  await account.setBurst(plan, 5);
  await reconcile();
  await exceedBurst(ask, starter.secret);
  const stacks = () =>
    session.run('aws cloudformation describe-stacks --query "Stacks[].[StackName,Outputs]"');
  const outputs = await stacks();
  const atOnce = join(folder, 'at-once');
  synthesizeChecksAtOnce(atOnce);
  await assert.rejects(
    session.run(`npx cdk deploy pcd-${STAGE}-api --exclusively --app ${atOnce}`),
    /TooManyRequestsException/,
  );
  report('checks of all functions at once fail in an account with a concurrency of 10');
  const throttledBefore = await throttledInvocations(session);
  await session.run(
    `npx cdk deploy --all -c stage=${STAGE} -c apiGatewayLogRole=true -c responseCacheSeconds=0`,
  );
  assert.equal(await stacks(), outputs);
  assert.equal(await account.burstOf(plan), 5);
  const throttled = (await throttledInvocations(session)) - throttledBefore;
  report(
    `deployed another setting with three checks at a time, which repeated ${throttled} throttled invocations: the same outputs, and the burst that the console set stays`,
  );

  const broken = join(folder, 'broken');
  synthesizeBrokenTrend(broken, join(folder, 'broken-handlers'));
  const versions = () => account.versionsBehind('live');
  const live = await versions();
  await assert.rejects(session.run(`npx cdk deploy --all --app ${broken}`), /reports for trend: Failed/);
  assert.deepEqual(await versions(), live);
  expectStatus(await ask('/v1/ports/HKHKG/trend?days=30&until=2025-10-04', starter.secret), 200);
  report(
    'a release with a broken trend was refused: its stack is rolled back, and every alias is where it was',
  );
  await session.rehearse('releases.md', 'Production, by GitHub Actions');
  await session.rehearse('releases.md', 'A version is refused');
  const edited = join(folder, 'edited');
  synthesizeEditedPlan(edited, 400);
  await session.run(`npx cdk deploy --all --app ${edited}`);
  assert.equal(await stacks(), outputs);
  assert.equal(await account.burstOf(plan), 400);
  await reconcile();
  expectStatus(await ask('/v1/ports', starter.secret), 200);
  report('deployed an edited plan: the key is still on it, at the same address');

  return {
    ask: (path) => ask(path, starter.secret),
    async remove() {
      session.set({ STAGE });
      await smoke(walk, endpoint, folder);
      await session.rehearse('remove-a-stage.md', 'Remove a stage');
      await session.rehearse('remove-a-stage.md', 'A dev stage');
      const left = await account.leftovers(`pcd-${STAGE}-`);
      assert.deepEqual(
        left.filter((name) => !PROD.test(name)),
        [],
      );
      report('removed the dev stage: no bucket, table, function, key or API is left');
    },
  };
}
