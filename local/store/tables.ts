/** Creates the template's tables in the embedded store. Tables that exist keep their rows. */
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { StartError } from '../start-error.ts';
import type { TableModel } from '../template/service-model.ts';

const POLL_MS = 5;

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.string() }));
const description = z.object({ Table: z.object({ TableStatus: z.string(), KeySchema: keySchema }) });

/** Calls one DynamoDB operation. The embedded store needs a signature but does not check it. */
async function call(endpoint: string, operation: string, input: object) {
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
  const json: unknown = await reply.json();
  return { ok: reply.ok, json };
}

async function describeTable(endpoint: string, TableName: string) {
  const { ok, json } = await call(endpoint, 'DescribeTable', { TableName });
  return ok ? description.parse(json).Table : undefined;
}

const keyNames = (keys: z.output<typeof keySchema>): string =>
  keys.map((key) => `${key.AttributeName} ${key.KeyType}`).join(', ');

async function createTable(endpoint: string, { name, ...properties }: TableModel): Promise<void> {
  const existing = await describeTable(endpoint, name);
  if (existing === undefined) {
    const { ok, json } = await call(endpoint, 'CreateTable', { TableName: name, ...properties });
    if (!ok) throw new StartError(`table ${name} cannot be created: ${JSON.stringify(json)}`);
    while ((await describeTable(endpoint, name))?.TableStatus !== 'ACTIVE') await delay(POLL_MS);
    return;
  }
  const [found, wanted] = [keyNames(existing.KeySchema), keyNames(properties.KeySchema)];
  if (found !== wanted)
    throw new StartError(
      `table ${name} in the data directory has other keys (${found}) than the template ` +
        `(${wanted}): remove the directory or name another --data-dir`,
    );
}

/** Idempotent. Throws `StartError` when a table on disk has other keys than in the template. */
export async function createTables(endpoint: string, tables: readonly TableModel[]): Promise<void> {
  await Promise.all(tables.map((table) => createTable(endpoint, table)));
}
