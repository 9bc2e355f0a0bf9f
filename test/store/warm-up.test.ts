/** What a function asks of the store before its first request. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { TABLES } from '../../core/store/tables.ts';
import { ENDPOINTS } from '../../lambdas/endpoints/endpoints.ts';
import { endpointHandler } from '../../lambdas/endpoints/keyed-handler.ts';
import { storeWiring } from '../../lambdas/function-tables.ts';

const environment = process.env;
afterEach(() => {
  process.env = environment;
});

it('a function on Lambda calls the store once while it is initialized, in vain or not', async () => {
  const called = new Promise<string>((resolve) => {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        response.writeHead(400, { connection: 'close' }).end('{}');
        server.close(() => resolve(`${request.headers['x-amz-target']} ${body}`));
      });
    });
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      process.env = {
        ...environment,
        ...Object.fromEntries(Object.values(TABLES).map(({ variable }) => [variable, variable])),
        AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${port}`,
        AWS_REGION: 'local',
      };
      endpointHandler('trend', ENDPOINTS.trend, storeWiring(process.env));
    });
  });
  expect(await called).toMatch(/^DynamoDB_20120810\.GetItem .*"TableName":"RATE_LIMITS_TABLE"/);
});
