/** The cache of responses: how long one is given again, how much it holds, and what it must never do. */
import { describe, expect, it } from '@jest/globals';
import type { KeyContext } from '../../../core/access/keys.ts';
import type { Route } from '../../../core/contracts/route.ts';
import { ROUTES } from '../../../core/contracts/routes.ts';
import { createHandler, type RequestHandler } from '../../../core/http/chain.ts';
import {
  createResponseCache,
  MAX_LIFETIME_MS,
  type Representation,
  readLifetimeMs,
} from '../../../core/http/response.ts';
import { gatewayEvent, INVOCATION, STARTER_KEY } from '../../builders/gateway-event.ts';
import { UNLIMITED } from '../../builders/read-handlers.ts';

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

const IMPORTS = { resource: '/v1/hs/{code}/imports', path: { code: '85' } };

describe('a cached response', () => {
  it('is written once for each version of the data and each request', async () => {
    let [version, written]: [string | undefined, number] = ['a', 0];
    const respond: RequestHandler<Route> = Object.assign(
      async () => {
        written += 1;
        return [{ month: '2026-01', index: written }];
      },
      { version: async () => version },
    );
    const handler = createHandler('hsImports', ROUTES.hsImports as Route, respond, UNLIMITED);
    const bodies: string[] = [];
    for (version of ['a', 'a', 'b', undefined, undefined, 'b'])
      bodies.push((await handler(gatewayEvent({ ...IMPORTS, key: STARTER_KEY }), INVOCATION)).body);
    expect(bodies.map((body) => JSON.parse(body)[0].index)).toEqual([1, 1, 2, 3, 4, 2]);
  });

  const OTHER = { ...STARTER_KEY, digest: 'cd'.repeat(32) };
  it.each<[string, KeyContext]>([
    ['was disabled', { digest: STARTER_KEY.digest, state: 'disabled' }],
    ['was taken off its plan', { digest: STARTER_KEY.digest, state: 'unplanned' }],
    ['was moved to a plan without the endpoint', { ...STARTER_KEY, tier: 'lite' }],
  ])('is not given to a key that %s, and costs every other caller a token', async (_, changed) => {
    let reads = 0;
    const respond: RequestHandler<Route> = async () => {
      reads += 1;
      return [{ month: '2026-01', index: 100 }];
    };
    const admitted: string[] = [];
    const handler = createHandler('hsImports', ROUTES.hsImports as Route, respond, {
      ...UNLIMITED,
      limiter: {
        admit: async ({ digest }) => {
          admitted.push(digest);
          return { admitted: true, headers: {} };
        },
      },
      responseCache: createResponseCache(5000, () => 0),
    });
    const statuses: number[] = [];
    for (const key of [STARTER_KEY, changed, OTHER])
      statuses.push((await handler(gatewayEvent({ ...IMPORTS, key }), INVOCATION)).statusCode);
    expect(statuses).toEqual([200, 403, 200]);
    expect(reads).toBe(1);
    expect([admitted[0], admitted.at(-1)]).toEqual([STARTER_KEY.digest, OTHER.digest]);
  });
});
