import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { Context } from 'aws-lambda';
import type { KeyContext } from '../../../core/access/keys.ts';
import type { Admission } from '../../../core/access/limiter.ts';
import { ApiError, errorEnvelope } from '../../../core/contracts/errors.ts';
import type { Route } from '../../../core/contracts/route.ts';
import { ROUTES } from '../../../core/contracts/routes.ts';
import { createHandler, type RequestHandler, type RequestRecord } from '../../../core/http/chain.ts';
import { allowedOrigins } from '../../../core/http/response.ts';
import { type EventParts, gatewayEvent, INVOCATION, STARTER_KEY } from '../../builders/gateway-event.ts';

class Outage extends Error {}
class OtherOutage extends Error {}
/** What a caller reads of a failure. */
const SENTENCE = /^[A-Z][^!]*\.$/;

const ADMITTED: Admission = { admitted: true, headers: { 'RateLimit-Limit': '60' } };
const REFUSED: Admission = { admitted: false, headers: { 'RateLimit-Limit': '60' }, retryAfterSeconds: 7 };
const ROWS = [{ date: '2026-01-01', congestion_score: 0.5, avg_wait_hours: 1.5, vessels: 3 }];
const TREND: EventParts = {
  resource: '/v1/ports/{UNLOCODE}/trend',
  path: { UNLOCODE: 'USLAX' },
  query: { window: ['7d'] },
};

function chainOf(
  respond: RequestHandler<Route> = async () => ROWS,
  {
    admission = ADMITTED,
    route = ROUTES.trend as Route,
    origins = [] as string[],
    contact = undefined as string | undefined,
  } = {},
) {
  let milliseconds = 100;
  const records: RequestRecord[] = [];
  const spent: KeyContext[] = [];
  const handler = createHandler('trend', route, respond, {
    limiter: {
      admit: async (key) => {
        spent.push(key);
        return admission;
      },
    },
    telemetry: { request: (record) => records.push(record), limiterFailure: () => {} },
    outages: [Outage, OtherOutage],
    contact,
    corsOrigins: new Set(origins),
    // Every look at it finds it 7 ms further.
    now: () => Date.UTC(2026, 0, 6, 12),
    stopwatch: () => {
      milliseconds += 7;
      return milliseconds;
    },
  });
  return {
    call: (parts: EventParts, invocation = INVOCATION) => handler(gatewayEvent(parts), invocation),
    records,
    spent,
  };
}

describe('a good request', () => {
  it('gets JSON with its validators, the id and the limits', async () => {
    const { call } = chainOf();
    const reply = await call(TREND);
    expect(reply).toMatchObject({ statusCode: 200, body: JSON.stringify(ROWS) });
    expect(reply.headers).toMatchObject({
      'Content-Type': 'application/json',
      'Cache-Control': 'public, max-age=300',
      Vary: 'X-API-Key, Accept-Encoding',
      'RateLimit-Limit': '60',
      'x-request-id': '3b241101-e2bb-4255-8caf-4136c566a962',
    });
    expect(reply.headers?.ETag).toMatch(/^"[^"]+"$/);
  });

  it('has what the endpoint notes of its data among the headers', async () => {
    const { call } = chainOf(async (_, notes) => {
      notes.set('X-Vintages', '4');
      return ROWS;
    });
    expect(await call(TREND)).toMatchObject({
      body: JSON.stringify(ROWS),
      headers: { 'X-Vintages': '4', 'Content-Type': 'application/json' },
    });
  });

  it('gets the same rows as CSV, under another tag and a file name', async () => {
    const { call } = chainOf();
    const json = await call(TREND);
    const csv = await call({ ...TREND, query: { window: ['7d'], format: ['csv'] } });
    expect(csv.body).toBe('date,congestion_score,avg_wait_hours,vessels\n2026-01-01,0.5,1.5,3\n');
    expect(csv.headers).toMatchObject({
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'inline; filename="USLAX-trend-7d.csv"',
    });
    expect(csv.headers?.ETag).not.toBe(json.headers?.ETag);
  });

  it('gets gzip where the client takes it and the body exceeds a kilobyte, and 304 for the tag of either encoding', async () => {
    const rows = Array.from({ length: 30 }, () => ROWS[0]);
    const { call } = chainOf(async () => rows);
    const accepting = (headers: EventParts['headers'] = {}): EventParts => ({
      ...TREND,
      headers: { 'accept-encoding': ['br, GZIP'], ...headers },
    });
    const plain = await call(TREND);
    const packed = await call(accepting());
    expect(packed).toMatchObject({ isBase64Encoded: true, headers: { 'Content-Encoding': 'gzip' } });
    expect(gunzipSync(Buffer.from(packed.body, 'base64')).toString()).toBe(plain.body);
    expect(plain.headers?.['Content-Encoding']).toBeUndefined();
    const tags = [plain, packed].map(({ headers }) => String(headers?.ETag));
    expect(tags[1]).toBe(`${tags[0]?.slice(0, -1)}-gzip"`);
    const any = await call({ ...TREND, headers: { 'If-None-Match': ['*'] } });
    expect(any.headers?.ETag).toBe(tags[0]);
    for (const tag of tags)
      for (const parts of [TREND, accepting()]) {
        const reply = await call({ ...parts, headers: { ...parts.headers, 'If-None-Match': [tag] } });
        expect([reply.statusCode, reply.headers?.ETag, reply.body]).toEqual([304, tag, '']);
      }
    const { isBase64Encoded: _, ...unpacked } = packed;
    expect(await call({ ...accepting(), method: 'HEAD' })).toEqual({
      ...unpacked,
      headers: {
        ...packed.headers,
        'Content-Length': String(Buffer.from(packed.body, 'base64').length),
      },
      body: '',
    });
  });

  it('gets a short body as it is, and no 304 for the tag of a gzip form that it does not have', async () => {
    const { call } = chainOf();
    const { headers } = await call(TREND);
    const tag = `${String(headers?.ETag).slice(0, -1)}-gzip"`;
    const again = { 'accept-encoding': ['gzip'], 'If-None-Match': [tag] };
    expect(await call({ ...TREND, headers: again })).toMatchObject({ statusCode: 200, headers });
  });

  it('gets no body on HEAD, every header that GET has, and the length of its body', async () => {
    const { call } = chainOf();
    const [get, head] = [await call(TREND), await call({ ...TREND, method: 'HEAD' })];
    const length = String(Buffer.byteLength(get.body));
    expect(head).toEqual({ ...get, headers: { ...get.headers, 'Content-Length': length }, body: '' });
  });
});

it('the log has one line for each request, with its status, its time and the first characters of the digest', async () => {
  const { call, records } = chainOf();
  await call(TREND);
  const requestId = '3b241101-e2bb-4255-8caf-4136c566a962';
  expect(records).toEqual([{ requestId, operation: 'trend', status: 200, durationMs: 7, key: 'abababab' }]);
});

describe('an endpoint without keys', () => {
  it('asks for none, spends nothing, and its response may not be cached', async () => {
    const { call, spent, records } = chainOf(async () => ({ status: 'ok' }), { route: ROUTES.health });
    const reply = await call({ resource: '/v1/health', key: { digest: 'no digest', state: 'disabled' } });
    expect(reply).toMatchObject({ statusCode: 200, body: '{"status":"ok"}' });
    expect(reply.headers).toEqual({
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'x-request-id': '3b241101-e2bb-4255-8caf-4136c566a962',
    });
    expect(spent).toEqual([]);
    expect(records).toMatchObject([{ status: 200, key: undefined }]);
  });

  it('has no entity tag, so If-None-Match does not apply to it', async () => {
    const { call } = chainOf(async () => ({ status: 'ok' }), { route: ROUTES.health });
    const reply = await call({ resource: '/v1/health', headers: { 'If-None-Match': ['*'] } });
    expect(reply).toMatchObject({ statusCode: 200, body: '{"status":"ok"}' });
  });
});

describe('a fault', () => {
  const throwing = (error: unknown) => async () => {
    throw error;
  };
  const none = throwing(new ApiError('not_found', 'no such port'));
  const outage = throwing(new Outage('table x'));
  const otherOutage = throwing(new OtherOutage('table y'));
  const broken = throwing(new TypeError('x is undefined'));
  const noError = throwing('table z');
  const unasked = { ...TREND, query: {} };
  const cases: [string, EventParts, RequestHandler<Route> | undefined, Admission, number, string][] = [
    ['of a parameter', unasked, undefined, ADMITTED, 422, 'validation_failed'],
    ['that the endpoint states', TREND, none, ADMITTED, 404, 'not_found'],
    ['of the store', TREND, outage, ADMITTED, 503, 'upstream_error'],
    ['of another part of the store', TREND, otherOutage, ADMITTED, 503, 'upstream_error'],
    ['of the code', TREND, broken, ADMITTED, 500, 'internal_error'],
    ['that is not an error', TREND, noError, ADMITTED, 500, 'internal_error'],
    ['with an empty bucket is the empty bucket', unasked, undefined, REFUSED, 429, 'rate_limited'],
    ['of the store with an empty bucket', TREND, outage, REFUSED, 429, 'rate_limited'],
    ['is none but the bucket', TREND, undefined, REFUSED, 429, 'rate_limited'],
  ];
  it.each(cases)('%s', async (_, parts, respond, admission, status, code) => {
    const { call, records } = chainOf(respond, { admission });
    const reply = await call(parts);
    expect(reply.statusCode).toBe(status);
    const body = errorEnvelope.parse(JSON.parse(reply.body));
    expect(body.code).toBe(code);
    expect(body.request_id).toBe(reply.headers?.['x-request-id']);
    expect(reply.headers).toMatchObject({
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'RateLimit-Limit': '60',
    });
    expect(reply.headers?.['Retry-After']).toBe({ 429: '7', 503: '5' }[status]);
    expect(reply.body).not.toMatch(/table|undefined|TypeError/);
    expect(records).toMatchObject([{ status, code, operation: 'trend', key: 'abababab' }]);
    if (status < 500) expect(body.hint === undefined).toBe(code === 'not_found');
    else for (const text of [body.message, body.hint]) expect(text).toMatch(SENTENCE);
  });
});

describe('a function that runs out of time', () => {
  const never: RequestHandler<Route> = () => new Promise(() => {});
  const almostOver = { getRemainingTimeInMillis: () => 1 } as Context;

  it('returns 503 with Retry-After before Lambda ends it, because a retry may succeed', async () => {
    const { call, records } = chainOf(never);
    const reply = await call(TREND, almostOver);
    expect(reply.statusCode).toBe(503);
    expect(errorEnvelope.parse(JSON.parse(reply.body)).code).toBe('upstream_error');
    expect(reply.headers).toMatchObject({
      'Retry-After': '5',
      'Cache-Control': 'no-store',
      'RateLimit-Limit': '60',
    });
    expect(records).toMatchObject([{ status: 503, code: 'upstream_error' }]);
  });

  it('returns 429 when the bucket is empty', async () => {
    const { call } = chainOf(never, { admission: REFUSED });
    expect((await call(TREND, almostOver)).statusCode).toBe(429);
  });
});

describe('a key', () => {
  it.each(['disabled', 'unplanned'] as const)('that is %s is refused and spends nothing', async (state) => {
    const { call, spent } = chainOf();
    const reply = await call({ ...TREND, key: { digest: STARTER_KEY.digest, state } });
    expect(reply.statusCode).toBe(403);
    expect(JSON.parse(reply.body)).toMatchObject({ code: 'auth_forbidden' });
    expect(reply.headers).not.toHaveProperty('RateLimit-Limit');
    expect(spent).toHaveLength(0);
  });

  it('that is refused names whom to ask', async () => {
    const denied: EventParts = { ...TREND, key: { digest: STARTER_KEY.digest, state: 'disabled' } };
    const unplanned = { route: { ...ROUTES.trend, excludedPlans: ['starter'] } as Route };
    const hintOf = async (parts: EventParts, options: Parameters<typeof chainOf>[1]) =>
      JSON.parse((await chainOf(undefined, options).call(parts)).body);
    expect(await hintOf(denied, { contact: 'keys@example.org' })).toMatchObject({
      message: 'The API key is disabled or not assigned to a plan.',
      hint: 'Ask the operator of the service (keys@example.org) to enable the key or to put it on a plan.',
    });
    expect(await hintOf(TREND, { ...unplanned, contact: 'keys@example.org' })).toMatchObject({
      message: "The key's plan does not include this endpoint.",
      hint: 'Ask the operator of the service (keys@example.org) to move the key to a plan that includes it.',
    });
    expect((await hintOf(TREND, unplanned)).hint).toBe(
      'Ask the operator of the service to move the key to a plan that includes it.',
    );
  });

  it.each([ADMITTED, REFUSED])(
    'whose plan lacks the endpoint is refused for that, and spends',
    async (admission) => {
      const route: Route = { ...ROUTES.trend, excludedPlans: ['starter'] };
      const { call, spent } = chainOf(undefined, { admission, route });
      const reply = await call({ ...TREND, query: {} });
      expect(reply.statusCode).toBe(403);
      expect(reply.headers).toMatchObject({ 'RateLimit-Limit': '60' });
      expect(spent).toHaveLength(1);
    },
  );

  it('a context that cannot be read denies the request', async () => {
    const { call, records, spent } = chainOf();
    const reply = await call({ ...TREND, key: { ...STARTER_KEY, digest: 'no digest' } });
    expect(reply.statusCode).toBe(500);
    expect(records).toMatchObject([{ cause: { message: expect.stringContaining('without a key context') } }]);
    expect(spent).toHaveLength(0);
  });
});

it('the request id is never one that the client sent', async () => {
  const requestId = '3b241101-e2bb-4255-8caf-4136c566a962';
  const reply = await chainOf().call({ ...TREND, requestId, headers: { 'X-Anything': [requestId] } });
  expect(reply.headers?.['x-request-id']).toMatch(/^(?!3b241101)[0-9a-f-]{36}$/);
});

describe('the route table', () => {
  const planted: Route = {
    ...ROUTES.trend,
    paths: ['/v1/ports/{UNLOCODE}/trend', '/v1/old/{UNLOCODE}'],
    deprecation: { since: '2026-01-01', sunset: '2027-01-01', link: 'https://example.org/why' },
  };

  it('leads from an alias to its successor', async () => {
    const { call } = chainOf(undefined, {
      route: { ...planted, deprecation: undefined } as unknown as Route,
    });
    const alias = await call({ ...TREND, resource: '/v1/old/{UNLOCODE}' });
    const link = '<../../v1/ports/{UNLOCODE}/trend>; rel="successor-version"';
    expect(alias.headers).toMatchObject({ Link: link });
    expect((await call(TREND)).headers).not.toHaveProperty('Link');
  });

  it('announces the end of a path on responses and errors', async () => {
    const { call } = chainOf(undefined, { route: planted });
    const deprecation = '<https://example.org/why>; rel="deprecation"';
    for (const parts of [TREND, { ...TREND, query: {} }])
      expect((await call(parts)).headers).toMatchObject({
        Deprecation: '@1767225600',
        Sunset: 'Fri, 01 Jan 2027 00:00:00 GMT',
        Link: deprecation,
      });
    const alias = await call({ ...TREND, resource: '/v1/old/{UNLOCODE}' });
    expect(alias.headers?.Link).toBe(
      `<../../v1/ports/{UNLOCODE}/trend>; rel="successor-version", ${deprecation}`,
    );
  });
});

describe('a page of another origin', () => {
  const origin = 'https://a.example';
  const asked = (from: string): EventParts => ({ ...TREND, headers: { Origin: [from] } });

  it('may read nothing unless its origin is named', async () => {
    expect((await chainOf().call(asked(origin))).headers).not.toHaveProperty('Access-Control-Allow-Origin');
    const { call } = chainOf(undefined, { origins: [origin] });
    for (const parts of [asked(origin), { ...asked(origin), query: {} }]) {
      const { headers } = await call(parts);
      expect(headers).toMatchObject({
        'Access-Control-Allow-Origin': origin,
        Vary: 'X-API-Key, Accept-Encoding, Origin',
      });
      expect(headers?.['Access-Control-Expose-Headers']?.toString().split(', ')).toEqual([
        'ETag',
        'Retry-After',
        'RateLimit-Limit',
        'RateLimit-Remaining',
        'RateLimit-Reset',
        'x-request-id',
        'Link',
        'X-Vintages',
        'X-Vintages-From',
      ]);
    }
    const other = await call(asked('https://b.example'));
    expect(other.headers).not.toHaveProperty('Access-Control-Allow-Origin');
    expect(other.headers?.Vary).toBe('X-API-Key, Accept-Encoding, Origin');
  });

  it('is named by a setting, several with commas between', () => {
    expect(allowedOrigins(undefined)).toEqual(new Set());
    expect(allowedOrigins('')).toEqual(new Set());
    expect(allowedOrigins(`${origin},https://b.example`)).toEqual(new Set([origin, 'https://b.example']));
  });
});
