/** The store's client: its timeouts, what it sends, and its credentials. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { defaultProvider } from '../../core/store/function-credentials.ts';
import { createStoreClient, openTables } from '../../core/store/open-tables.ts';
import { StoreFailure, type Table } from '../../core/store/table.ts';

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

describe('a store that never responds', () => {
  it('is given up after two attempts, as a StoreFailure', async () => {
    let asked = 0;
    const table = await tableAt(() => {
      asked += 1;
    }, 50);
    await expect(table.get({ port: 'USLAX' })).rejects.toThrow(StoreFailure);
    expect(asked).toBe(2);
  });
});

describe('calls of one client at the same time', () => {
  it('each get their own response', async () => {
    const table = await tableAt((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        const { Key } = JSON.parse(body) as { Key: unknown };
        // Later requests get earlier responses.
        const { port } = Key as { port: { S: string } };
        setTimeout(() => response.end(JSON.stringify({ Item: Key })), 40 - Number(port.S.slice(1)));
      });
    }, 2000);
    const ports = Array.from({ length: 40 }, (_, at) => `P${at}`);
    const rows = await Promise.all(ports.map((port) => table.get({ port })));
    expect(rows.map((row) => row?.port)).toEqual(ports);
  });
});

describe('a call', () => {
  it('is signed, and states neither the version of the SDK nor a trace', async () => {
    const headers: string[] = [];
    const table = await tableAt((request, response) => {
      headers.push(...Object.keys(request.headers));
      response.end('{}');
    }, 2000);
    await table.get({ port: 'USLAX' });
    expect(headers).toContain('authorization');
    expect(headers.filter((name) => /user-agent|trace/.test(name))).toEqual([]);
  });

  it('finds the configuration in the form that V8 copies fast', () => {
    setFlagsFromString('--allow-natives-syntax');
    const isFast = new Function('object', 'return %HasFastProperties(object)') as (object: object) => boolean;
    const client = createStoreClient();
    closing.push(() => client.destroy());
    openTables(client, { ports: 'ports' });
    expect(isFast(client.config)).toBe(true);
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
