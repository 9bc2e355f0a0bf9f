/** A service with scripted responses, where waiting takes no time. */
import { type ClientOptions, createClient } from '../../../packages/client/index.ts';

/** A status with its usual response, a whole response, or what `fetch` throws. */
export type Step =
  | number
  | { status: number; headers?: Record<string, string>; body?: string }
  | { throws: unknown };

export const KEY = 'pcd_dev_000000000000000000000000';
export const REQUEST_ID = '0f4f2a54-6c1e-4b0a-9d5e-2f6f0d8f3a71';
export const STARTED_AT = Date.UTC(2026, 10, 20, 12);

function scriptedResponse(step: Exclude<Step, { throws: unknown }>): Response {
  const { status, headers: given, body } = typeof step === 'number' ? { status: step } : step;
  const headers = { 'Content-Type': 'application/json', 'x-request-id': REQUEST_ID, ...given };
  if (status === 304) return new Response(null, { status, headers });
  const code = status === 429 ? 'rate_limited' : status < 500 ? 'not_found' : 'upstream_error';
  const error = { code, message: `Status ${status}.`, request_id: REQUEST_ID, hint: 'Do better.' };
  return new Response(body ?? JSON.stringify(status === 200 ? [] : error), { status, headers });
}

type Init = { params?: object; parseAs?: 'text'; signal?: AbortSignal; headers?: Record<string, string> };

/** The data of a path; throws the envelope of an error, with its status. */
export function reader(options: ClientOptions) {
  const client = createClient(options);
  return async (path = '/v1/meta/sources', init: Init = {}): Promise<unknown> => {
    const { data, error, response } = await client.GET(path as '/v1/meta/sources', init as never);
    if (error !== undefined) throw { ...error, status: response.status };
    return data;
  };
}

/** The last step of the script goes on for ever. `chance` is what random() gives, one after the other. */
export function virtualService(
  script: readonly Step[],
  options: Partial<ClientOptions> = {},
  chance: readonly number[] = [0.5],
) {
  const waits: number[] = [];
  const requests: { path: string; headers: Readonly<Record<string, string>> }[] = [];
  let [nowMs, drawn] = [STARTED_AT, 0];
  const get = reader({
    baseUrl: 'http://service.test',
    apiKey: KEY,
    fetch: async (request) => {
      const step = script[Math.min(requests.length, script.length - 1)] ?? 200;
      const path = request.url.replace('http://service.test', '');
      const headers: Record<string, string> = {};
      request.headers.forEach((value, name) => {
        headers[name] = value;
      });
      requests.push({ path, headers });
      if (typeof step === 'object' && 'throws' in step) throw step.throws;
      return scriptedResponse(step);
    },
    now: () => nowMs,
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      waits.push(ms);
      nowMs += ms;
    },
    random: () => chance[drawn++ % chance.length] ?? 0.5,
    ...options,
  });
  return { get, waits, requests };
}

/** What a call rejects with; a call that succeeds is a mistake of the test. */
export const rejection = async <E = Record<string, unknown>>(call: Promise<unknown>): Promise<E> => {
  const outcome = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('value' in outcome) throw new Error(`expected a rejection, got ${JSON.stringify(outcome.value)}`);
  return outcome.error as E;
};
