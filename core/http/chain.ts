/** The chain around every endpoint: request id, caller, token, parameters, data, response, error, in this order. */
import middy from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import {
  type Caller,
  type Limiter,
  type LimiterFailure,
  rateLimited,
  readCaller,
} from '../access/limiter.ts';
import { ApiError, toEnvelope } from '../contracts/errors.ts';
import { type Log, METRICS } from '../contracts/log.ts';
import type { PathValues, QueryOf, ResponseBody, Route } from '../contracts/route.ts';
import { HEADERS, JSON_TYPE, NOT_CACHEABLE } from '../contracts/wire.ts';
import { type GatewayEvent, type ReadParameters, readParameters, readRequestId } from './request.ts';
import {
  corsHeaders,
  createResponseCache,
  type Representation,
  type ResponseCache,
  representation,
  responseTo,
  routeHeaders,
} from './response.ts';

// Failures as error responses. Only an `ApiError` states its message; any other error is a 500 or 503 without
// details.

/** Error classes that mean an outage of a dependency. They become a 503, because a retry may succeed. */
export type OutageClass = abstract new (...args: never[]) => Error;

/** 503: the service cannot respond now, and a retry may succeed. */
const unavailable = (message: string, cause?: unknown): ApiError =>
  new ApiError('upstream_error', message, {
    status: 503,
    retryAfterSeconds: 5,
    hint: 'Try again after the seconds in Retry-After.',
    cause,
  });

/** The error of a request whose function runs out of time, most often because the store is slow. */
const outOfTime = (): ApiError => unavailable('The service did not respond in time.');

/** The `ApiError` for any thrown value. */
export function apiError(thrown: unknown, outages: readonly OutageClass[]): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (outages.some((outage) => thrown instanceof outage))
    return unavailable('The data store does not respond.', thrown);
  return new ApiError('internal_error', 'The service failed.', {
    hint: 'Try again; if the error persists, report the request_id.',
    cause: thrown,
  });
}

/** The error that Middy's error handler turns into a response: status, headers, and the body as the message. */
function renderError(error: ApiError, requestId: string, headers: Readonly<Record<string, string>>) {
  return {
    statusCode: error.status,
    expose: true,
    message: JSON.stringify(toEnvelope(error, requestId)),
    headers: {
      ...headers,
      [HEADERS.contentType]: JSON_TYPE,
      [HEADERS.cacheControl]: NOT_CACHEABLE,
      ...(error.retryAfterSeconds !== undefined && {
        [HEADERS.retryAfter]: String(error.retryAfterSeconds),
      }),
    },
  };
}

// The log line and the metrics of a request. They never contain a secret or a header value.

export interface RequestRecord {
  readonly requestId: string;
  readonly operation: string;
  readonly status: number;
  readonly durationMs: number;
  /** First characters of the key's digest; absent without an accepted key. */
  readonly key?: string;
  readonly code?: string;
  /** The failure behind a 5xx, only for the log. */
  readonly cause?: unknown;
}

type Telemetry = ReturnType<typeof createTelemetry>;

export function createTelemetry(log: Log) {
  return {
    request({ cause, ...record }: RequestRecord): void {
      const line = { ...record, durationMs: Math.round(record.durationMs * 10) / 10 };
      if (record.status >= 500) log.error('request', { ...line, error: cause });
      else log.info('request', line);
      if (record.status === 429) log.metric(METRICS.rateLimited, 1);
    },
    limiterFailure(kind: LimiterFailure, cause?: unknown): void {
      log.warn('the limiter decided without its table', { kind, error: cause });
      log.metric(METRICS.limiterFailure, 1);
    },
  };
}

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
