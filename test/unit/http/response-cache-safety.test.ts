/** What a cached response must never do: outlive a right, hide an error's end, or state anything else than its data. */
import { describe, expect, it } from '@jest/globals';
import type { KeyContext } from '../../../core/access/entitlements.ts';
import { ApiError } from '../../../core/contracts/errors.ts';
import { ROUTES, type Route } from '../../../core/contracts/routes.ts';
import { createHandler, type RequestHandler } from '../../../core/http/chain.ts';
import { entityTag } from '../../../core/http/response.ts';
import { createResponseCache } from '../../../core/http/response-cache.ts';
import { type EventParts, gatewayEvent, INVOCATION, STARTER_KEY } from '../../builders/gateway-event.ts';

const LIFETIME_MS = 5000;
const SNAPSHOT: EventParts = { resource: '/v1/ports/{UNLOCODE}/snapshot', path: { UNLOCODE: 'HKHKG' } };
const IMPORTS: EventParts = { resource: '/v1/hs/{code}/imports', path: { code: '85' } };

/** An endpoint with the cache on, and a clock that a test sets. */
function cachedEndpoint(route: Route, respond: RequestHandler<Route>) {
  const clock = { at: 0 };
  const admitted: string[] = [];
  const handler = createHandler('endpoint', route, respond, {
    limiter: {
      admit: async ({ digest }) => {
        admitted.push(digest);
        return { admitted: true, headers: {} };
      },
    },
    telemetry: { request: () => {}, limiterFailure: () => {} },
    outages: [],
    responseCache: createResponseCache(LIFETIME_MS, () => clock.at),
    corsOrigins: new Set(),
    stopwatch: () => 0,
  });
  const get = (parts: EventParts, key: KeyContext = STARTER_KEY, headers: EventParts['headers'] = {}) =>
    handler(gatewayEvent({ ...parts, key, headers }), INVOCATION);
  return { get, clock, admitted };
}

describe('a cached response', () => {
  const OTHER = { ...STARTER_KEY, digest: 'cd'.repeat(32) };
  it.each<[string, KeyContext]>([
    ['was disabled', { digest: STARTER_KEY.digest, state: 'disabled' }],
    ['was taken off its plan', { digest: STARTER_KEY.digest, state: 'unplanned' }],
    ['was moved to a plan without the endpoint', { ...STARTER_KEY, tier: 'lite' }],
  ])('is not given to a key that %s', async (_, changed) => {
    let reads = 0;
    const { get } = cachedEndpoint(ROUTES.hsImports, async () => {
      reads += 1;
      return [{ month: '2026-01', index: 100 }];
    });
    expect((await get(IMPORTS)).statusCode).toBe(200);
    const refused = await get(IMPORTS, changed);
    expect([refused.statusCode, JSON.parse(refused.body).code]).toEqual([403, 'auth_forbidden']);
    // The response is still in the cache, for keys that may have it.
    expect((await get(IMPORTS, OTHER)).statusCode).toBe(200);
    expect(reads).toBe(1);
  });

  it('costs every caller a token of its own', async () => {
    const { get, admitted } = cachedEndpoint(ROUTES.hsImports, async () => []);
    await get(IMPORTS);
    await get(IMPORTS, OTHER);
    expect(admitted).toEqual([STARTER_KEY.digest, OTHER.digest]);
  });

  it('has the as_of and the ETag of its data, and gives way to a new fetch after five seconds at most', async () => {
    const data = { as_of: '2026-11-20T12:00:00Z' };
    const { get, clock } = cachedEndpoint(ROUTES.snapshot, async () => ({ ...data }));
    const first = await get(SNAPSHOT);
    data.as_of = '2026-11-20T12:20:00Z';

    clock.at = LIFETIME_MS - 1;
    const cached = await get(SNAPSHOT);
    expect(cached.body).toBe('{"as_of":"2026-11-20T12:00:00Z"}');
    expect(cached.headers?.ETag).toBe(entityTag(cached.body));
    const tag = String(first.headers?.ETag);
    expect((await get(SNAPSHOT, STARTER_KEY, { 'If-None-Match': [tag] })).statusCode).toBe(304);

    clock.at = LIFETIME_MS;
    const fresh = await get(SNAPSHOT, STARTER_KEY, { 'If-None-Match': [tag] });
    expect([fresh.statusCode, fresh.body]).toEqual([200, '{"as_of":"2026-11-20T12:20:00Z"}']);
    expect(fresh.headers?.ETag).toBe(entityTag(fresh.body));
  });

  it('is never an error: a port that gets its first snapshot responds at once', async () => {
    let observed = false;
    const { get } = cachedEndpoint(ROUTES.snapshot, async () => {
      if (!observed) throw new ApiError('not_found', 'There is no snapshot yet.');
      return { as_of: '2026-11-20T12:00:00Z' };
    });
    expect((await get(SNAPSHOT)).statusCode).toBe(404);
    observed = true;
    expect((await get(SNAPSHOT)).statusCode).toBe(200);
  });
});
