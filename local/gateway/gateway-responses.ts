/** The responses that the gateway makes itself: the template's gateway responses, else API Gateway's defaults. */
import { StartError } from '../start-error.ts';
import type { GatewayResponseModel } from '../template/service-model.ts';
import type { FunctionResponse } from './function-response.ts';

/** API Gateway's defaults: status and message of each type. */
const DEFAULTS = {
  ACCESS_DENIED: [403, 'User is not authorized to access this resource'],
  API_CONFIGURATION_ERROR: [500, 'Internal server error'],
  AUTHORIZER_CONFIGURATION_ERROR: [500, 'Internal server error'],
  AUTHORIZER_FAILURE: [500, 'Internal server error'],
  BAD_REQUEST_BODY: [400, 'Invalid request body'],
  BAD_REQUEST_PARAMETERS: [400, 'Invalid request'],
  DEFAULT_4XX: [400, 'Bad Request'],
  DEFAULT_5XX: [500, 'Internal server error'],
  EXPIRED_TOKEN: [403, 'The security token included in the request is expired'],
  INTEGRATION_FAILURE: [502, 'Internal server error'],
  INTEGRATION_TIMEOUT: [504, 'Endpoint request timed out'],
  INVALID_API_KEY: [403, 'Forbidden'],
  INVALID_SIGNATURE: [403, 'Forbidden'],
  MISSING_AUTHENTICATION_TOKEN: [403, 'Missing Authentication Token'],
  QUOTA_EXCEEDED: [429, 'Limit Exceeded'],
  REQUEST_TOO_LARGE: [413, 'Request Too Long'],
  RESOURCE_NOT_FOUND: [404, 'Not Found'],
  THROTTLED: [429, 'Too Many Requests'],
  UNAUTHORIZED: [401, 'Unauthorized'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Unsupported Media Type'],
  WAF_FILTERED: [403, 'Forbidden'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type GatewayResponseType = keyof typeof DEFAULTS;

/** The authorizer's result about the caller, as in events and gateway responses. */
export type AuthorizerContext = Readonly<Record<string, unknown>>;

/** Ends a request with a gateway response. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  /** @param authorizer absent when the request ends before the authorizer is called */
  constructor(
    readonly type: GatewayResponseType,
    readonly authorizer?: AuthorizerContext,
  ) {
    super(type);
  }
}

/** The values that a template may name as `$context`. */
export interface GatewayContext {
  readonly requestId: string;
  readonly authorizer?: AuthorizerContext | undefined;
}

/** The value of a variable of the context, of which templates name two kinds. Throws `StartError` at any other. */
function contextValue(
  name: string,
  type: string,
  { requestId, authorizer }: GatewayContext,
): string | undefined {
  if (name === 'context.requestId') return requestId;
  const key = /^context\.authorizer\.(\w+)$/.exec(name)?.[1];
  if (key === undefined) throw new StartError(`gateway response ${type}: ${name} is not supported`);
  return authorizer?.[key] === undefined ? undefined : String(authorizer[key]);
}

function render(
  type: GatewayResponseType,
  model: GatewayResponseModel | undefined,
  context: GatewayContext,
): FunctionResponse {
  const [status, message] = DEFAULTS[type];
  const sent = new Map([['Content-Type', 'application/json']]);
  for (const [name, expression] of Object.entries(model?.headers ?? {})) {
    // `'text'` in quotes is literal, anything else names a variable.
    const value = /^'(.*)'$/.exec(expression)?.[1] ?? contextValue(expression, type, context);
    if (value !== undefined) sent.set(name, value);
  }
  const template = model?.template ?? JSON.stringify({ message });
  // A variable without a value becomes the empty text, as on AWS.
  const body = template.replace(/\$(\w+(?:\.\w+)*)/g, (_, name) => contextValue(name, type, context) ?? '');
  return { status: model?.status ?? status, headers: [...sent], body };
}

const isType = (type: string): type is GatewayResponseType => Object.hasOwn(DEFAULTS, type);

/** Throws `StartError` at an unsupported type, variable or mapping. */
export function createGatewayResponses(
  declared: readonly GatewayResponseModel[],
): (type: GatewayResponseType, context: GatewayContext) => FunctionResponse {
  const models = new Map(declared.map((model) => [model.type, model]));
  for (const [type, model] of models) {
    if (!isType(type)) throw new StartError(`gateway response ${type}: its type is not supported`);
    render(type, model, { requestId: '' });
  }
  return (type, context) => {
    const fallback = DEFAULTS[type][0] < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX';
    return render(type, models.get(type) ?? models.get(fallback), context);
  };
}
