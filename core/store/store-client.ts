/**
 * The client of the tables: DynamoDB's JSON protocol, signed, with the retries of the AWS SDKs' standard mode. It takes the place
 * of the SDK's own client, which spends most of a request's processor time and of a function's load time on what these
 * tables never need (docs/decisions/0011-store-client.md).
 */
import { setTimeout as pause } from 'node:timers/promises';
import { ExchangeTimeout, openExchange, type Reply } from './http-exchange.ts';
import { createSigner } from './request-signature.ts';
import type { StoreConnection } from './store-connection.ts';

export type Operation =
  | 'BatchGetItem'
  | 'BatchWriteItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'PutItem'
  | 'Query'
  | 'Scan'
  | 'UpdateItem';

/** An error that DynamoDB returned. `name` is its type, such as `ConditionalCheckFailedException`. */
export class StoreError extends Error {
  override readonly name: string;
  readonly status: number;

  constructor(name: string, status: number, message: string) {
    super(message);
    this.name = name;
    this.status = status;
  }
}

export interface StoreClient {
  /** Resolves with the response to `input`; rejects with StoreError, a network error or a timeout. */
  call<T>(operation: Operation, input: object): Promise<T>;
  /** Closes the connections. */
  close(): void;
}

export interface StoreClientOptions {
  readonly connection: StoreConnection;
  /** How long each attempt may take. */
  readonly answerMs: number;
}

const CONTENT_TYPE = 'application/x-amz-json-1.0';
const CONNECT_MS = 500;
/** More requests than one process ever has in flight, so that none waits for the connection of another. */
const CONNECTIONS = 256;
const ATTEMPTS = 2;

/** Bounds of the random pause before a retry, in milliseconds. */
const PAUSE_MS = 100;
const THROTTLED_PAUSE_MS = 500;
/** A client whose store is down soon stops to retry: each retry takes from this budget, each success gives one back. */
const RETRY_BUDGET = 500;
const RETRY_COST = 5;
const TIMEOUT_COST = 10;

const THROTTLES = new Set([
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TransactionInProgressException',
]);
const NETWORK_FAULTS = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);
const SERVER_FAULTS = new Set([500, 502, 503, 504]);

/** What a retry after `error` costs and how long it waits at most; undefined where it would fail again. */
function retryAfter(error: unknown): { readonly cost: number; readonly pauseMs: number } | undefined {
  if (error instanceof ExchangeTimeout) return { cost: TIMEOUT_COST, pauseMs: PAUSE_MS };
  if (error instanceof StoreError) {
    if (THROTTLES.has(error.name)) return { cost: RETRY_COST, pauseMs: THROTTLED_PAUSE_MS };
    return SERVER_FAULTS.has(error.status) ? { cost: RETRY_COST, pauseMs: PAUSE_MS } : undefined;
  }
  const { code } = error as NodeJS.ErrnoException;
  return NETWORK_FAULTS.has(code ?? '') ? { cost: RETRY_COST, pauseMs: PAUSE_MS } : undefined;
}

/** The error in a response; a type such as `com.amazonaws.dynamodb.v20120810#Name` is `Name`. */
function errorOf({ status, body }: Reply): StoreError {
  let found: { readonly __type?: string; readonly message?: string; readonly Message?: string } = {};
  try {
    found = JSON.parse(body) as typeof found;
  } catch {
    // Something between here and DynamoDB responded.
  }
  const name = found.__type?.split('#').at(-1) ?? 'UnknownError';
  return new StoreError(name, status, found.message ?? found.Message ?? `status ${status}`);
}

export function openStoreClient({ connection, answerMs }: StoreClientOptions): StoreClient {
  const { region } = connection;
  const exchange = openExchange(connection.endpoint, {
    connectMs: CONNECT_MS,
    answerMs,
    connections: CONNECTIONS,
  });
  const { host } = exchange;
  const sign = createSigner();
  let budget = RETRY_BUDGET;

  const attempt = async (operation: Operation, body: string): Promise<string> => {
    const credentials = await connection.credentials();
    const target = `DynamoDB_20120810.${operation}`;
    const signature = sign(
      { region, host, contentType: CONTENT_TYPE, target, body },
      credentials,
      new Date(),
    );
    const headers = ['Host', host, 'Content-Type', CONTENT_TYPE, 'X-Amz-Target', target];
    headers.push('X-Amz-Date', signature['X-Amz-Date'], 'Authorization', signature.Authorization);
    if (credentials.sessionToken !== undefined)
      headers.push('X-Amz-Security-Token', credentials.sessionToken);
    headers.push('Content-Length', String(Buffer.byteLength(body)));
    const reply = await exchange.post(headers, body);
    if (reply.status !== 200) throw errorOf(reply);
    return reply.body;
  };

  return {
    async call<T>(operation: Operation, input: object): Promise<T> {
      const body = JSON.stringify(input);
      for (let attempts = 1; ; attempts += 1) {
        try {
          const reply = await attempt(operation, body);
          budget = Math.min(RETRY_BUDGET, budget + (attempts > 1 ? RETRY_COST : 1));
          return JSON.parse(reply) as T;
        } catch (error) {
          const retry = attempts < ATTEMPTS ? retryAfter(error) : undefined;
          if (retry === undefined || budget < retry.cost) throw error;
          budget -= retry.cost;
          await pause(Math.random() * retry.pauseMs);
        }
      }
    },
    close: () => exchange.close(),
  };
}
