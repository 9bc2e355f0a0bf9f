/** Creates the template's tables in the embedded store. Tables that exist keep their rows. */
import { StartError } from '../start-error.ts';
import type { TableModel } from '../template/service-model.ts';

interface StoreReply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Calls one DynamoDB operation. The embedded store needs a signature but does not check it. */
async function call(endpoint: string, operation: string, input: unknown): Promise<StoreReply> {
  const reply = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
      'x-amz-date': '19700101T000000Z',
      authorization: 'AWS4-HMAC-SHA256 Credential=local, SignedHeaders=host, Signature=none',
    },
    body: JSON.stringify(input),
  });
  return { status: reply.status, body: (await reply.json()) as StoreReply['body'] };
}

const keyNames = (keySchema: unknown): string =>
  (keySchema as TableModel['KeySchema']).map((key) => `${key.AttributeName} ${key.KeyType}`).join(', ');

function refuseOtherKeys(table: TableModel, found: unknown): void {
  const { KeySchema } = found as { KeySchema: unknown };
  if (keyNames(KeySchema) === keyNames(table.KeySchema)) return;
  throw new StartError(
    `table ${table.name} in the data directory has other keys (${keyNames(KeySchema)}) than the template ` +
      `(${keyNames(table.KeySchema)}): remove the directory or name another --data-dir`,
  );
}

async function waitUntilActive(endpoint: string, name: string): Promise<void> {
  for (;;) {
    const { body } = await call(endpoint, 'DescribeTable', { TableName: name });
    if ((body.Table as { TableStatus?: string } | undefined)?.TableStatus === 'ACTIVE') return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function createTable(endpoint: string, table: TableModel): Promise<void> {
  const existing = await call(endpoint, 'DescribeTable', { TableName: table.name });
  if (existing.status === 200) return refuseOtherKeys(table, existing.body.Table);
  const { name, ...properties } = table;
  const created = await call(endpoint, 'CreateTable', { TableName: name, ...properties });
  if (created.status !== 200)
    throw new StartError(`table ${name} cannot be created: ${JSON.stringify(created.body)}`);
  await waitUntilActive(endpoint, name);
}

/** Idempotent. Throws `StartError` when a table on disk has other keys than in the template. */
export async function createTables(endpoint: string, tables: readonly TableModel[]): Promise<void> {
  await Promise.all(tables.map((table) => createTable(endpoint, table)));
}
