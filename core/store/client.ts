/** The DynamoDB client: one a function container, and the only thing that knows where the store is. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

const CONNECT_MS = 500;
/** What a request waits for the store, twice at most. */
const ANSWER_MS = 2000;
/** The same for work that nobody waits for. */
export const PATIENT_ANSWER_MS = 20_000;
/** More than one process ever has under way, so that no call waits for the connection of another. */
const CONNECTIONS = 256;

/**
 * A client with short timeouts: a read that the store does not answer in time is better refused (503) than
 * kept waiting. The endpoint is the SDK's own business: AWS_ENDPOINT_URL_DYNAMODB points it at another store.
 */
export function createStoreClient(answerMs = ANSWER_MS): DynamoDBClient {
  const agent = { maxSockets: CONNECTIONS };
  const client = new DynamoDBClient({
    maxAttempts: 2,
    // Without the last the SDK only warns of an answer that is late, and goes on waiting for it.
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
    // Middleware is put together once for each kind of call, not for each call.
    cacheMiddleware: true,
  });
  // It would write a copy of every row, with what is sensitive left out, to a log that nobody keeps.
  client.middlewareStack.remove('loggerMiddleware');
  return client;
}
