/** What dynalite leaves open of level, and what closes it. */
import { createRequire } from 'node:module';
import type { Server } from 'node:net';
import { DynamoDBClient, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from '@jest/globals';
import { closeOnReturn } from '../../../local/level-iterators.mjs';
import { createTables } from '../../../local/tables.ts';
import { listening } from '../../builders/loopback.ts';

const require = createRequire(import.meta.url);
const requireOfDynalite = createRequire(require.resolve('dynalite'));
const abstractLevel = createRequire(requireOfDynalite.resolve('level'))('abstract-level');
const dynalite = require('dynalite') as (options: object) => Server;

const TableName = 'things';

/** Iterators that were closed of those that a number of queries opened. */
async function closedBy(queries: number): Promise<number> {
  const { prototype } = abstractLevel.AbstractValueIterator;
  const close = prototype.close;
  let closed = 0;
  prototype.close = function (this: unknown) {
    closed += 1;
    return close.call(this);
  };
  const server = dynalite({ createTableMs: 0 });
  const { origin: endpoint, close: stop } = await listening(server);
  const client = new DynamoDBClient({ endpoint });
  try {
    await createTables(endpoint, [
      {
        name: TableName,
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      },
    ]);
    await client.send(new PutItemCommand({ TableName, Item: { id: { S: 'a' } } }));
    closed = 0;
    const query = { KeyConditionExpression: 'id = :id', ExpressionAttributeValues: { ':id': { S: 'a' } } };
    for (let n = 0; n < queries; n += 1)
      expect(await client.send(new QueryCommand({ TableName, ...query }))).toMatchObject({ Count: 1 });
    return closed;
  } finally {
    prototype.close = close;
    client.destroy();
    await stop();
  }
}

it('every query closes its iterator, which dynalite by itself leaves open', async () => {
  expect(await closedBy(5)).toBe(0);
  closeOnReturn(abstractLevel);
  expect(await closedBy(5)).toBe(5);
});
