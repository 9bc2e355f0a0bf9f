/** Where a source's key comes from: its own variable, else Secrets Manager, else there is none. */
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, expect, it } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import { usCensusTradeDeclaration } from '../../../core/sources/us-census-trade/declaration.ts';
import { INGEST_TABLES, TABLES } from '../../../core/store/tables.ts';
import { storeWiring } from '../../../lambdas/function-tables.ts';
import { AWS_SERVICES } from '../../../lambdas/ingest/aws.ts';
import { openIngestDependencies } from '../../../lambdas/ingest/dependencies.ts';

const NAMES = {
  ...Object.fromEntries(INGEST_TABLES.map((id) => [TABLES[id].variable, id])),
  RAW_ARCHIVE: 'file:///nowhere',
};
const manager = mockClient(SecretsManagerClient);
manager.on(GetSecretValueCommand).resolves({ SecretString: 'from the manager' });
afterAll(() => manager.restore());

const BOTH = { CENSUS_API_KEY: 'own', CENSUS_API_KEY_SECRET_NAME: 'pcd/dev/census-api-key' };
it.each([
  ['its own variable first', BOTH, 'own', []],
  [
    'Secrets Manager',
    { ...BOTH, CENSUS_API_KEY: '' },
    'from the manager',
    [{ SecretId: 'pcd/dev/census-api-key' }],
  ],
  ['nowhere', {}, undefined, []],
])('the key of the Census comes from %s', async (_where, variables, secret, questions) => {
  manager.resetHistory();
  const dependencies = openIngestDependencies(storeWiring({ ...NAMES, ...variables }), 'test', AWS_SERVICES);
  expect(await dependencies.secretFor(usCensusTradeDeclaration)).toBe(secret);
  expect(manager.calls().map(({ args }) => args[0].input)).toEqual(questions);
});
