/** The cache of responses: how long one is given again, how much it holds, and what it must never do. */
import { describe, expect, it } from '@jest/globals';
import type { KeyContext } from '../../../core/access/entitlements.ts';
import { ROUTES, type Route } from '../../../core/contracts/routes.ts';
import { createHandler, type RequestHandler } from '../../../core/http/chain.ts';
import type { Representation } from '../../../core/http/response.ts';
import { createResponseCache, MAX_LIFETIME_MS, readLifetimeMs } from '../../../core/http/response-cache.ts';
import { type EventParts, gatewayEvent, INVOCATION, STARTER_KEY } from '../../builders/gateway-event.ts';

const parametersOf = (port: string, window = 7) => ({ path: { UNLOCODE: port }, query: { window } });

/** An endpoint that counts, so that each response differs. */
function counting() {
  let made = 0;
  const make = async (): Promise<Representation> => {
    made += 1;
    return { body: String(made), headers: {} };
  };
  return { make, made: () => made };
}

describe('the response cache', () => {
  it('makes every response again when caching is off', async () => {
    const { make } = counting();
    const cache = createResponseCache(0, () => 0);
    await cache(parametersOf('USLAX'), make);
    expect((await cache(parametersOf('USLAX'), make)).body).toBe('2');
  });

  it('gives the same response until its time is over, and not a millisecond longer', async () => {
    let now = 1000;
    const { make } = counting();
    const cache = createResponseCache(5000, () => now);
    const bodies: string[] = [];
    for (const at of [1000, 5999, 6000, 10_999, 11_000]) {
      now = at;
      bodies.push((await cache(parametersOf('USLAX'), make)).body);
    }
    expect(bodies).toEqual(['1', '1', '2', '2', '3']);
  });

  it('caches by parameters, and makes one call for simultaneous requests', async () => {
    const { make, made } = counting();
    const cache = createResponseCache(5000, () => 0);
    const requests = [
      parametersOf('USLAX'),
      parametersOf('USLAX'),
      parametersOf('USLAX', 30),
      parametersOf('SGSIN'),
    ];
    const responses = await Promise.all(requests.map((parameters) => cache(parameters, make)));
    expect(responses.map(({ body }) => body)).toEqual(['1', '1', '2', '3']);
    expect(made()).toBe(3);
  });

  it('drops the oldest response, and no other, when there is one too many', async () => {
    const { make, made } = counting();
    const cache = createResponseCache(5000, () => 0);
    for (let port = 0; port <= 200; port += 1) await cache(parametersOf(`P${port}`), make);
    for (const port of ['P1', 'P200']) await cache(parametersOf(port), make);
    expect(made()).toBe(201);
    await cache(parametersOf('P0'), make);
    expect(made()).toBe(202);
  });

  it('holds bodies of 16 million characters together, and not one more', async () => {
    const cache = createResponseCache(5000, () => 0);
    let made = 0;
    const get = (port: string, characters: number) =>
      cache(parametersOf(port), async () => {
        made += 1;
        return { body: 'x'.repeat(characters), headers: {} };
      });
    for (const port of ['A', 'B', 'A']) await get(port, 8_000_000);
    expect(made).toBe(2);
    await get('C', 1);
    await get('B', 8_000_000);
    expect(made).toBe(3);
    await get('A', 8_000_000);
    expect(made).toBe(4);
  });

  describe('when a response arrives after its lifetime, and a newer one is cached', () => {
    /** A cache with a small response to `late`, which replaces one that is still pending. */
    async function withPending() {
      let now = 0;
      const cache = createResponseCache(5000, () => now);
      let settle: { resolve(value: Representation): void; reject(error: Error): void } | undefined;
      const pending = cache(
        parametersOf('late'),
        () =>
          new Promise((resolve, reject) => {
            settle = { resolve, reject };
          }),
      );
      now = 5000;
      const { make, made } = counting();
      await cache(parametersOf('late'), make);
      return { cache, pending, settle, make, made };
    }

    it('a failure does not drop the newer one', async () => {
      const { cache, pending, settle, make, made } = await withPending();
      settle?.reject(new Error('store down'));
      await expect(pending).rejects.toThrow('store down');
      await cache(parametersOf('late'), make);
      expect(made()).toBe(1);
    });

    it('its body does not count', async () => {
      const { cache, pending, settle, make, made } = await withPending();
      const large = { body: 'x'.repeat(9_000_000), headers: {} };
      settle?.resolve(large);
      await pending;
      await cache(parametersOf('B'), async () => large);
      await cache(parametersOf('late'), make);
      expect(made()).toBe(1);
    });
  });

  it('keeps no failure', async () => {
    const cache = createResponseCache(5000, () => 0);
    const { make } = counting();
    await expect(cache(parametersOf('USLAX'), () => Promise.reject(new Error('down')))).rejects.toThrow(
      'down',
    );
    expect((await cache(parametersOf('USLAX'), make)).body).toBe('1');
  });

  it('takes 0 to 10 seconds and nothing else', () => {
    expect([undefined, '0', '2.5', '10'].map(readLifetimeMs)).toEqual([0, 0, 2500, MAX_LIFETIME_MS]);
    for (const wrong of ['11', '-1', 'long']) expect(() => readLifetimeMs(wrong)).toThrow(/0 to 10 seconds/);
  });
});

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
    const tag = String(first.headers?.ETag);
    expect((await get(SNAPSHOT, STARTER_KEY, { 'If-None-Match': [tag] })).statusCode).toBe(304);

    clock.at = LIFETIME_MS;
    const fresh = await get(SNAPSHOT, STARTER_KEY, { 'If-None-Match': [tag] });
    expect([fresh.statusCode, fresh.body]).toEqual([200, '{"as_of":"2026-11-20T12:20:00Z"}']);
  });
});
