/** The tables of one machine: their names, a client of the store, and their creation. Tables that exist keep their rows. */
import { setTimeout as delay } from 'node:timers/promises';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import {
  createStoreClient,
  openTables,
  PATIENT_RESPONSE_MS,
  TABLES,
  type TableDefinition,
  type TableId,
} from '../core/store/tables.ts';
import type { OpenTables } from '../lambdas/wiring.ts';
import { StartError } from './command-line.ts';
import { LOCAL_STAGE } from './keys.ts';

export const LOCAL_REGION = 'local';

/** The name of a table, on every machine the same. */
export const tableName = (id: TableId): string =>
  `pcd-${LOCAL_STAGE}-data-${id.charAt(0).toUpperCase()}${id.slice(1)}Table`;

/**
 * A client of the store at `endpoint`. All that the SDK would look up in the user's environment or profile is given: the embedded store
 * accepts any credentials.
 */
function localStoreClient(endpoint: string, responseMs?: number): DynamoDBClient {
  // The warning is for whoever runs it on AWS.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  return createStoreClient(responseMs, {
    endpoint,
    region: LOCAL_REGION,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    retryMode: 'standard',
    defaultsMode: 'legacy',
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    accountIdEndpointMode: 'disabled',
    endpointDiscoveryEnabled: false,
    authSchemePreference: [],
    userAgentAppId: '',
  });
}

/** Opens the tables of the store at `endpoint`, all with one client for requests and one for background work. */
export function openStoreTables(endpoint: string): { readonly openTables: OpenTables; close(): void } {
  const clients = {
    brief: localStoreClient(endpoint),
    patient: localStoreClient(endpoint, PATIENT_RESPONSE_MS),
  };
  return {
    openTables: <I extends TableId>(ids: readonly I[], wait: 'brief' | 'patient' = 'brief') => {
      const names = Object.fromEntries(ids.map((id) => [id, tableName(id)])) as Record<I, string>;
      return openTables(clients[wait], names);
    },
    close() {
      clients.brief.destroy();
      clients.patient.destroy();
    },
  };
}

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

const keyNames = (keys: Readonly<z.output<typeof keySchema>>): string =>
  keys.map((key) => `${key.AttributeName} ${key.KeyType}`).join(', ');

/** Keys in the form of DynamoDB's CreateTable. */
export interface TableModel {
  readonly name: string;
  readonly AttributeDefinitions: readonly { readonly AttributeName: string; readonly AttributeType: 'S' }[];
  readonly KeySchema: readonly { readonly AttributeName: string; readonly KeyType: 'HASH' | 'RANGE' }[];
}

export function tableModel(id: TableId): TableModel {
  const { partitionKey, sortKey }: TableDefinition = TABLES[id];
  const names = sortKey === undefined ? [partitionKey] : [partitionKey, sortKey];
  return {
    name: tableName(id),
    AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: names.map((AttributeName, at) => ({ AttributeName, KeyType: at === 0 ? 'HASH' : 'RANGE' })),
  };
}

async function createTable(endpoint: string, { name, ...keys }: TableModel): Promise<void> {
  const existing = await describeTable(endpoint, name);
  if (existing === undefined) {
    const { ok, json } = await call(endpoint, 'CreateTable', {
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      ...keys,
    });
    if (!ok) throw new StartError(`table ${name} cannot be created: ${JSON.stringify(json)}`);
    while ((await describeTable(endpoint, name))?.TableStatus !== 'ACTIVE') await delay(POLL_MS);
    return;
  }
  const [found, wanted] = [keyNames(existing.KeySchema), keyNames(keys.KeySchema)];
  if (found !== wanted)
    throw new StartError(
      `table ${name} in the data directory has other keys (${found}) than this version ` +
        `(${wanted}): remove the directory or name another --data-dir`,
    );
}

const ALL_TABLES = (Object.keys(TABLES) as TableId[]).map(tableModel);

/** Idempotent. Throws `StartError` when a table on disk has other keys. */
export async function createTables(endpoint: string, tables = ALL_TABLES): Promise<void> {
  await Promise.all(tables.map((table) => createTable(endpoint, table)));
}
