/** The client: one method per endpoint. */
import type { ResponseOf } from '../core/contracts/routes.ts';
import { overPorts, type Pace, type PortResult } from './many-ports.ts';
import type {
  AlertFeedOptions,
  AsOfOptions,
  CallOptions,
  ChangesOptions,
  ClientOptions,
  ForecastOptions,
  PortsOptions,
  RateLimit,
  TrendOptions,
  WaitsOptions,
  WindowOptions,
} from './options.ts';
import { makePath, type Operation } from './paths.ts';
import type {
  Alert,
  DwellPeriod,
  Forecast,
  HealthRecord,
  HsImportPoint,
  PortAlert,
  PortChange,
  PortRecord,
  Snapshot,
  SourceRecord,
  TrendPoint,
  WaitDay,
} from './records.ts';
import { sleep } from './retry.ts';
import { createTransport, type Transport } from './transport.ts';

// Checks the key before it is sent. No message contains it.

/** Whether this is a page or a worker of one, whose code every visitor can read. */
function inBrowser(): boolean {
  const { document, importScripts } = globalThis as { document?: unknown; importScripts?: unknown };
  return document !== undefined || typeof importScripts === 'function';
}

/** Throws a TypeError unless the key fits in a header and may be used here. */
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

/** CSV of the service ends with a line end; a body without one was cut off. */
function wholeCsv(body: string): string {
  if (!body.endsWith('\n')) throw new TypeError('cut off');
  return body;
}

type Query = Readonly<Record<string, string | number | undefined>>;

/**
 * Every method resolves with the data of a successful response, and rejects with a `PortCongestionError` or, once its signal is
 * aborted, with the signal's reason. 429, 5xx and network errors are retried; an unchanged response
 * comes from the cache after a 304.
 */
export class PortCongestionClient {
  readonly #send: Transport;
  readonly #pace: Pace;

  /** Throws a TypeError for an invalid base address or key. */
  constructor(options: ClientOptions) {
    if (!/^https?:\/\/[^/?#]/.test(options.baseUrl))
      throw new TypeError('baseUrl must be an http or https address');
    checkKey(options.apiKey, options.allowLiveKeyInBrowser ?? false);
    let rateLimit: RateLimit | undefined;
    this.#pace = { rateLimit: () => rateLimit, sleep: options.sleep ?? sleep };
    this.#send = createTransport({
      ...options,
      onResponse: (info) => {
        rateLimit = info.rateLimit ?? rateLimit;
        options.onResponse?.(info);
      },
    });
  }

  /** Availability probe. Sends no key. */
  health(options?: CallOptions): Promise<HealthRecord> {
    return this.#json('health', '', {}, options);
  }

  /** Upstream sources and when each was last fetched. */
  sources(options?: CallOptions): Promise<SourceRecord[]> {
    return this.#json('sources', '', {}, options);
  }

  /** The same as CSV. */
  sourcesCsv(options?: CallOptions): Promise<string> {
    return this.#csv('sources', '', {}, options);
  }

  /** Covered ports with their newest figures: all of them, or those of one country; by UN/LOCODE unless sorted. */
  ports({ sort, country, asOf, signal }: PortsOptions = {}): Promise<PortRecord[]> {
    return this.#json('ports', '', { sort, country, as_of: asOf }, { signal });
  }

  /** The same as CSV. */
  portsCsv({ sort, country, asOf, signal }: PortsOptions = {}): Promise<string> {
    return this.#csv('ports', '', { sort, country, as_of: asOf }, { signal });
  }

  /** Ports with their change over seven days and the scores of thirty days, the largest change first: by default ten. Beta. */
  changes({ limit, signal }: ChangesOptions = {}): Promise<PortChange[]> {
    return this.#json('changes', '', { limit }, { signal });
  }

  /** The same as CSV. */
  changesCsv({ limit, signal }: ChangesOptions = {}): Promise<string> {
    return this.#csv('changes', '', { limit }, { signal });
  }

  /** Congestion day by day, oldest first. `port` is a UN/LOCODE in upper case. */
  trend(port: string, { window, days, until, asOf, signal }: TrendOptions): Promise<TrendPoint[]> {
    return this.#json('trend', port, { window, days, until, as_of: asOf }, { signal });
  }

  /** The same as CSV. */
  trendCsv(port: string, { window, days, until, asOf, signal }: TrendOptions): Promise<string> {
    return this.#csv('trend', port, { window, days, until, as_of: asOf }, { signal });
  }

  /** Wait statistics day by day, unsmoothed, oldest first: by default of the last 30 days. */
  waits(port: string, { from, to, class: vesselClass, asOf, signal }: WaitsOptions = {}): Promise<WaitDay[]> {
    return this.#json('waits', port, { from, to, class: vesselClass, as_of: asOf }, { signal });
  }

  /** The same as CSV. */
  waitsCsv(port: string, { from, to, class: vesselClass, asOf, signal }: WaitsOptions = {}): Promise<string> {
    return this.#csv('waits', port, { from, to, class: vesselClass, as_of: asOf }, { signal });
  }

  /** The next seven days of one figure, by default the average wait, with the error of such forecasts. Beta. */
  forecast(port: string, { metric, signal }: ForecastOptions = {}): Promise<Forecast> {
    return this.#json('forecast', port, { metric }, { signal });
  }

  /** The same as CSV. */
  forecastCsv(port: string, { metric, signal }: ForecastOptions = {}): Promise<string> {
    return this.#csv('forecast', port, { metric }, { signal });
  }

  /** The port at its newest observation, or at the last one of a past day. */
  snapshot(port: string, { asOf, signal }: AsOfOptions = {}): Promise<Snapshot> {
    return this.#json('snapshot', port, { as_of: asOf }, { signal });
  }

  /** Closed waits and berth stays that ended in the window, by default 14 days; oldest first. */
  dwell(port: string, { window, days, until, signal }: WindowOptions = {}): Promise<DwellPeriod[]> {
    return this.#json('dwell', port, { window, days, until }, { signal });
  }

  /** The same as CSV. */
  dwellCsv(port: string, { window, days, until, signal }: WindowOptions = {}): Promise<string> {
    return this.#csv('dwell', port, { window, days, until }, { signal });
  }

  /** Alerts of the window, by default 30 days; newest first. */
  alerts(
    port: string,
    { window, days, until, asOf, signal }: WindowOptions & AsOfOptions = {},
  ): Promise<Alert[]> {
    return this.#json('alerts', port, { window, days, until, as_of: asOf }, { signal });
  }

  /** The same as CSV. */
  alertsCsv(
    port: string,
    { window, days, until, asOf, signal }: WindowOptions & AsOfOptions = {},
  ): Promise<string> {
    return this.#csv('alerts', port, { window, days, until, as_of: asOf }, { signal });
  }

  /** Alerts of all ports since a UTC day, by default of seven days; newest day first. `after` continues a full page. */
  alertFeed({ signal, ...query }: AlertFeedOptions = {}): Promise<PortAlert[]> {
    return this.#json('alertFeed', '', query, { signal });
  }

  /** The same as CSV. */
  alertFeedCsv({ signal, ...query }: AlertFeedOptions = {}): Promise<string> {
    return this.#csv('alertFeed', '', query, { signal });
  }

  /** Monthly import momentum of an HS code of 2, 4, 6, 8 or 10 digits, oldest first. Beta. */
  hsImports(code: string, { asOf, signal }: AsOfOptions = {}): Promise<HsImportPoint[]> {
    return this.#json('hsImports', code, { as_of: asOf }, { signal });
  }

  /** The same as CSV. */
  hsImportsCsv(code: string, { asOf, signal }: AsOfOptions = {}): Promise<string> {
    return this.#csv('hsImports', code, { as_of: asOf }, { signal });
  }

  /**
   * Calls `request` for one port after the other and yields each result as it comes: the value, or the error of that port.
   * Stays within the limit of the key. Throws on an error of the key itself.
   *
   * @example
   * for await (const { port, value } of client.eachPort(ports, (port) => client.snapshot(port))) console.log(port, value);
   */
  eachPort<T>(
    ports: Iterable<string>,
    request: (port: string, signal: AbortSignal | undefined) => Promise<T>,
    { signal }: CallOptions = {},
  ): AsyncGenerator<PortResult<T>, void, undefined> {
    return overPorts(ports, request, this.#pace, signal);
  }

  #json<O extends Operation>(
    operation: O,
    subject: string,
    query: Query,
    options?: CallOptions,
  ): Promise<ResponseOf<O>> {
    return this.#send({
      path: makePath(operation, subject, query),
      type: 'application/json',
      authenticated: operation !== 'health',
      signal: options?.signal,
      read: (body) => JSON.parse(body) as ResponseOf<O>,
    });
  }

  #csv(operation: Operation, subject: string, query: Query, options?: CallOptions): Promise<string> {
    return this.#send({
      path: makePath(operation, subject, { ...query, format: 'csv' }),
      type: 'text/csv',
      authenticated: true,
      signal: options?.signal,
      read: wholeCsv,
    });
  }
}
