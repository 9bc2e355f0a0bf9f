/** A prod stage: restored from the dev stage, destroyed, adopted, and retired for good. */
import assert from 'node:assert/strict';
import { expectStatus, report } from './checks.ts';
import type { DevStage } from './dev-walk.ts';
import type { Emulator } from './emulator.ts';
import type { Session } from './session.ts';
import { type Account, openApi } from './stage.ts';

const STAGE = 'prod';

/** Requests whose responses depend on tables alone. */
const READS = [
  '/v1/meta/sources',
  '/v1/ports',
  '/v1/alerts',
  '/v1/ports/FIRAU/snapshot',
  '/v1/ports/HKHKG/dwell?days=3&until=2025-10-04',
  '/v1/ports/HKHKG/waits?from=2025-10-01&to=2025-10-04',
  '/v1/hs/94/imports',
];

export async function walkProd(
  { endpoint }: Emulator,
  account: Account,
  session: Session,
  dev: DevStage,
): Promise<void> {
  const page = (heading: string) => session.rehearse('remove-a-stage.md', heading);
  const output = async (part: string, name: string) => (await session.run(`output ${part} ${name}`)).trim();
  session.set({ STAGE });
  await session.run(
    'npx cdk bootstrap aws://$ACCOUNT/$REGION --qualifier pcd$STAGE --toolkit-stack-name CDKToolkit-pcd-$STAGE',
  );
  await session.run('npx cdk deploy --all -c stage=$STAGE');
  const text = await session.run('npm run --silent keys -- create --plan pro --name owner --stage $STAGE');
  const [, secret] = /^secret +(\S+)$/m.exec(text) ?? [];
  report('deployed a prod stage with a key');
  await session.rehearse('runbook.md', 'Into a fresh stage');
  report('restored the tables and the archive of dev into it');
  const ask = openApi(endpoint, await output('api', 'ApiId'), STAGE);
  const snapshot = async () => expectStatus(await ask('/v1/ports/FIRAU/snapshot', secret), 200).text;
  const names = () =>
    session.run(`aws cloudformation describe-stacks --query \\
      "Stacks[?contains(StackName,'-data') || contains(StackName,'-api')].sort_by(Outputs,&OutputKey)[].[OutputKey,OutputValue]"`);
  const archived = (await account.list(await output('data', 'RawArchiveName'))).length;
  assert(archived > 0);
  for (const path of READS)
    assert.equal(
      expectStatus(await ask(path, secret), 200).text,
      expectStatus(await dev.ask(path), 200).text,
    );
  report(`prod responds as dev does to ${READS.length} requests, and its archive has ${archived} objects`);
  await dev.remove();
  session.set({ STAGE });
  const [figures, addresses] = [await snapshot(), await names()];

  await session.rehearse('releases.md', 'Two stages in one account');
  await page('A prod stage');
  assert.notDeepEqual(await account.leftovers(`pcd-${STAGE}-`), []);
  report('destroyed it: tables, buckets and the API with its plans are left');
  await page('Adopt what a stage left');
  assert.equal(await names(), addresses);
  assert.equal(await snapshot(), figures);
  report('adopted what was left: the same address, tables, plans, key and figures');

  await page('A prod stage');
  await page('Retire a stage for good');
  assert.deepEqual(await account.leftovers(`pcd-${STAGE}-`), []);
  report('retired it for good: nothing is left');
}
