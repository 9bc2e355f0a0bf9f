/** The retry rule of the specification, in virtual time. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { backoffMs, PortCongestionError, retryAfterSeconds } from '../../../packages/client/index.ts';
import { rejection, STARTED_AT, type Step, virtualService } from './virtual-service.ts';

const retryAfter = (status: number, value: string): Step => ({ status, headers: { 'Retry-After': value } });
const refused: Step = { throws: new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') }) };
const within = (ms: number, seconds: number): boolean => ms >= seconds * 800 && ms <= seconds * 1_200;

describe('the specification', () => {
  it('[S7.14] retries 5xx with growing, jittered waits: 500, 502, then 200 takes three tries', async () => {
    const { get, waits, requests } = virtualService([500, 502, 200], {}, [0.1, 0.9]);
    await expect(get()).resolves.toEqual([]);
    expect(requests).toHaveLength(3);
    expect(waits).toHaveLength(2);
    const [first = 0, second = 0] = waits;
    expect(second).toBeGreaterThan(first);
    // Jittered: neither wait is the bare 1 or 2 s.
    expect(first).not.toBe(1_000);
    expect(second).not.toBe(2_000);
    expect([within(first, 1), within(second, 2)]).toEqual([true, true]);
  });

  it('[S8.15] honours Retry-After: 429 with 3 s, then 200 waits no less than 3 s', async () => {
    const { get, waits } = virtualService([retryAfter(429, '3'), 200]);
    await expect(get()).resolves.toEqual([]);
    expect(waits).toEqual([3_000]);
  });

  it('[S8.16] waits 1, 2, 4, 8 s within 20 % without the header, and not the same for other chances', async () => {
    const seeds = [
      [0.11, 0.52, 0.93, 0.3],
      [0.8, 0.2, 0.6, 0.7],
    ];
    const runs = await Promise.all(
      seeds.map(async (chance) => {
        const { get, waits } = virtualService([429, 429, 429, 429, 200], {}, chance);
        await get();
        return waits;
      }),
    );
    for (const waits of runs)
      expect(waits.map((ms, index) => within(ms, 2 ** index))).toEqual([true, true, true, true]);
    expect(runs[0]).not.toEqual(runs[1]);
  });

  it('[S8.16] spreads over the whole 20 % with the real chance', () => {
    const firsts = Array.from({ length: 400 }, () => backoffMs(0, Math.random()));
    expect(Math.min(...firsts)).toBeGreaterThanOrEqual(800);
    expect(Math.max(...firsts)).toBeLessThanOrEqual(1_200);
    expect(Math.max(...firsts) - Math.min(...firsts)).toBeGreaterThan(200);
  });

  it('[S8.17] caps the wait between 16 and 30 s, however long it goes on', async () => {
    const { get, waits } = virtualService([429], { maxRetries: 60 }, [0, 0.5, 1]);
    await rejection(get());
    expect(waits).toHaveLength(60);
    const longest = Math.max(...waits);
    expect(longest).toBeGreaterThanOrEqual(16_000);
    expect(longest).toBeLessThanOrEqual(30_000);
    expect(waits.slice(-50).every((ms) => ms === longest)).toBe(true);
  });

  it('[S8.17] stops after a bounded number of tries by itself and reports the 429', async () => {
    const { get, waits, requests } = virtualService([429]);
    expect(await rejection(get())).toMatchObject({ status: 429, code: 'rate_limited' });
    expect([requests.length, waits.length]).toEqual([5, 4]);
  });
});

describe('scripts', () => {
  // What the service does, how many tries it takes, and what comes of it: a status, or 200 for success.
  it.each<[string, Step[], number, number | string]>([
    ['429 once', [429, 200], 2, 200],
    ['503 with it', [retryAfter(503, '5'), 200], 2, 200],
    ['599', [599, 200], 2, 200],
    ['one of each kind', [429, 503, refused, 502, 200], 5, 200],
    ['fails on the last try', [500, 500, 500, 500, 500, 200], 5, 500],
    ['404', [404, 200], 1, 404],
    ['408', [408, 200], 1, 408],
    ['499', [499, 200], 1, 499],
    ['a 4xx behind a 5xx', [500, 404, 200], 2, 404],
    ['301', [{ status: 301, headers: { Location: '/elsewhere' } }, 200], 1, 301],
    ['201', [201, 200], 1, 201],
    ['304 to an unconditional request', [304, 200], 1, 304],
    ['refused once', [refused, 200], 2, 200],
    ['refused for ever', [refused], 5, 'network_error'],
    ['nothing thrown', [{ throws: undefined }, 200], 2, 200],
    [
      'HTML where JSON was due',
      [{ status: 200, headers: { 'Content-Type': 'text/html' } }, 200],
      1,
      'invalid_response',
    ],
    ['no media type', [{ status: 200, headers: { 'Content-Type': '' } }, 200], 1, 'invalid_response'],
    ['half a JSON for ever', [{ status: 200, body: '[{' }], 5, 'network_error'],
    ['an empty body', [{ status: 200, body: '' }, 200], 2, 200],
    ['a 403 in HTML', [{ status: 403, body: '<html>' }], 1, 'invalid_response'],
    ['a 404 that is null', [{ status: 404, body: 'null' }], 1, 'invalid_response'],
    ['Retry-After of exactly 60', [retryAfter(429, '60'), 200], 2, 200],
    ['Retry-After of 61', [retryAfter(429, '61'), 200], 1, 429],
    ['Retry-After of 0', [retryAfter(429, '0'), 200], 2, 200],
    ['a 503 of a gateway without an envelope', [{ status: 503, body: 'busy' }, 200], 2, 200],
  ])('%s', async (_, script, tries, outcome) => {
    const { get, requests } = virtualService(script);
    if (outcome === 200) await expect(get()).resolves.toEqual([]);
    else {
      const error = await rejection(get());
      expect(typeof outcome === 'number' ? error.status : error.code).toBe(outcome);
      if (error instanceof PortCongestionError) expect(error.attempts).toBe(tries);
    }
    expect(requests).toHaveLength(tries);
  });

  it('waits for the Retry-After of a 503 that has no envelope', async () => {
    const { get, waits } = virtualService([
      { ...(retryAfter(503, '5') as object), status: 503, body: 'busy' },
      200,
    ]);
    await get();
    expect(waits).toEqual([5_000]);
  });

  it('waits for an HTTP date, by its own clock', async () => {
    const date = new Date(STARTED_AT + 7_000).toUTCString();
    const { get, waits } = virtualService([retryAfter(503, date), 200]);
    await get();
    expect(waits).toEqual([7_000]);
  });
});

describe('properties', () => {
  it('every wait is within 20 % of its power of two, and never above 30 s', () => {
    fc.assert(
      fc.property(fc.nat(1_000), fc.double({ min: 0, max: 1, noNaN: true }), (retry, chance) => {
        const ms = backoffMs(retry, chance);
        const bare = 1_000 * 2 ** retry;
        expect(ms).toBeLessThanOrEqual(30_000);
        expect(ms).toBeGreaterThanOrEqual(Math.min(30_000, bare * 0.8 - 1));
        expect(ms).toBeLessThanOrEqual(bare * 1.2 + 1);
      }),
    );
  });

  it('Retry-After is a whole number of seconds from now, or nothing', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const seconds = retryAfterSeconds(text, STARTED_AT);
        expect(seconds === undefined || (Number.isInteger(seconds) && seconds >= 0)).toBe(true);
      }),
    );
    expect(retryAfterSeconds(new Date(STARTED_AT - 5_000).toUTCString(), STARTED_AT)).toBe(0);
    expect(retryAfterSeconds(null, STARTED_AT)).toBeUndefined();
  });
});
