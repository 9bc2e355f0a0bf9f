/** The gateway's own errors in the service's envelope, one gateway response for each row of their table. */
import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { withContact } from '../../core/contracts/contact.ts';
import { ApiError, toEnvelope } from '../../core/contracts/errors.ts';
import { HEADERS, JSON_TYPE, NOT_CACHEABLE } from '../../core/contracts/headers.ts';
import { GATEWAY_ERRORS, type GatewayError } from '../../core/http/gateway-errors.ts';
import { CONTEXT_RATE_LIMIT, CONTEXT_RATE_RESET } from '../../core/keys/entitlements.ts';
import type { StageConfig } from '../stage-config.ts';

/** Mapping expressions: a literal stands in quotes, anything else names a value of the request. */
const literal = (value: string | number): string => `'${value}'`;
const fromAuthorizer = (name: string): string => `context.authorizer.${name}`;

/** The gateway puts the request's id in the place of the variable. */
function responseTemplate({ code, message, hint }: GatewayError, contact: string | undefined): string {
  const options = hint === undefined ? {} : { hint: withContact(hint, contact) };
  return JSON.stringify(toEnvelope(new ApiError(code, message, options), '$context.requestId'));
}

const responseHeaders = (
  { retryAfterSeconds, rateLimited }: GatewayError,
  origin: string | undefined,
): Record<string, string> => ({
  [HEADERS.requestId]: 'context.requestId',
  [HEADERS.cacheControl]: literal(NOT_CACHEABLE),
  [HEADERS.contentType]: literal(JSON_TYPE),
  [HEADERS.contentTypeOptions]: literal('nosniff'),
  ...(retryAfterSeconds !== undefined && { [HEADERS.retryAfter]: literal(retryAfterSeconds) }),
  ...(rateLimited && {
    [HEADERS.rateLimitLimit]: fromAuthorizer(CONTEXT_RATE_LIMIT),
    [HEADERS.rateLimitRemaining]: literal(0),
    [HEADERS.rateLimitReset]: fromAuthorizer(CONTEXT_RATE_RESET),
  }),
  ...(origin !== undefined && { 'Access-Control-Allow-Origin': literal(origin) }),
});

export function addGatewayResponses(api: RestApi, { corsOrigins, contact }: StageConfig): void {
  // A gateway response can name one origin only; with several, pages cannot read the gateway's own errors.
  const origin = corsOrigins.length === 1 ? corsOrigins[0] : undefined;
  for (const [type, error] of Object.entries<GatewayError>(GATEWAY_ERRORS)) {
    api.addGatewayResponse(type, {
      type: ResponseType.of(type),
      statusCode: error.status?.toString(),
      responseHeaders: responseHeaders(error, origin),
      templates: { [JSON_TYPE]: responseTemplate(error, contact) },
    });
  }
}
