/** A prod stage: destroyed, adopted, and retired for good. */
import assert from 'node:assert/strict';
import { expectStatus, ingestRecordings, report } from './checks.ts';
import type { Emulator } from './emulator.ts';
import type { Session } from './session.ts';
import { type Account, openApi } from './stage.ts';

const STAGE = 'prod';

export async function walkProd({ endpoint }: Emulator, account: Account, session: Session): Promise<void> {
  const page = (heading: string) => session.rehearse('deploy.md', heading);
  const output = async (part: string, name: string) => (await session.run(`output ${part} ${name}`)).trim();
  session.set({ STAGE });
  await session.run(
    'npx cdk bootstrap -c stage=$STAGE --qualifier pcd$STAGE --toolkit-stack-name CDKToolkit-pcd-$STAGE',
  );
  await session.run('npx cdk deploy --all -c stage=$STAGE');
  const text = await session.run('npm run --silent keys -- create --plan pro --name owner --stage $STAGE');
  const [, secret] = /^secret +(\S+)$/m.exec(text) ?? [];
  await ingestRecordings(
    account,
    await output('data', 'RawArchiveName'),
    await output('ingest', 'IngestFunctionName'),
    ['fintraffic-digitraffic'],
  );
  const ask = openApi(endpoint, await output('api', 'ApiId'), STAGE);
  const snapshot = async () => expectStatus(await ask('/v1/ports/FIRAU/snapshot', secret), 200).text;
  const names = () =>
    session.run(`aws cloudformation describe-stacks --query \\
      "Stacks[?contains(StackName,'-data') || contains(StackName,'-api')].sort_by(Outputs,&OutputKey)[].[OutputKey,OutputValue]"`);
  const [figures, addresses] = [await snapshot(), await names()];
  report('deployed a prod stage with a key and recorded data');

  await page('Two stages in one account');
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
