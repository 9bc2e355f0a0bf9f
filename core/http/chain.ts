/** The one chain that every endpoint runs in: id, caller, token, parameters, data, reply, failure, in this order. */
import middy from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Limiter } from '../access/limiter.ts';
import { HEADERS } from '../contracts/headers.ts';
import type { PathValues, QueryOf, ResponseBody, Route } from '../contracts/route.ts';
import { type Caller, callerOf, rateLimited } from './admission.ts';
import { type Answer, answerOf } from './answer.ts';
import type { AnswerCache } from './answer-cache.ts';
import { corsHeaders } from './cors.ts';
import { requestIdOf } from './event.ts';
import { apiErrorOf, type OutageClass, outOfTime, renderError } from './failure.ts';
import { replyOf } from './reply.ts';
import { readParameters } from './request.ts';
import { routeHeaders } from './route-headers.ts';
import type { Telemetry } from './telemetry.ts';

/** The checked parameters of a request. */
export interface EndpointRequest<R extends Route> {
  readonly path: PathValues<R>;
  readonly query: QueryOf<R>;
}

/** Resolves with the data of a response; throws `ApiError` for a fault of the request. Knows nothing else of HTTP. */
export type RequestHandler<R extends Route> = (request: EndpointRequest<R>) => Promise<ResponseBody<R>>;

export interface ChainParts {
  readonly limiter: Limiter;
  readonly telemetry: Telemetry;
  /** Errors that mean that the store is out. */
  readonly outages: readonly OutageClass[];
  /** Answers of a moment ago; every request is answered anew without it. */
  readonly answerCache?: AnswerCache;
  /** Whom a caller asks about the key or its plan. */
  readonly contact?: string | undefined;
  /** Origins whose pages may read the answers. */
  readonly corsOrigins: ReadonlySet<string>;
  /** Monotonic milliseconds, for durations. */
  readonly stopwatch: () => number;
}

export type GatewayHandler = (
  event: APIGatewayProxyEvent,
  context: Context,
) => Promise<APIGatewayProxyResult>;

/** What one request carries along the chain, where Middy keeps what is its own. */
interface Passage {
  readonly startedAt: number;
  readonly requestId: string;
  readonly headers: Record<string, string>;
  caller?: Caller;
  failure?: { readonly code: string; readonly cause: unknown };
}

type Carried = { passage: Passage };
type ChainRequest = middy.Request<APIGatewayProxyEvent, APIGatewayProxyResult, Error, Context, Carried>;

/** A function answers this long before Lambda would end it: Lambda's own end is a 502 of the gateway. */
const TIME_TO_ANSWER_MS = 200;

/** The hooks around an endpoint's request handler. */
function hooksOf(route: Route, parts: ChainParts) {
  const { corsOrigins, limiter, stopwatch } = parts;
  const headersByPath = new Map(route.paths.map((path) => [path, routeHeaders(route, path)]));
  return {
    before: ({ event, internal }: ChainRequest) => {
      const startedAt = stopwatch();
      const requestId = requestIdOf(event);
      const headers = Object.assign(
        { [HEADERS.requestId]: requestId, [HEADERS.contentTypeOptions]: 'nosniff' },
        headersByPath.get(event.resource),
        corsHeaders(corsOrigins, event),
      );
      internal.passage = { startedAt, requestId, headers };
      if (!route.authenticated) return;
      const caller = callerOf(event, route, limiter, parts.contact);
      internal.passage.caller = caller;
      if (caller.refusal !== undefined) throw caller.refusal;
    },
    after: async ({ internal, response }: ChainRequest) => {
      const { caller, headers } = internal.passage;
      const admission = await caller?.admission;
      if (admission?.admitted === false) throw rateLimited(admission);
      // A copy: the answer's own headers may be kept for the next request.
      if (response !== null)
        response.headers = Object.assign({ ...response.headers }, headers, admission?.headers);
    },
    onError: async (request: ChainRequest) => {
      const { passage } = request.internal;
      const admission = await passage.caller?.admission;
      const thrown = apiErrorOf(request.error, parts.outages);
      // A key that may not use the endpoint hears that; else a 429 wins over every fault of the request itself.
      const limited = admission?.admitted === false && thrown.code !== 'auth_forbidden';
      const error = limited ? rateLimited(admission) : thrown;
      passage.failure = { code: error.code, cause: error.cause };
      const rendered = renderError(error, passage.requestId, { ...passage.headers, ...admission?.headers });
      // The error handler leaves a request alone that has a response, as one refused after its reply was made has.
      Object.assign(request, { error: rendered, response: undefined });
    },
  };
}

/** The handler of the function behind one endpoint. `operationId` names it in the log. */
export function createHandler<R extends Route>(
  operationId: string,
  route: R,
  respond: RequestHandler<R>,
  parts: ChainParts,
): GatewayHandler {
  async function answer(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
    const parameters = readParameters(route, event);
    const make = async (): Promise<Answer> => {
      const data = await respond(parameters as unknown as EndpointRequest<R>);
      return answerOf(route, parameters, data);
    };
    return replyOf(event, await (parts.answerCache?.(parameters, make) ?? make()));
  }
  /** One line for every request, told once its reply is made. */
  const requestEnd = ({ internal, response }: ChainRequest): void => {
    const { startedAt, requestId, caller, failure } = internal.passage;
    parts.telemetry.request({
      requestId,
      operation: operationId,
      status: response?.statusCode ?? 0,
      durationMs: parts.stopwatch() - startedAt,
      ...(caller === undefined ? {} : { key: caller.keyPrefix }),
      ...(failure === undefined ? {} : failure),
    });
  };
  const timeoutEarlyResponse = (): never => {
    throw outOfTime();
  };
  return middy<APIGatewayProxyEvent, APIGatewayProxyResult>(answer, {
    requestEnd: requestEnd as NonNullable<middy.PluginObject['requestEnd']>,
    timeoutEarlyInMillis: TIME_TO_ANSWER_MS,
    timeoutEarlyResponse,
  })
    .use(httpErrorHandler({ logger: false }))
    .use(hooksOf(route, parts));
}
