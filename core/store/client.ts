/** The DynamoDB client of a process; nothing else knows where the store is. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

const CONNECT_MS = 500;
/** How long a request waits for the store, at most twice. */
const ANSWER_MS = 2000;
/** The same for background work. */
export const PATIENT_ANSWER_MS = 20_000;
/** More requests than one process ever has in flight, so that none waits for the connection of another. */
const CONNECTIONS = 256;

/**
 * A client with short timeouts: an endpoint answers 503 rather than wait for a slow store. The SDK itself reads the
 * endpoint from AWS_ENDPOINT_URL_DYNAMODB where it is not AWS's.
 */
export function createStoreClient(answerMs = ANSWER_MS): DynamoDBClient {
  const agent = { maxSockets: CONNECTIONS };
  const client = new DynamoDBClient({
    maxAttempts: 2,
    // Without throwOnRequestTimeout the SDK only warns of a late response, and goes on waiting for it.
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
  // It copies every row without its sensitive fields for a log that is not kept.
  client.middlewareStack.remove('loggerMiddleware');
  return client;
}
