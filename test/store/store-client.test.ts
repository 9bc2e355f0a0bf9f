/** The client of the tables against a server that responds as DynamoDB does, well and badly. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, it } from '@jest/globals';
import { openStoreClient, type StoreClient, StoreError } from '../../core/store/store-client.ts';

interface Heard {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server that notes what it hears and responds as `respond` says. */
async function serverThat(respond: (response: ServerResponse, count: number) => void) {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      heard.push({ headers: request.headers, body });
      respond(response, heard.length);
    });
  });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { endpoint, heard, connections: () => connections };
}

const CREDENTIALS = { accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: 'token' };
const REGION = 'eu-west-1';

function clientOf(endpoint: string, credentials = () => CREDENTIALS): StoreClient {
  const client = openStoreClient({ connection: { endpoint, region: REGION, credentials }, answerMs: 2000 });
  closing.push(() => client.close());
  return client;
}

const error = (response: ServerResponse, status: number, type: string): void => {
  response.writeHead(status).end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}` }));
};

const KEY = { port: { S: 'HKHKG' } };
const GET = { TableName: 'ports', Key: KEY, ConsistentRead: false };

describe('a request', () => {
  it('is the same on the wire as the SDK’s: target, type, and what is in it', async () => {
    const { endpoint, heard } = await serverThat((response) => response.end('{}'));
    const sdk = new DynamoDBClient({ endpoint, region: REGION, credentials: CREDENTIALS });
    closing.push(() => sdk.destroy());
    const client = clientOf(endpoint);
    const update = {
      TableName: 'rateLimits',
      Key: { digest: { S: 'é\u{1f6a2}"\\' } },
      UpdateExpression: 'SET tat = :t',
      ExpressionAttributeValues: { ':t': { N: '1764000000000000' } },
      ReturnValues: 'UPDATED_NEW' as const,
    };
    const query = { TableName: 'days', KeyConditionExpression: '#p = :p', Limit: 3, ScanIndexForward: false };
    const batchGet = { RequestItems: { ports: { Keys: [KEY], ConsistentRead: true } } };
    const batchWrite = { RequestItems: { ports: [{ PutRequest: { Item: KEY } }] } };
    await client.call('GetItem', GET);
    await sdk.send(new GetItemCommand(GET));
    await client.call('UpdateItem', update);
    await sdk.send(new UpdateItemCommand(update));
    await client.call('Query', query);
    await sdk.send(new QueryCommand(query));
    await client.call('BatchGetItem', batchGet);
    await sdk.send(new BatchGetItemCommand(batchGet));
    await client.call('BatchWriteItem', batchWrite);
    await sdk.send(new BatchWriteItemCommand(batchWrite));
    expect(heard).toHaveLength(10);
    for (let at = 0; at < heard.length; at += 2) {
      const [own, other] = [heard[at], heard[at + 1]];
      expect(JSON.parse(own?.body ?? '')).toEqual(JSON.parse(other?.body ?? ''));
      for (const name of ['host', 'content-type', 'x-amz-target', 'x-amz-security-token'])
        expect([name, own?.headers[name]]).toEqual([name, other?.headers[name]]);
      expect(own?.headers['content-length']).toBe(String(Buffer.byteLength(own?.body ?? '')));
      expect(own?.headers.authorization).toMatch(
        /^AWS4-HMAC-SHA256 Credential=id\/\d{8}\/eu-west-1\/dynamodb\//,
      );
    }
  });

  it('goes over the connection of the one before it, with the credentials of the moment', async () => {
    const { endpoint, heard, connections } = await serverThat((response) => response.end('{}'));
    let turn = 0;
    const client = clientOf(endpoint, () => {
      turn += 1;
      return { ...CREDENTIALS, accessKeyId: `id${turn}` };
    });
    for (let n = 0; n < 3; n += 1) await client.call('GetItem', GET);
    expect(connections()).toBe(1);
    expect(heard.map(({ headers }) => /Credential=(\w+)/.exec(headers.authorization ?? '')?.[1])).toEqual([
      'id1',
      'id2',
      'id3',
    ]);
  });
});

describe('a request that fails', () => {
  it.each([
    [400, 'ProvisionedThroughputExceededException'],
    [400, 'ThrottlingException'],
    [400, 'RequestLimitExceeded'],
    [500, 'InternalServerError'],
    [503, 'ServiceUnavailable'],
  ])('with %d %s is sent once more', async (status, type) => {
    const { endpoint, heard } = await serverThat((response, count) =>
      count === 1 ? error(response, status, type) : response.end('{"Item":{}}'),
    );
    expect(await clientOf(endpoint).call('GetItem', GET)).toEqual({ Item: {} });
    expect(heard).toHaveLength(2);
    expect(heard[1]?.body).toBe(heard[0]?.body);
  });

  it('because the server closed the connection that it was sent on is sent once more', async () => {
    const { endpoint, connections } = await serverThat((response, count) =>
      count === 2 ? response.socket?.destroy() : response.end('{}'),
    );
    const client = clientOf(endpoint);
    await client.call('GetItem', GET);
    expect(await client.call('GetItem', GET)).toEqual({});
    expect(connections()).toBe(2);
  });

  it.each([
    [400, 'ConditionalCheckFailedException'],
    [400, 'ResourceNotFoundException'],
    [400, 'ValidationException'],
    [400, 'AccessDeniedException'],
  ])('with %d %s is not sent again, and rejects under that name', async (status, type) => {
    const { endpoint, heard } = await serverThat((response) => error(response, status, type));
    const failed = clientOf(endpoint).call('GetItem', GET);
    await expect(failed).rejects.toBeInstanceOf(StoreError);
    await expect(failed).rejects.toMatchObject({ name: type, status });
    expect(heard).toHaveLength(1);
  });

  it('with something that is no DynamoDB error rejects with the status', async () => {
    const { endpoint } = await serverThat((response) => response.writeHead(403).end('<html>proxy</html>'));
    await expect(clientOf(endpoint).call('GetItem', GET)).rejects.toThrow('status 403');
  });

  it('again and again is not retried any more, until requests succeed', async () => {
    let down = true;
    const { endpoint, heard } = await serverThat((response) =>
      down ? error(response, 500, 'InternalServerError') : response.end('{}'),
    );
    const client = clientOf(endpoint);
    const failing = () => client.call('GetItem', GET).catch(() => undefined);
    await Promise.all(Array.from({ length: 120 }, failing));
    // A retry takes 5 of the 500 that a client has.
    expect(heard).toHaveLength(120 + 100);
    await failing();
    expect(heard).toHaveLength(221);
    down = false;
    for (let n = 0; n < 5; n += 1) await client.call('GetItem', GET);
    down = true;
    heard.length = 0;
    await failing();
    expect(heard).toHaveLength(2);
  });
});

describe('a server that cannot be reached', () => {
  it('is tried twice, and the error names the reason', async () => {
    const { endpoint } = await serverThat((response) => response.end('{}'));
    for (const close of closing.splice(0)) close();
    await expect(clientOf(endpoint).call('GetItem', GET)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
