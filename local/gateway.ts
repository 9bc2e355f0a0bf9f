/** HTTP on one machine, in the order and with the errors of API Gateway: path, key, the month's quota, function. */
import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, renameSync, write } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { dirname } from 'node:path';
import { type Duplex, Writable } from 'node:stream';
import type { APIGatewayProxyResult } from 'aws-lambda';
import {
  AUTHORIZER_TTL_SECONDS,
  BENCH_TIER,
  CONTEXT_RATE_LIMIT,
  CONTEXT_RATE_RESET,
  type KeyRow,
} from '../core/access/keys.ts';
import { PLANS } from '../core/contracts/plans.ts';
import { OPERATION_IDS, type OperationId, ROUTES } from '../core/contracts/routes.ts';
import { KEY_HEADER } from '../core/contracts/wire.ts';
import type { GatewayHandler } from '../core/http/chain.ts';
import {
  GATEWAY_ERRORS,
  type GatewayError,
  type GatewayErrorType,
  type GatewayResponseSettings,
  renderGatewayResponse,
} from '../core/http/gateway-errors.ts';
import type { GatewayEvent } from '../core/http/request.ts';
import { namesTag } from '../core/http/response.ts';
import { type Clock, SECOND_MS } from '../core/reference/time.ts';
import type { KeyCheck } from '../lambdas/authorizer/authorizer.ts';
import { errorCode, errorText, StartError } from './command-line.ts';
import type { Usage } from './keys.ts';

export interface GatewayOptions {
  readonly handlers: Readonly<Record<OperationId, GatewayHandler>>;
  readonly checkKey: KeyCheck;
  readonly usage: Usage;
  /** The wall clock. */
  readonly now: Clock;
  readonly settings: GatewayResponseSettings;
  /** How long a function may take, and how long the gateway waits for it: a function that is late is a 502, the gateway's end a 504. */
  readonly functionMs: number;
  readonly integrationMs: number;
  /** Gets one line for each failure behind the gateway. */
  readonly report: (line: string) => void;
}

/** Responds to a request and returns true; returns false for a request that it does not serve, at once or later. */
export type Front = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;

type Values = Record<string, string[]>;
type AuthorizerContext = Readonly<Record<string, string>>;

/** Ends a request with a gateway response. */
class Refused extends Error {
  constructor(
    readonly type: GatewayErrorType,
    /** Absent when the request ends before its key is known. */
    readonly authorizer?: AuthorizerContext,
  ) {
    super(type);
  }
}

// The request.

function add(values: Values, name: string, value: string): void {
  const known = values[name];
  if (known === undefined) values[name] = [value];
  else known.push(value);
}

/** Every value of each header, by lower-case name. Node's own lists cannot take a header called `__proto__`. */
function readHeaders({ rawHeaders }: IncomingMessage): Values {
  const headers: Values = Object.create(null);
  for (let index = 1; index < rawHeaders.length; index += 2)
    add(headers, (rawHeaders[index - 1] as string).toLowerCase(), rawHeaders[index] as string);
  return headers;
}

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)/i;

/** Path and query as sent. Scheme and host of the absolute form are dropped; a target that is not a path matches no route. */
function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const local = target.startsWith('/') ? target : target.replace(ABSOLUTE_FORM, '');
  const question = local.indexOf('?');
  return question === -1
    ? { path: local, query: '' }
    : { path: local.slice(0, question), query: local.slice(question + 1) };
}

const BROKEN_ESCAPE = /%(?![0-9A-Fa-f]{2})/;

/**
 * Query parameters, decoded; null when there are none. A pair with a broken escape is passed on unchanged, bytes that are not
 * UTF-8 as U+FFFD; the function returns 400 for both.
 */
function parseQuery(query: string): Values | null {
  if (query === '') return null;
  const readable = BROKEN_ESCAPE.test(query)
    ? query
        .split('&')
        .map((pair) => (BROKEN_ESCAPE.test(pair) ? pair.replaceAll('%', '%25') : pair))
        .join('&')
    : query;
  // A client may name a parameter `constructor`.
  const values: Values = Object.create(null);
  // The first `&` keeps a `?` that begins the query: it belongs to the name of the parameter.
  const parameters = new URLSearchParams(`&${readable}`);
  for (const [name, value] of parameters) add(values, name, value);
  return parameters.size === 0 ? null : values;
}

interface Target {
  readonly operation: OperationId;
  /** For example `/v1/ports/{UNLOCODE}/trend`. */
  readonly resource: string;
  readonly isKeyed: boolean;
}

/** The methods of every path; HEAD responds as GET does, without the body. */
export const METHODS: readonly string[] = ['GET', 'HEAD'];

/** Every path with its operation, and whether it needs a key. */
export const TARGETS: readonly Target[] = OPERATION_IDS.flatMap((operation) =>
  ROUTES[operation].paths.map((resource) => ({
    operation,
    resource,
    isKeyed: ROUTES[operation].authenticated,
  })),
);

interface Match extends Target {
  /** As sent, percent-encoded, as in REST APIs; null when the path has none. */
  readonly pathParameters: Record<string, string> | null;
}

/**
 * A matcher of raw paths. The path is compared as sent, so an encoded slash stays inside its segment. One trailing slash is ignored,
 * as REST APIs do; the function sees it in the event's `path`. An empty segment is never a parameter's value. Literal paths take
 * precedence.
 */
function createRouter(): (path: string) => Match | undefined {
  const literal = new Map<string, Match>();
  const patterns: { target: Target; before: string; after: string; name: string }[] = [];
  for (const target of TARGETS) {
    const [before = '', name, after = ''] = target.resource.split(/\{(\w+)\}/);
    if (name === undefined) literal.set(target.resource, { ...target, pathParameters: null });
    else patterns.push({ target, before, after, name });
  }
  return (rawPath) => {
    const path = rawPath.length > 1 && rawPath.endsWith('/') ? rawPath.slice(0, -1) : rawPath;
    const found = literal.get(path);
    if (found !== undefined) return found;
    for (const { target, before, after, name } of patterns) {
      if (!path.startsWith(before) || !path.endsWith(after)) continue;
      const value = path.slice(before.length, path.length - after.length);
      if (value !== '' && !value.includes('/')) return { ...target, pathParameters: { [name]: value } };
    }
    return undefined;
  };
}

// The key.

/** Clients choose the cache's keys, so its size is limited; the oldest entry is dropped first. */
const MAX_CACHED = 10_000;
/** API Gateway caches a refusal as long as a grant. Here a key that was refused and then made works soon after. */
const REFUSAL_MS = 5 * SECOND_MS;

type Checked = Awaited<ReturnType<KeyCheck>>;

/** Checks keys as the authorizer does, and keeps what it finds as long as API Gateway would. */
function createAuthorizer({ checkKey, now, report }: GatewayOptions) {
  const cache = new Map<
    string,
    { readonly checked: Checked; readonly sinceAt: number; readonly untilAt: number }
  >();

  async function ask(values: readonly string[]): Promise<Checked> {
    const [secret, ...others] = new Set(values.filter((value) => value !== ''));
    try {
      return secret === undefined || others.length > 0 ? undefined : await checkKey(secret);
    } catch (thrown) {
      report(`the key cannot be checked: ${errorText(thrown)}`);
      throw new Refused('AUTHORIZER_FAILURE');
    }
  }

  return {
    /** The key of a request, on a plan; throws the refusal of a request that has none. */
    async admit(values: readonly string[] = []) {
      if (values.every((value) => value === '')) throw new Refused('UNAUTHORIZED');
      const identity = values.join(',');
      const at = now();
      const cached = cache.get(identity);
      let checked = cached?.checked;
      // A clock that was set back makes no entry live longer.
      if (cached === undefined || at < cached.sinceAt || at >= cached.untilAt) {
        checked = await ask(values);
        const lifetimeMs = checked?.row === undefined ? REFUSAL_MS : AUTHORIZER_TTL_SECONDS * SECOND_MS;
        cache.delete(identity);
        cache.set(identity, { checked, sinceAt: at, untilAt: at + lifetimeMs });
        const [oldest] = cache.keys();
        if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest);
      }
      if (checked?.row === undefined) throw new Refused('ACCESS_DENIED', checked?.context);
      const { row, context } = checked;
      if (!row.enabled || row.tier === undefined) throw new Refused('INVALID_API_KEY', context);
      return { row, context };
    },
    /** The keys may have changed: they are asked for again. */
    forget: (): void => cache.clear(),
  };
}

/** Requests a month; undefined on the tier without limits. */
export const quotaOf = ({ tier }: Pick<KeyRow, 'tier'>): number | undefined =>
  tier === undefined || tier === BENCH_TIER ? undefined : PLANS[tier].monthlyQuota;

// The response.

/** What is sent: names and values of the headers in turn. */
interface Sent {
  readonly status: number;
  readonly headers: string[];
  readonly body: string | Buffer;
}

/** A 304 or 204 has no body, a response to HEAD only headers: the length of the body that GET has is the function's to state. */
function framed(
  isHead: boolean,
  { statusCode, headers = {}, body, isBase64Encoded }: APIGatewayProxyResult,
): Sent {
  const sent: string[] = [];
  let stated: string | undefined;
  for (const [name, value] of Object.entries(headers))
    if (name === 'Content-Length') stated = String(value);
    else sent.push(name, String(value));
  const bytes = isBase64Encoded ? Buffer.from(body, 'base64') : body;
  const isBodiless = statusCode === 304 || statusCode === 204;
  const length = isHead && bytes.length === 0 ? stated : String(Buffer.byteLength(bytes));
  if (!isBodiless && length !== undefined) sent.push('Content-Length', length);
  return { status: statusCode, headers: sent, body: isBodiless || isHead ? '' : bytes };
}

/** The result of `work`; rejects with `fault` when it takes longer than `limitMs`. */
export const within = <T>(limitMs: number, work: Promise<T>, fault: () => Error): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(fault()), limitMs).unref();
    work.then(
      (done) => {
        clearTimeout(timer);
        resolve(done);
      },
      (thrown) => {
        clearTimeout(timer);
        reject(thrown);
      },
    );
  });

/** Sends the responses of one turn of the event loop together: a local client wakes up once for all; waking up costs more than writing. */
function createBatchedSender(): (send: () => void) => void {
  let waiting: (() => void)[] = [];
  const sendAll = (): void => {
    const ready = waiting;
    waiting = [];
    for (const send of ready) send();
  };
  return (send) => {
    waiting.push(send);
    if (waiting.length === 1) setImmediate(sendAll);
  };
}

export type Gateway = ReturnType<typeof createGateway>;

export function createGateway(options: GatewayOptions) {
  const { handlers, usage, now, settings, report, functionMs, integrationMs } = options;
  const findTarget = createRouter();
  const authorizer = createAuthorizer(options);
  const sendBatched = createBatchedSender();
  const limitMs = Math.min(functionMs, integrationMs);
  const late = (operation: OperationId): Error =>
    integrationMs < functionMs
      ? new Refused('INTEGRATION_TIMEOUT')
      : new Error(`${operation} timed out after ${functionMs} ms`);

  function gatewayResponse(
    error: GatewayError,
    status: number,
    requestId: string,
    authorizer: AuthorizerContext = {},
  ): APIGatewayProxyResult {
    const values = {
      requestId,
      rateLimit: authorizer[CONTEXT_RATE_LIMIT],
      rateReset: authorizer[CONTEXT_RATE_RESET],
    };
    const { headers, body } = renderGatewayResponse(error, settings, values);
    return { statusCode: status, headers: Object.fromEntries(headers), body };
  }

  /** Takes a request through the gateway; rejects with `Refused`, or with what the function threw. */
  async function handle(
    { method = 'GET', url = '/' }: IncomingMessage,
    headers: Values,
    requestId: string,
  ): Promise<APIGatewayProxyResult> {
    const { path, query } = splitTarget(url);
    const found = METHODS.includes(method) ? findTarget(path) : undefined;
    if (found === undefined) throw new Refused('MISSING_AUTHENTICATION_TOKEN');
    const { operation, resource, pathParameters, isKeyed } = found;
    const caller = isKeyed ? await authorizer.admit(headers[KEY_HEADER.toLowerCase()]) : undefined;
    const isWithinQuota = caller === undefined || usage.count(caller.row, quotaOf(caller.row), now());
    const event: GatewayEvent = {
      httpMethod: method,
      resource,
      path,
      pathParameters,
      multiValueHeaders: headers,
      multiValueQueryStringParameters: parseQuery(query),
      // The service is reached at the host that the client names, without a stage in the path.
      requestContext: { requestId, authorizer: caller?.context, domainName: headers.host?.[0], path },
    };
    const endsAt = performance.now() + functionMs;
    const invocation = { getRemainingTimeInMillis: () => endsAt - performance.now() };
    const response = await within(limitMs, handlers[operation](event, invocation), () => late(operation));
    // AWS refuses before it calls the function. Here the function's 403 comes first, because a new month does not lift it.
    if (!isWithinQuota && response.statusCode !== 403) throw new Refused('QUOTA_EXCEEDED', caller?.context);
    return response;
  }

  function responseTo(requestId: string, what: string, thrown: unknown): APIGatewayProxyResult {
    if (thrown instanceof Refused) {
      const error: GatewayError = GATEWAY_ERRORS[thrown.type];
      return gatewayResponse(error, error.status ?? 500, requestId, thrown.authorizer);
    }
    report(`${what}: the function failed: ${errorText(thrown)}`);
    return gatewayResponse(GATEWAY_ERRORS.INTEGRATION_FAILURE, 502, requestId);
  }

  return {
    async listener(message: IncomingMessage, response: ServerResponse, headers: Values): Promise<void> {
      const { method, url } = message;
      const isHead = method === 'HEAD';
      // No endpoint reads a body; it is drained, so that the connection can be used again.
      message.resume();
      const requestId = randomUUID();
      const result = await handle(message, headers, requestId).catch((thrown) =>
        responseTo(requestId, `${method} ${url?.split('?', 1)[0]}`, thrown),
      );
      const sent = framed(isHead, result);
      sendBatched(() => {
        if (response.destroyed) return;
        response.writeHead(sent.status, sent.headers);
        response.end(sent.body);
      });
    },
    /** A response to a request that no function gets: to an unreadable one, an unknown method, or another host. */
    refusal(of: keyof typeof REFUSALS): Sent {
      const { status, ...error } = REFUSALS[of];
      return framed(false, gatewayResponse(error, status, randomUUID()));
    },
    /** The keys may have changed. */
    forgetKeys: authorizer.forget,
  };
}

const REFUSALS = {
  unreadable: GATEWAY_ERRORS.BAD_REQUEST_PARAMETERS,
  'unknown-method': GATEWAY_ERRORS.MISSING_AUTHENTICATION_TOKEN,
  'foreign-host': {
    ...GATEWAY_ERRORS.DEFAULT_4XX,
    status: 403,
    message: 'The service on this machine does not answer under this host.',
    hint: 'Use 127.0.0.1 or localhost, or start it with --host and the name.',
  },
} as const;

// The server: sockets, hosts, unreadable requests, and an orderly shutdown.

const KEEP_ALIVE_MS = 65_000;
/** Time in which a client must send its headers, and its whole request. */
const HEADERS_MS = 20_000;
const REQUEST_MS = 30_000;
const GRACE_MS = 5000;

function portFault(thrown: unknown, port: number): StartError {
  if (errorCode(thrown) === 'EADDRINUSE')
    return new StartError(
      `port ${port} is in use: stop what uses it, or choose another with --port (0: any free one)`,
    );
  if (errorCode(thrown) === 'EACCES') return new StartError(`port ${port} needs special rights`);
  return new StartError(`port ${port} cannot be opened: ${errorText(thrown)}`);
}

/** Among the hosts: listen on every address, as in a container. Requests still have to name loopback or another of the hosts. */
const EVERY_ADDRESS = '0.0.0.0';
export const listensEverywhere = (hosts: readonly string[]): boolean => hosts.includes(EVERY_ADDRESS);

/** TCP ports of other protocols, 6000 for example: browsers and `fetch` refuse them before they connect. */
const isRefusedByBrowsers = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}`).then(
    () => false,
    (thrown: unknown) => thrown instanceof Error && errorText(thrown.cause) === 'bad port',
  );

/** Throws `StartError` where the port cannot be opened now, or browsers would refuse it. */
export async function checkPort(port: number, hosts: readonly string[]): Promise<void> {
  const server = createServer();
  await listen(server, port, hosts);
  await new Promise((resolve) => server.close(resolve));
  if (port !== 0 && (await isRefusedByBrowsers(port)))
    throw new StartError(`browsers refuse to connect to port ${port}: choose another with --port`);
}

const listen = (
  server: ReturnType<typeof createServer>,
  port: number,
  hosts: readonly string[],
): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (thrown) => reject(portFault(thrown, port)));
    server.listen(port, listensEverywhere(hosts) ? EVERY_ADDRESS : '127.0.0.1', resolve);
  });

/** A request line, with any word as its method. */
const REQUEST_LINE = /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]\r?\n/;

/** Whether Node's parser rejected an otherwise valid request because of its method. */
function isUnknownMethod(error: Error & { rawPacket?: Buffer; bytesParsed?: number }): boolean {
  if (errorCode(error) !== 'HPE_INVALID_METHOD') return false;
  const text = error.rawPacket?.toString('latin1') ?? '';
  const parsed = error.bytesParsed ?? 0;
  return REQUEST_LINE.test(text.slice(text.lastIndexOf('\n', parsed - 1) + 1));
}

/** A response as bytes on the wire, after which the connection ends. */
function rawResponse({ status, headers, body }: Sent): string {
  const lines = headers.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`));
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}Connection: close\r\n\r\n${body}`;
}

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])$/;
const nameOf = (host: string): string => host.replace(/:\d*$/, '').toLowerCase();

/**
 * What is wrong with the framing of a request or its host. A page of another host whose name resolves to this machine could otherwise
 * read the demo keys.
 */
function createHostCheck(hosts: readonly string[]) {
  const names = new Set(hosts.filter((name) => name !== EVERY_ADDRESS).map(nameOf));
  /** The host of the request before, most often that of all. */
  let known = '';
  return (message: IncomingMessage, headers: Values): 'unreadable' | 'foreign-host' | undefined => {
    const { host: [sent, ...others] = [], 'transfer-encoding': codings = ['chunked'] } = headers;
    if (others.length > 0 || codings.length > 1 || codings[0]?.toLowerCase() !== 'chunked')
      return 'unreadable';
    // The host of the absolute form counts in place of the header.
    const host = ABSOLUTE_FORM.exec(message.url ?? '')?.[1] ?? sent;
    if (sent === undefined || host === undefined)
      // HTTP/1.0 has none, and no browser speaks it.
      return message.httpVersion === '1.0' ? undefined : 'unreadable';
    if (host === known) return undefined;
    const name = nameOf(host);
    if (!LOOPBACK.test(name) && !names.has(name)) return 'foreign-host';
    known = host;
    return undefined;
  };
}

/**
 * Serves fronts and gateway on the loopback address, or on every address if `hosts` has 0.0.0.0. The other `hosts` are the names besides
 * those of loopback that requests may give as their host. Throws `StartError` when the port is taken.
 */
export async function serveGateway(
  gateway: Gateway,
  { port, fronts = [], hosts = [] }: { port: number; fronts?: readonly Front[]; hosts?: readonly string[] },
) {
  const faultOf = createHostCheck(hosts);
  const listener = (message: IncomingMessage, response: ServerResponse): void => {
    const headers = readHeaders(message);
    const fault = faultOf(message, headers);
    if (fault !== undefined) {
      const { status, headers, body } = gateway.refusal(fault);
      message.resume();
      response
        .writeHead(status, [...headers, 'Connection', 'close'])
        .end(message.method === 'HEAD' ? '' : body);
      return;
    }
    // No front serves a path of the API.
    for (const front of message.url?.startsWith('/v1/') ? [] : fronts) {
      const isServed = front(message, response);
      if (isServed === true) return;
      if (isServed === false) continue;
      // Only the last front takes its time.
      isServed.then((done) => (done ? undefined : gateway.listener(message, response, headers)));
      return;
    }
    gateway.listener(message, response, headers);
  };
  const server = createServer({ requireHostHeader: false, keepAlive: true }, listener);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = REQUEST_MS;
  /** The newest response of each connection; those before it are sent first. */
  const responses = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => responses.set(request.socket, response));
  /** Sent after the responses to earlier requests; a request that broke off midway has already had its response. */
  const refuse = (socket: Duplex, of: 'unreadable' | 'unknown-method'): void => {
    const last = responses.get(socket);
    const end = (): void => {
      if (!socket.writable) socket.destroy();
      else socket.end(last?.req.complete === false ? undefined : rawResponse(gateway.refusal(of)));
    };
    if (last === undefined || last.closed) end();
    else last.once('close', end);
  };
  server.on('clientError', (error, socket) => {
    if (errorCode(error) === 'ECONNRESET') socket.destroy();
    else refuse(socket, isUnknownMethod(error) ? 'unknown-method' : 'unreadable');
  });
  server.on('connect', (_request, socket: Socket) => refuse(socket, 'unknown-method'));
  server.on('checkExpectation', listener);

  await listen(server, port, hosts);
  return {
    /** Base address on this machine, without a trailing slash. */
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Accepts no more requests, lets current ones finish, and closes connections that are still open after the grace. */
    close: (graceMs = GRACE_MS) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

// The functions' log on one machine: a file of limited size, and the one before it.

const MAX_BYTES = 20 * 1024 * 1024;
/** Lines within this time are written together: one write per line would slow down every request. */
const GATHER_MS = 10;

/** Starts a new file at `path`; the old one, and each one that is full, moves to `path.1`. */
export function openBoundedLog(path: string, maxBytes = MAX_BYTES): Writable {
  mkdirSync(dirname(path), { recursive: true });
  const begin = (): number => {
    try {
      renameSync(path, `${path}.1`);
    } catch {
      // There is none yet.
    }
    return openSync(path, 'w', 0o600);
  };
  let file = begin();
  let size = 0;

  /** A full disk costs lines of the log, never the service. */
  const append = (lines: string, done: () => void): void => {
    const bytes = Buffer.from(lines);
    if (size > 0 && size + bytes.length > maxBytes) {
      try {
        const next = begin();
        closeSync(file);
        file = next;
      } catch {
        // The old file continues.
      }
      size = 0;
    }
    size += bytes.length;
    write(file, bytes, () => setTimeout(done, GATHER_MS));
  };
  return new Writable({
    // Lines are converted to bytes together, not one by one.
    decodeStrings: false,
    write: (line, _encoding, done) => append(String(line), done),
    writev: (lines, done) => append(lines.map(({ chunk }) => String(chunk)).join(''), done),
    final: (done) => {
      closeSync(file);
      done();
    },
  });
}

// What the port of the API serves beside it: pages, files and the status, before a request goes to the gateway.

/** The path that a request reads, without its query; undefined for any method but GET and HEAD. */
export const pathRead = ({ method, url = '' }: IncomingMessage): string | undefined =>
  method === 'GET' || method === 'HEAD' ? url.replace(/\?.*$/s, '') : undefined;

/** Whether the reader has the representation with the tag; it then gets a 304. */
export function isUnchanged(
  request: IncomingMessage,
  response: ServerResponse,
  headers: OutgoingHttpHeaders & { readonly ETag: string },
): boolean {
  if (!namesTag(request.headers['if-none-match'], headers.ETag)) return false;
  response.writeHead(304, headers).end();
  return true;
}

/** Sends the bytes, or to HEAD only their length. */
export function sendBytes(
  { method }: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders,
  bytes: Buffer,
): void {
  response.writeHead(status, { ...headers, 'Content-Length': bytes.length });
  response.end(method === 'HEAD' ? undefined : bytes);
}
