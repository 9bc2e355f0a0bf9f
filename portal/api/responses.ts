/** The API's responses by path: each requested once with the reader's key, which is in memory only. */
import type { ErrorEnvelope } from '../../core/contracts/errors.ts';
import { type OperationId, ROUTES } from '../../core/contracts/routes.ts';
import { HEADERS, KEY_HEADER } from '../../core/contracts/wire.ts';

/** `values` by parameter name: that of the path, and those of the query. */
export function requestPath(
  operation: OperationId,
  values: Readonly<Record<string, string | undefined>> = {},
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, value);
  const path = ROUTES[operation].paths[0].replace(/\{(\w+)\}/, (_, name: string) => {
    query.delete(name);
    return encodeURIComponent(values[name] ?? '');
  });
  return query.size === 0 ? path : `${path}?${query}`;
}

interface Limits {
  readonly limit: number;
  readonly remaining: number;
}

interface DataResponse {
  readonly kind: 'data';
  readonly body: unknown;
  readonly limits: Limits | undefined;
}

export interface ErrorResponse {
  readonly kind: 'error';
  readonly status: number;
  readonly error: ErrorEnvelope;
  readonly retryAfterSeconds: number | undefined;
  readonly limits: Limits | undefined;
}

export type Outcome = DataResponse | ErrorResponse | { readonly kind: 'no-response' };
export type Failure = Exclude<Outcome, DataResponse>;
export type Fetcher = (path: string, init: { headers: Record<string, string> }) => Promise<Response>;

function readNumber(headers: Headers, name: string): number | undefined {
  const value = Number(headers.get(name) ?? Number.NaN);
  return Number.isFinite(value) ? value : undefined;
}

function readLimits(headers: Headers): Limits | undefined {
  const limit = readNumber(headers, HEADERS.rateLimitLimit);
  const remaining = readNumber(headers, HEADERS.rateLimitRemaining);
  return limit === undefined || remaining === undefined ? undefined : { limit, remaining };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The error envelope in `body`; a proxy between the page and the API may respond without one. */
function envelopeIn(body: unknown, status: number, requestId: string): ErrorEnvelope {
  const envelope = body as Partial<ErrorEnvelope> | null | undefined;
  if (typeof envelope?.code === 'string' && typeof envelope.message === 'string')
    return envelope as ErrorEnvelope;
  const isFault = status >= 400 && status < 500;
  const code = status === 429 ? 'rate_limited' : isFault ? 'bad_request' : 'upstream_error';
  return {
    code,
    message: `The response has status ${status} and is not the API's own.`,
    request_id: requestId,
    hint: 'Something between you and the API may have responded. Try again in a minute.',
  };
}

/** Sends a GET of `path` with `key`, if there is one. */
export async function send(path: string, key: string, fetcher: Fetcher): Promise<Outcome> {
  let response: Response;
  let text: string;
  try {
    response = await fetcher(path, { headers: key === '' ? {} : { [KEY_HEADER]: key } });
    text = await response.text();
  } catch {
    return { kind: 'no-response' };
  }
  const { headers, status, ok } = response;
  const limits = readLimits(headers);
  const body = parsed(text);
  // A web page comes from a proxy in between.
  if (ok && body !== undefined && /^application\/json\b/.test(headers.get(HEADERS.contentType) ?? ''))
    return { kind: 'data', body, limits };
  const retryAfterSeconds = readNumber(headers, HEADERS.retryAfter);
  const error = envelopeIn(body, status, headers.get(HEADERS.requestId) ?? '');
  return { kind: 'error', status, error, retryAfterSeconds, limits };
}

/** The reader's own key, kept for the other pages until the tab is closed, where the reader asks for it and the browser has storage. */
const STORAGE_KEY = 'portal-key';

export function keptKey(): string | undefined {
  try {
    return sessionStorage.getItem(STORAGE_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keepKey(key: string | undefined): void {
  try {
    if (key === undefined) sessionStorage.removeItem(STORAGE_KEY);
    else sessionStorage.setItem(STORAGE_KEY, key);
  } catch {
    // The session has it until the page is left.
  }
}

/** Older data are requested again when they are next drawn. */
const MAX_AGE_MS = 5 * 60_000;

interface Entry {
  outcome: Outcome | undefined;
  /** Epoch milliseconds. */
  askedAt: number;
}

export type Responses = ReturnType<typeof createResponses>;

/** Calls `changed` whenever a call of `read` would return something else. */
export function createResponses(fetcher: Fetcher, changed: () => void) {
  let key = '';
  let limits: Limits | undefined;
  let entries = new Map<string, Entry>();
  let shown = new Map<string, Outcome>();
  const request = async (path: string, outcome?: Outcome): Promise<void> => {
    const entry: Entry = { outcome, askedAt: Date.now() };
    entries.set(path, entry);
    const usedKey = key;
    const arrived = await send(path, key, fetcher);
    if (entries.get(path) !== entry || key !== usedKey) return;
    entry.outcome = arrived;
    if (arrived.kind !== 'no-response') limits = arrived.limits ?? limits;
    changed();
  };
  /** The response of `path`, requested at the first call; undefined until it arrives, and without a key. */
  const read = (path: string): Outcome | undefined => {
    if (key === '') return undefined;
    const entry = entries.get(path);
    const isOld = entry?.outcome?.kind === 'data' && Date.now() - entry.askedAt > MAX_AGE_MS;
    if (entry === undefined || isOld) void request(path, entry?.outcome);
    return entry?.outcome;
  };
  return {
    get key(): string {
      return key;
    },
    /** Newest statement of the key's allotment. */
    get limits(): Limits | undefined {
      return limits;
    },
    /** Forgets everything that was seen with another key. */
    setKey(given: string): void {
      key = given.trim();
      limits = undefined;
      entries = new Map();
      shown = new Map();
      changed();
    },
    read,
    /** The same; until it arrives, the data that `place` of the page showed before. */
    readInto(place: string, path: string): Outcome | undefined {
      const outcome = read(path);
      if (outcome?.kind === 'data') shown.set(place, outcome);
      return outcome ?? shown.get(place);
    },
    retry(path: string): void {
      entries.delete(path);
      changed();
    },
  };
}

/** The plan of the key does not have the data. */
export const isOutsidePlan = (outcome: Outcome | undefined): boolean =>
  outcome?.kind === 'error' && outcome.status === 403;

/** The body of a response; undefined without one. */
export const dataOf = <T>(outcome: Outcome | undefined): T | undefined =>
  outcome?.kind === 'data' ? (outcome.body as T) : undefined;

// The table in a response: the page lists and draws the values exactly as returned.

export interface Table {
  readonly columns: readonly string[];
  /** Texts exactly as in the response. */
  readonly rows: readonly (readonly string[])[];
}

export function toTable(records: readonly object[]): Table {
  const rows = records.map((record) => new Map<string, unknown>(Object.entries(record)));
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  return { columns, rows: rows.map((row) => columns.map((name) => String(row.get(name) ?? ''))) };
}
