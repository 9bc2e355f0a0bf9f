/** The client: one method for every operation of the contract. */
import { ROUTES } from '../../core/contracts/routes.ts';
import type { Operations } from './contract.ts';
import { PortCongestionError } from './error.ts';
import type { CallOptions, ClientOptions, PortResult, RateLimit } from './options.ts';
import { createTransport, sleep, type Transport } from './transport.ts';

/** Name of an operation: `trend`, `snapshot`, `alertFeed` and so on. */
export type Operation = keyof Operations;
/** Its parameters, those of the path and those of the query, by the names that the API gives them. */
export type RequestParameters<O extends Operation> = Operations[O]['parameters'];
/** The body of its JSON response. */
export type ResponseBody<O extends Operation> = Operations[O]['response'];
/** Operations that have a CSV form. */
export type CsvOperation = {
  [O in Operation]: 'csv' extends Operations[O]['format'] ? O : never;
}[Operation];

/** Requests per minute that are left to other programs with the same key. */
const RESERVE = 5;
/** The service gives one request back per second; the rest covers network delay. */
const PACE_MS = 1_100;

type Values = Readonly<Record<string, string | number | undefined>>;

/** Whether this is a page or a worker of one, whose code every visitor can read. */
function inBrowser(): boolean {
  const { document, importScripts } = globalThis as { document?: unknown; importScripts?: unknown };
  return document !== undefined || typeof importScripts === 'function';
}

/** Throws a TypeError, which does not contain the key, unless the key fits in a header and may be used here. */
function checkKey(key: string | undefined, allowLiveInBrowser: boolean): void {
  if (key === undefined) return;
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new TypeError(
      'apiKey is empty or has characters that keys never have, such as a space or a line end',
    );
  if (key.startsWith('pcd_live_') && inBrowser() && !allowLiveInBrowser)
    throw new TypeError(
      'a live key does not belong in a browser, where every visitor can read it: call the service from your own server, or set allowLiveKeyInBrowser',
    );
}

/** Path and query of a request: parameters in the path template fill it, all others form the query. */
function makePath(operation: Operation, parameters: Values): string {
  const [pattern] = ROUTES[operation].paths;
  const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parameters[name])),
  );
  const query = Object.entries(parameters)
    .filter(([name, value]) => value !== undefined && !pattern.includes(`{${name}}`))
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

/** CSV of the service ends with a line end; a body without one was cut off. */
function wholeCsv(body: string): string {
  if (!body.endsWith('\n')) throw new TypeError('cut off');
  return body;
}

export class PortCongestionClient {
  readonly #send: Transport;
  readonly #sleep: typeof sleep;
  /** From the newest response, if any. */
  #rateLimit: RateLimit | undefined;

  /** Throws a TypeError for an invalid base address or key. */
  constructor(options: ClientOptions) {
    if (!/^https?:\/\/[^/?#]/.test(options.baseUrl))
      throw new TypeError('baseUrl must be an http or https address');
    checkKey(options.apiKey, options.allowLiveKeyInBrowser ?? false);
    this.#sleep = options.sleep ?? sleep;
    this.#send = createTransport({
      ...options,
      onResponse: (info) => {
        this.#rateLimit = info.rateLimit ?? this.#rateLimit;
        options.onResponse?.(info);
      },
    });
  }

  /**
   * Resolves with the body of a successful response: parsed JSON, or with `format: 'csv'` the CSV text. Rejects with a
   * `PortCongestionError` or, once the signal is aborted, with the signal's reason. 429, 5xx and network errors are
   * retried; an unchanged response comes from the cache after a 304.
   *
   * @example
   * await client.get('trend', { UNLOCODE: 'HKHKG', window: '7d' });
   */
  get<O extends CsvOperation>(
    operation: O,
    parameters: RequestParameters<O> & { readonly format: 'csv' },
    options?: CallOptions,
  ): Promise<string>;
  get<O extends Operation>(
    operation: O,
    ...rest: Partial<RequestParameters<O>> extends RequestParameters<O>
      ? [parameters?: RequestParameters<O>, options?: CallOptions]
      : [parameters: RequestParameters<O>, options?: CallOptions]
  ): Promise<ResponseBody<O>>;
  async get(operation: Operation, parameters: Values = {}, options: CallOptions = {}): Promise<unknown> {
    const csv = parameters.format === 'csv';
    return this.#send({
      path: makePath(operation, parameters),
      type: csv ? 'text/csv' : 'application/json',
      authenticated: ROUTES[operation].authenticated,
      signal: options.signal,
      read: csv ? wholeCsv : (body) => JSON.parse(body),
    });
  }

  /**
   * Calls `request` for one port after the other and yields each result as it comes: the value, or the error of that port.
   * Stays within the limit of the key. Throws on an error of the key itself.
   *
   * @example
   * for await (const { port, value } of client.eachPort(ports, (UNLOCODE) => client.get('snapshot', { UNLOCODE })))
   *   console.log(port, value);
   */
  async *eachPort<T>(
    ports: Iterable<string>,
    request: (port: string, signal: AbortSignal | undefined) => Promise<T>,
    { signal }: CallOptions = {},
  ): AsyncGenerator<PortResult<T>, void, undefined> {
    for (const port of ports) {
      if (this.#rateLimit && this.#rateLimit.remaining <= RESERVE) await this.#sleep(PACE_MS, signal);
      let result: PortResult<T>;
      try {
        result = { port, value: await request(port, signal) };
      } catch (thrown) {
        // Every further port would fail with an error of the key too.
        if (!(thrown instanceof PortCongestionError) || thrown.status === 401 || thrown.status === 403)
          throw thrown;
        result = { port, error: thrown };
      }
      yield result;
    }
  }
}
