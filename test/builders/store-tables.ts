/** Tables for a test: in the embedded store, or at the endpoint that AWS_ENDPOINT_URL_DYNAMODB names. */
import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import type { Table } from '../../core/store/table.ts';
import { openTables, TABLES, type TableDefinition, type TableId } from '../../core/store/tables.ts';
import { startEmbeddedStore } from '../../local/embedded-store.ts';

export interface TestStore<I extends TableId> {
  readonly endpoint: string;
  readonly tables: Record<I, Table>;
  /** The same tables through another client, as in another function instance. */
  anotherInstance(): Record<I, Table>;
  close(): Promise<void>;
}

const WAIT = { maxWaitTime: 10, minDelay: 0.05, maxDelay: 0.05 } as const;

async function createTable(client: DynamoDBClient, id: TableId, TableName: string): Promise<void> {
  const { partitionKey, sortKey }: TableDefinition = TABLES[id];
  const keys = sortKey === undefined ? [partitionKey] : [partitionKey, sortKey];
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: keys.map((AttributeName, at) => ({ AttributeName, KeyType: at === 0 ? 'HASH' : 'RANGE' })),
    }),
  );
  await waitUntilTableExists({ client, ...WAIT }, { TableName });
}

/** Fresh, empty tables under names of their own. */
export async function startTestStore<I extends TableId>(ids: readonly I[]): Promise<TestStore<I>> {
  const given = process.env.AWS_ENDPOINT_URL_DYNAMODB;
  const embedded = given === undefined ? await startEmbeddedStore({ directory: undefined }) : undefined;
  const endpoint = embedded?.endpoint ?? given ?? '';
  const clients: DynamoDBClient[] = [];
  const connect = (): DynamoDBClient => {
    const client = new DynamoDBClient({ endpoint });
    clients.push(client);
    return client;
  };
  const run = randomUUID();
  const names = Object.fromEntries(ids.map((id) => [id, `test-${run}-${id}`])) as Record<I, string>;
  const open = () => openTables(connect(), names);
  const maker = connect();
  await Promise.all(ids.map((id) => createTable(maker, id, names[id])));
  return {
    endpoint,
    tables: open(),
    anotherInstance: open,
    async close() {
      for (const client of clients) client.destroy();
      await embedded?.close();
    },
  };
}
