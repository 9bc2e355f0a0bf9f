/** The tables: names, keys and expiry. Stacks, stores and tests take them from here. */
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Table } from './table.ts';

export interface TableDefinition {
  /** Environment variable that carries the deployed table's name to a function. */
  readonly variable: string;
  readonly partitionKey: string;
  /** All keys are strings. */
  readonly sortKey?: string;
  /** Attribute with the expiry in epoch seconds, where rows expire. Readers never rely on the deletion. */
  readonly expiry?: string;
}

export const TABLES = {
  /** Covered ports: what is served of each, and nothing else, because the list of ports reads the whole table. */
  ports: { variable: 'PORTS_TABLE', partitionKey: 'port' },
  /** How far the ingest has read the reports of each port. */
  portClocks: { variable: 'PORT_CLOCKS_TABLE', partitionKey: 'port' },
  /**
   * Port calls as reconstructed; the ledger from which all else is made. `callKey` = first ATA, `#`, call id; or `id#` and the id of a
   * record, a row that states the key of its call. Partitions of sources have what their last fetches replaced, by `fetch-images.ts`.
   */
  portCalls: { variable: 'PORT_CALLS_TABLE', partitionKey: 'port', sortKey: 'callKey', expiry: 'expiresAt' },
  /** Closed stays, one row for the stays that ended on one UTC day. */
  stayDays: { variable: 'STAY_DAYS_TABLE', partitionKey: 'port', sortKey: 'day' },
  /** Day figures, one row a UTC day. */
  dailyMetrics: { variable: 'DAILY_METRICS_TABLE', partitionKey: 'port', sortKey: 'day' },
  /** Waits, one row a UTC day. */
  waitDays: { variable: 'WAIT_DAYS_TABLE', partitionKey: 'port', sortKey: 'day' },
  /** Alerts. `alertKey` = as_of, `#`, metric, `#`, type. */
  alerts: { variable: 'ALERTS_TABLE', partitionKey: 'port', sortKey: 'alertKey' },
  /** Alerts as they were raised, one row an episode. `raisedKey` = its first day, `#`, metric, `#`, type, `#`, when it was known. */
  raisedAlerts: { variable: 'RAISED_ALERTS_TABLE', partitionKey: 'port', sortKey: 'raisedKey' },
  /** Alerts of all ports in one partition. `id` = UTC day, `.`, port, `.`, metric, `.`, type. */
  alertFeed: { variable: 'ALERT_FEED_TABLE', partitionKey: 'feed', sortKey: 'id', expiry: 'expiresAt' },
  /**
   * Forecasts as issued, one row a UTC day. `series` = port, `#`, metric; `origin` = the last day that the forecast knew.
   */
  forecasts: { variable: 'FORECASTS_TABLE', partitionKey: 'series', sortKey: 'origin' },
  /** Import values by vintage: one row has the months that changed with one fetch. `series` = code, `#`, measure. */
  importValues: { variable: 'IMPORT_VALUES_TABLE', partitionKey: 'series', sortKey: 'fetchedAt' },
  /** Import momentum index of one code, by month. */
  importIndex: { variable: 'IMPORT_INDEX_TABLE', partitionKey: 'code' },
  /** Values that were served before the current ones, by the UTC day since which each was known; see `series.ts`. */
  vintages: { variable: 'VINTAGES_TABLE', partitionKey: 'series', sortKey: 'at' },
  /** Freshness, lease, checkpoint and circuit of each source. */
  sourceStatus: { variable: 'SOURCE_STATUS_TABLE', partitionKey: 'source' },
  /** API keys by the SHA-256 of their secret, with plan and state. */
  apiKeys: { variable: 'API_KEYS_TABLE', partitionKey: 'digest' },
  /** Token buckets by key digest. */
  rateLimits: { variable: 'RATE_LIMITS_TABLE', partitionKey: 'digest', expiry: 'expiresAt' },
} as const satisfies Record<string, TableDefinition>;

export type TableId = keyof typeof TABLES;

/** The tables of the ingest: all but those of keys and of their limits. */
export type IngestTableId = Exclude<TableId, 'apiKeys' | 'rateLimits'>;
export const INGEST_TABLES = (Object.keys(TABLES) as TableId[]).filter(
  (id): id is IngestTableId => id !== 'apiKeys' && id !== 'rateLimits',
);

// Opens tables: the DynamoDB client of a process, and tables by id under given names.

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
