/** Where a source's key comes from: its own variable, else Secrets Manager, else there is none. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { usCensusTradeDeclaration } from '../../../core/sources/us-census-trade/declaration.ts';
import { INGEST_TABLES, TABLES } from '../../../core/store/tables.ts';
import { openIngestDependencies } from '../../../lambdas/ingest/dependencies.ts';

const NAMES = {
  ...Object.fromEntries(INGEST_TABLES.map((id) => [TABLES[id].variable, id])),
  RAW_ARCHIVE: 'file:///nowhere',
};
let manager: Server;
let asked: unknown[];

beforeEach(async () => {
  asked = [];
  manager = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      asked.push(JSON.parse(body));
      response.setHeader('content-type', 'application/x-amz-json-1.1');
      response.end(JSON.stringify({ SecretString: 'from the manager' }));
    });
  });
  await new Promise<void>((resolve) => manager.listen(0, '127.0.0.1', resolve));
  const { port } = manager.address() as AddressInfo;
  process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER = `http://127.0.0.1:${port}`;
});
afterEach(async () => {
  delete process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER;
  manager.closeAllConnections();
  await new Promise((resolve) => manager.close(resolve));
});

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
  const dependencies = openIngestDependencies({ ...NAMES, ...variables }, 'test');
  expect(await dependencies.secretFor(usCensusTradeDeclaration)).toBe(secret);
  expect(asked).toEqual(questions);
});
