/** The store's client: its timeouts and its credentials. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StoreFailure, type Table } from '../../core/store/table.ts';
import { createStoreClient, openTables } from '../../core/store/tables.ts';
import { defaultProvider } from '../../lambdas/function-credentials.ts';

const closing: (() => void)[] = [];
const endpointBefore = process.env.AWS_ENDPOINT_URL_DYNAMODB;
beforeEach(() => {
  closing.length = 0;
});
afterEach(() => {
  for (const close of closing) close();
  if (endpointBefore === undefined) delete process.env.AWS_ENDPOINT_URL_DYNAMODB;
  else process.env.AWS_ENDPOINT_URL_DYNAMODB = endpointBefore;
});

async function tableAt(listener: RequestListener, responseMs: number): Promise<Table> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env.AWS_ENDPOINT_URL_DYNAMODB = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createStoreClient(responseMs);
  closing.push(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  return openTables(client, { ports: 'ports' }).ports;
}

const failing =
  (status: number, error: string): RequestListener =>
  (_request, response) =>
    response
      .writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' })
      .end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${error}`, message: 'planted' }));

describe('a store that', () => {
  it.each<[what: string, attempts: number, listener: RequestListener]>([
    ['never responds', 2, () => {}],
    ['breaks the connection', 2, (_request, response) => response.socket?.destroy()],
    ['fails', 2, failing(500, 'InternalServerError')],
    ['throttles', 2, failing(400, 'ProvisionedThroughputExceededException')],
    ['sends a web page', 1, (_request, response) => response.end('<html>gateway</html>')],
  ])('%s is given up after %i attempts, as a StoreFailure', async (what, attempts, listener) => {
    let asked = 0;
    const table = await tableAt(
      (request, response) => {
        asked += 1;
        listener(request, response);
      },
      what === 'never responds' ? 500 : 30_000,
    );
    await expect(table.get({ port: 'USLAX' })).rejects.toThrow(StoreFailure);
    expect(asked).toBe(attempts);
  });
});

describe('the credentials of a function', () => {
  const environment = process.env;
  afterEach(() => {
    process.env = environment;
  });

  it('are read from the environment once', async () => {
    process.env = { ...environment, AWS_ACCESS_KEY_ID: 'first', AWS_SECRET_ACCESS_KEY: 'secret' };
    const provide = defaultProvider();
    const first = await provide();
    expect(first).toMatchObject({ accessKeyId: 'first', secretAccessKey: 'secret' });
    process.env.AWS_ACCESS_KEY_ID = 'second';
    expect(await provide()).toBe(first);
  });

  it('are an error where the environment has none', async () => {
    process.env = { ...environment, AWS_ACCESS_KEY_ID: '' };
    await expect(defaultProvider()()).rejects.toThrow('environment variable credentials');
  });
});
