/** The smoke test at the address of the deployed stage, with the data and the clock of the recordings, and a key for each case. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { formatInstant, type Instant } from '../../core/reference/time.ts';
import { importRelease } from '../../core/release/import-release.ts';
import { openRelease } from '../../core/release/release-reader.ts';
import { hkMarineDepartmentDeclaration } from '../../core/sources/hk-marine-department/declaration.ts';
import { INGEST_TABLES, type IngestTableId, openTables, TABLES } from '../../core/store/tables.ts';
import { readReplay } from '../../local/ingest.ts';
import { RECORDINGS } from '../builders/recordings.ts';
import { ingestRecordings, report } from './checks.ts';
import { createKey, type IssuedKey, newRelease, STAGE, type Walk } from './dev-stage.ts';
import { CREDENTIALS, REGION } from './emulator.ts';
import { addressOf } from './stage.ts';

/** Rows that passed when this was first run; fewer means that rows no longer run at an address. */
const ROWS_AT_LEAST = 251;

/** The limits that the rows about limits and quotas need. */
const SMALL_PLAN = { burst: 5, monthlyQuota: 20 } as const;

/** As `npm start` has them: the release first, because it can only be the beginning of empty tables. */
async function beginWithRecordings(
  { account, session, output }: Walk,
  endpoint: string,
  nowAt: Instant,
): Promise<void> {
  await session.run('variables > cdk.out/to.json; npm run --silent restore -- --empty --to cdk.out/to.json');
  const variables: Record<string, string> = JSON.parse(readFileSync('cdk.out/to.json', 'utf8'));
  const names = INGEST_TABLES.map((id) => [id, variables[TABLES[id].variable]]);
  const client = new DynamoDBClient({ endpoint, region: REGION, credentials: CREDENTIALS });
  const tables = openTables(client, Object.fromEntries(names) as Record<IngestTableId, string>);
  await importRelease(await openRelease(join(RECORDINGS, 'release')), tables, Date.now);
  client.destroy();
  await ingestRecordings(
    account,
    await output('data', 'RawArchiveName'),
    await output('ingest', 'IngestFunctionName'),
    formatInstant(nowAt),
  );
}

/** Deploys the stage with the clock of every function at `at`; returns the milliseconds by which it is ahead. */
async function setClock({ session }: Walk, outdir: string, at: Instant): Promise<number> {
  const offsetMs = at - Date.now();
  const { app } = newRelease(outdir);
  for (const node of app.node.findAll())
    if (node instanceof CfnFunction && node.runtime?.startsWith('nodejs') && node.environment !== undefined)
      node.addPropertyOverride('Environment.Variables.CLOCK_OFFSET_MS', String(offsetMs));
  app.synth();
  await session.run(`npx cdk deploy --all --app ${outdir}`);
  return offsetMs;
}

interface SmokeKeys {
  readonly keys: Readonly<Record<'key' | 'lite' | 'disabled' | 'unplanned' | 'small', string>>;
  remove(): Promise<void>;
}

/** A key for each case of the suite. */
async function makeKeys({ account, session, output }: Walk): Promise<SmokeKeys> {
  const make = (plan: string, name: string): Promise<IssuedKey> => createKey(session, plan, `smoke-${name}`);
  const [pro, lite] = [await make('pro', 'pro'), await make('lite', 'lite')];
  const [disabled, unplanned] = [await make('lite', 'disabled'), await make('lite', 'unplanned')];
  const small = await make('lite', 'small');
  const litePlan = await output('api', 'LitePlanId');
  const apiId = await output('api', 'ApiId');
  // The suite waits for tokens otherwise, for minutes.
  await account.setBurst(await output('api', 'ProPlanId'), 5000);
  await account.disableKey(disabled.id);
  await account.takeOffPlan(litePlan, unplanned.id);
  await account.takeOffPlan(litePlan, small.id);
  const smallPlan = await account.createPlan(`${STAGE} small`, 'lite', { apiId, stage: STAGE }, SMALL_PLAN);
  await account.putOnPlan(smallPlan, small.id);
  await account.invoke(await output('api', 'KeySyncFunctionName'), { reason: 'smoke test' });
  const secrets = { key: pro, lite, disabled, unplanned, small };
  return {
    keys: Object.fromEntries(
      Object.entries(secrets).map(([name, { secret }]) => [name, secret]),
    ) as SmokeKeys['keys'],
    async remove() {
      await account.takeOffPlan(smallPlan, small.id);
      await account.deletePlan(smallPlan);
    },
  };
}

const functionBehindImports = async ({ session }: Walk): Promise<string> => {
  const said =
    await session.run(`aws cloudformation list-stack-resources --stack-name pcd-${STAGE}-api --output text --query \\
      "StackResourceSummaries[?ResourceType=='AWS::Lambda::Function' && starts_with(LogicalResourceId,'HsImports')].PhysicalResourceId"`);
  return said.trim();
};

export async function smoke(walk: Walk, endpoint: string, folder: string): Promise<void> {
  const { session, output } = walk;
  const { nowAt } = readReplay(RECORDINGS, (id) => id === hkMarineDepartmentDeclaration.id);
  await beginWithRecordings(walk, endpoint, nowAt);
  const offsetMs = await setClock(walk, join(folder, 'at-recordings'), nowAt);
  report('deployed the stage with the clock of the recordings');
  const { keys, remove } = await makeKeys(walk);
  const url = addressOf(endpoint, await output('api', 'ApiId'), STAGE);
  const given = Object.entries({ ...keys, breakable: await functionBehindImports(walk) });
  const said = await session.run(
    `npm run --silent smoke -- --url ${url} --clock-offset=${offsetMs} --at-least ${ROWS_AT_LEAST} ${given.map((option) => `--${option.join(' ')}`).join(' ')}`,
  );
  console.log(said);
  assert.match(said, /^smoke: \d+ passed, 0 failed/m);
  await remove();
  report('ran the conformance suite at the address of the stage');
}
