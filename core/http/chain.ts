/** The chain around every endpoint: request id, caller, token, parameters, data, response, error, in this order. */
import middy from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { HEADERS } from '../contracts/headers.ts';
import type { PathValues, QueryOf, ResponseBody, Route } from '../contracts/route.ts';
import { type Caller, rateLimited, readCaller } from '../limits/admission.ts';
import type { Limiter } from '../limits/rate-limit.ts';
import { apiError, type OutageClass, outOfTime, renderError } from './failure.ts';
import { type GatewayEvent, type ReadParameters, readParameters, readRequestId } from './request.ts';
import { corsHeaders, type Representation, representation, responseTo, routeHeaders } from './response.ts';
import { createResponseCache, type ResponseCache } from './response-cache.ts';
import type { Telemetry } from './telemetry.ts';

/** The checked parameters of a request. */
interface EndpointRequest<R extends Route> {
  readonly path: PathValues<R>;
  readonly query: QueryOf<R>;
}

/** Headers about the data that the body cannot express, by name. */
export type ResponseNotes = Map<string, string>;

/** Resolves with the data of a response; throws `ApiError` for a fault of the request. Knows nothing else of HTTP but its notes. */
export interface RequestHandler<R extends Route> {
  (request: EndpointRequest<R>, notes: ResponseNotes): Promise<ResponseBody<R>>;
  /** Names the state of the data, cheaply: while it is the same, a response is written once. Undefined: every response is. */
  version?(request: EndpointRequest<R>): Promise<string | undefined>;
}

export interface ChainDependencies {
  readonly limiter: Limiter;
  readonly telemetry: Telemetry;
  /** Errors that mean an outage of the store. */
  readonly outages: readonly OutageClass[];
  readonly responseCache?: ResponseCache;
  /** Contact for questions about keys and plans. */
  readonly contact?: string | undefined;
  /** Origins whose pages may read responses. */
  readonly corsOrigins: ReadonlySet<string>;
  /** The service's clock, in epoch milliseconds. */
  readonly now: () => number;
  /** Monotonic milliseconds, for durations. */
  readonly stopwatch: () => number;
}

/** What it reads of Lambda's context. */
type Invocation = Pick<Context, 'getRemainingTimeInMillis'>;

export type GatewayHandler = (event: GatewayEvent, invocation: Invocation) => Promise<APIGatewayProxyResult>;

/** State of one request, in Middy's `internal`. */
interface RequestState {
  readonly startedAt: number;
  readonly requestId: string;
  readonly headers: Record<string, string>;
  caller?: Caller;
  failure?: { readonly code: string; readonly cause: unknown };
}

type ChainRequest = middy.Request<
  GatewayEvent,
  APIGatewayProxyResult,
  Error,
  Context,
  { state: RequestState }
>;

/** A function responds this long before its Lambda timeout, which the gateway would turn into a 502. */
const TIME_TO_RESPOND_MS = 200;

/** The hooks around an endpoint's request handler. */
function hooks(route: Route, dependencies: ChainDependencies) {
  const { contact, corsOrigins, limiter, outages, stopwatch } = dependencies;
  const headersByPath = new Map(route.paths.map((path) => [path, routeHeaders(route, path)]));
  return {
    before: ({ event, internal }: ChainRequest) => {
      const startedAt = stopwatch();
      const requestId = readRequestId(event);
      const headers = Object.assign(
        { [HEADERS.requestId]: requestId, [HEADERS.contentTypeOptions]: 'nosniff' },
        headersByPath.get(event.resource),
        corsHeaders(corsOrigins, event),
      );
      internal.state = { startedAt, requestId, headers };
      if (!route.authenticated) return;
      const caller = readCaller(event.requestContext.authorizer, route, limiter, contact);
      internal.state.caller = caller;
      if (caller.denial !== undefined) throw caller.denial;
    },
    after: async ({ internal, response }: ChainRequest) => {
      const { caller, headers } = internal.state;
      const admission = await caller?.admission;
      if (admission?.admitted === false) throw rateLimited(admission);
      if (response !== null)
        response.headers = Object.assign(response.headers ?? {}, headers, admission?.headers);
    },
    onError: async (request: ChainRequest) => {
      const { state } = request.internal;
      const admission = await state.caller?.admission;
      const thrown = apiError(request.error, outages);
      // 403 takes precedence over 429, and 429 over every fault of the request.
      const limited = admission?.admitted === false && thrown.code !== 'auth_forbidden';
      const error = limited ? rateLimited(admission) : thrown;
      state.failure = { code: error.code, cause: error.cause };
      const rendered = renderError(error, state.requestId, { ...state.headers, ...admission?.headers });
      // The error handler skips a request that already has a response.
      Object.assign(request, { error: rendered, response: undefined });
    },
  };
}

/** A written response is kept for as long as clients may keep it, and no longer than its version. */
const VERSION_LIFETIME_MS = 300_000;

/** The handler of the function behind one endpoint. `operationId` names it in the log. */
export function createHandler<R extends Route>(
  operationId: string,
  route: R,
  respond: RequestHandler<R>,
  dependencies: ChainDependencies,
): GatewayHandler {
  const versions = createResponseCache(VERSION_LIFETIME_MS, dependencies.stopwatch);
  const cached = dependencies.responseCache ?? createResponseCache(0, dependencies.stopwatch);
  async function write(parameters: ReadParameters): Promise<Representation> {
    const notes: ResponseNotes = new Map();
    const data = await respond(parameters as unknown as EndpointRequest<R>, notes);
    const made = representation(route, parameters, data, dependencies.now());
    return { ...made, headers: { ...made.headers, ...Object.fromEntries(notes) } };
  }
  async function make(parameters: ReadParameters): Promise<Representation> {
    const version = await respond.version?.(parameters as unknown as EndpointRequest<R>);
    return version === undefined ? write(parameters) : versions(parameters, () => write(parameters), version);
  }
  async function handle(event: GatewayEvent): Promise<APIGatewayProxyResult> {
    const parameters = readParameters(route, event);
    return responseTo(event, await cached(parameters, () => make(parameters)));
  }
  /** One log line for each request, after its response is made. */
  const requestEnd = ({ internal, response }: ChainRequest): void => {
    const { startedAt, requestId, caller, failure } = internal.state;
    dependencies.telemetry.request({
      requestId,
      operation: operationId,
      status: response?.statusCode ?? 0,
      durationMs: dependencies.stopwatch() - startedAt,
      key: caller?.keyPrefix,
      ...failure,
    });
  };
  const timeoutEarlyResponse = (): never => {
    throw outOfTime();
  };
  const handler = middy<GatewayEvent, APIGatewayProxyResult>(handle, {
    requestEnd: requestEnd as NonNullable<middy.PluginObject['requestEnd']>,
    timeoutEarlyInMillis: TIME_TO_RESPOND_MS,
    timeoutEarlyResponse,
  })
    .use(httpErrorHandler({ logger: false }))
    .use(hooks(route, dependencies));
  return handler as unknown as GatewayHandler;
}
