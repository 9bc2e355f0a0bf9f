/** The reader's session with the API: the key, in memory only, and the newest statement of its limit. */
import type { ErrorEnvelope } from '../../core/contracts/errors.ts';
import { HEADERS, KEY_HEADER } from '../../core/contracts/headers.ts';
import { type OperationId, ROUTES } from '../../core/contracts/routes.ts';

// Path and query of a request, from the route table.

/** `values` by parameter name: that of the path, and those of the query. */
export function requestPath(operation: OperationId, values: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(values);
  const path = ROUTES[operation].paths[0].replace(/\{(\w+)\}/, (_, name: string) => {
    query.delete(name);
    return encodeURIComponent(values[name] ?? '');
  });
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The key's allotment as stated in the response. */
interface Limits {
  readonly limit: number;
  readonly remaining: number;
  /** Epoch seconds. */
  readonly resetsAt: number;
}

export interface DataResponse {
  readonly kind: 'data';
  readonly text: string;
  readonly limits: Limits | undefined;
}

export interface ErrorResponse {
  readonly kind: 'error';
  readonly status: number;
  readonly error: ErrorEnvelope;
  readonly retryAfterSeconds: number | undefined;
  readonly limits: Limits | undefined;
}

interface NoResponse {
  readonly kind: 'no-response';
}

export type Outcome = DataResponse | ErrorResponse | NoResponse;
export type Fetcher = (
  path: string,
  init: { headers: Record<string, string>; signal?: AbortSignal },
) => Promise<Response>;

function readLimits(headers: Headers): Limits | undefined {
  const read = (name: string): number => Number(headers.get(name) ?? Number.NaN);
  const limits = {
    limit: read(HEADERS.rateLimitLimit),
    remaining: read(HEADERS.rateLimitRemaining),
    resetsAt: read(HEADERS.rateLimitReset),
  };
  return Object.values(limits).every(Number.isFinite) ? limits : undefined;
}

/** Whether the body can be the API's: a web page comes from a proxy in between. */
const isApiBody = (contentType: string): boolean => /^application\/json\b/.test(contentType);

/** The error envelope in `text`; a proxy between the page and the API may respond without one. */
function envelopeIn(text: string, status: number, requestId: string): ErrorEnvelope {
  try {
    const body = JSON.parse(text) as ErrorEnvelope;
    if (typeof body.code === 'string' && typeof body.message === 'string') return body;
  } catch {
    // The envelope below says so.
  }
  const isFault = status >= 400 && status < 500;
  const code = status === 429 ? 'rate_limited' : isFault ? 'bad_request' : 'upstream_error';
  return {
    code,
    message: `The response has status ${status} and is not the API's own.`,
    request_id: requestId,
    hint: 'Something between you and the API may have responded. Try again in a minute.',
  };
}

/** Sends a GET of `path` with `key`, if there is one. Undefined when `signal` has aborted it. */
export async function send(
  path: string,
  key: string,
  fetcher: Fetcher,
  signal?: AbortSignal,
): Promise<Outcome | undefined> {
  let response: Response;
  let text: string;
  try {
    const headers: Record<string, string> = key === '' ? {} : { [KEY_HEADER]: key };
    response = await fetcher(path, { headers, signal });
    text = await response.text();
  } catch {
    return signal?.aborted ? undefined : { kind: 'no-response' };
  }
  const { headers, status } = response;
  const requestId = headers.get(HEADERS.requestId) ?? '';
  const limits = readLimits(headers);
  const contentType = headers.get(HEADERS.contentType) ?? '';
  if (!response.ok || !isApiBody(contentType)) {
    const seconds = Number(headers.get(HEADERS.retryAfter) ?? Number.NaN);
    const retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined;
    return { kind: 'error', status, error: envelopeIn(text, status, requestId), retryAfterSeconds, limits };
  }
  return { kind: 'data', text, limits };
}

/**
 * The reader's own key, kept for the other pages of the portal until the tab is closed: only where the reader asks for it. Without
 * storage it is not kept.
 */
const STORAGE_KEY = 'portal-key';

export function keptKey(): string | undefined {
  try {
    return sessionStorage.getItem(STORAGE_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Undefined forgets it. */
export function keepKey(key: string | undefined): void {
  try {
    if (key === undefined) sessionStorage.removeItem(STORAGE_KEY);
    else sessionStorage.setItem(STORAGE_KEY, key);
  } catch {
    // The session has it until the page is left.
  }
}

export interface Session {
  readonly key: string;
  /** Newest statement of the allotment. */
  readonly limits: Limits | undefined;
  setKey(key: string): void;
  onChange(listener: () => void): void;
  /** Undefined when `signal` has aborted the request. */
  ask(path: string, signal?: AbortSignal): Promise<Outcome | undefined>;
}

export function createSession(fetcher: Fetcher): Session {
  let key = '';
  let limits: Limits | undefined;
  const listeners: (() => void)[] = [];
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  const ask: Session['ask'] = async (path, signal) => {
    const outcome = await send(path, key, fetcher, signal);
    if (signal?.aborted) return undefined;
    if (outcome !== undefined && outcome.kind !== 'no-response' && outcome.limits !== undefined) {
      limits = outcome.limits;
      notify();
    }
    return outcome;
  };
  return {
    get key() {
      return key;
    },
    get limits() {
      return limits;
    },
    setKey(given) {
      key = given.trim();
      limits = undefined;
      notify();
    },
    onChange: (listener) => void listeners.push(listener),
    ask,
  };
}
