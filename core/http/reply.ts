/** Turns an answer into the reply to one request: a 200, or a 304 for a client that holds its bytes already. */
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Answer } from './answer.ts';
import { namesTag } from './etag.ts';
import { headerOf } from './event.ts';

/** HEAD gets no body. The headers are the answer's own, not a copy. */
export function replyOf(event: APIGatewayProxyEvent, { body, headers, etag }: Answer): APIGatewayProxyResult {
  // A 304 states the type as well: API Gateway would say JSON where nothing is said, and caches would believe it.
  if (etag !== undefined && namesTag(headerOf(event, 'if-none-match'), etag))
    return { statusCode: 304, headers, body: '' };
  return { statusCode: 200, headers, body: event.httpMethod === 'HEAD' ? '' : body };
}
