/** Opens tables: the DynamoDB client of a process, and tables by id under given names. */
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Table } from './table.ts';
import { TABLES, type TableDefinition, type TableId } from './tables.ts';

const CONNECT_MS = 500;
/** How long a request waits for the store, at most twice. */
const RESPONSE_MS = 2000;
/** The same for background work. */
export const PATIENT_RESPONSE_MS = 20_000;
/** More requests than one process ever has in flight, so that none waits for the connection of another. */
const CONNECTIONS = 256;

/**
 * A client with short timeouts: an endpoint returns 503 rather than wait for a slow store. The SDK itself reads the
 * endpoint from AWS_ENDPOINT_URL_DYNAMODB where it is not AWS's.
 *
 * @param local settings of a store on this machine, for a process whose environment does not name it
 */
export function createStoreClient(responseMs = RESPONSE_MS, local?: DynamoDBClientConfig): DynamoDBClient {
  const agent = { maxSockets: CONNECTIONS };
  return new DynamoDBClient({
    ...local,
    maxAttempts: 2,
    // Without throwOnRequestTimeout the SDK only warns of a late response, and keeps waiting for it.
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: responseMs,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
}

/** A client for rows of plain values, which leaves out undefined attributes. */
export function createDocumentClient(client: DynamoDBClient): DynamoDBDocumentClient {
  // This middleware copies every response for a log that is never written.
  client.middlewareStack.remove('loggerMiddleware');
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}

/** Opens tables by id under the given names. */
export function openTables<I extends TableId>(
  client: DynamoDBClient,
  names: Readonly<Record<I, string>>,
): Record<I, Table> {
  const documents = createDocumentClient(client);
  const open = (id: I): [I, Table] => {
    const { partitionKey, sortKey }: TableDefinition = TABLES[id];
    return [id, new Table(documents, names[id], partitionKey, sortKey)];
  };
  return Object.fromEntries((Object.keys(names) as I[]).map(open)) as Record<I, Table>;
}
