/** Revalidation: a 304 becomes the cached response, and memory stays bounded. */
import { expect, it } from '@jest/globals';
import { type Step, virtualService } from './virtual-service.ts';

const tagged = (etag: string, body: string, type = 'application/json'): Step => ({
  status: 200,
  headers: { ETag: etag, 'Content-Type': type },
  body,
});

it('gives every caller a value of its own', async () => {
  const { get } = virtualService([tagged('"a"', '[{"source":"x"}]'), 304]);
  const first = (await get()) as unknown[];
  first.length = 0;
  await expect(get()).resolves.toEqual([{ source: 'x' }]);
});

it('takes the new value and the new tag when something changed', async () => {
  const { get, requests } = virtualService([tagged('"a"', '[1]'), tagged('"b"', '[2]'), 304]);
  await get();
  await expect(get()).resolves.toEqual([2]);
  await expect(get()).resolves.toEqual([2]);
  expect(requests.at(-1)?.headers['if-none-match']).toBe('"b"');
});

it('keeps CSV and JSON, and each port and window, apart', async () => {
  const { get, requests } = virtualService([
    tagged('"json"', '[]'),
    tagged('"csv"', 'a\n', 'text/csv; charset=utf-8'),
    304,
  ]);
  const trend = (query: object) => ({
    params: { path: { UNLOCODE: 'USLAX' }, query: { window: '7d', ...query } },
  });
  const json = () => get('/v1/ports/{UNLOCODE}/trend', trend({}));
  const csv = () => get('/v1/ports/{UNLOCODE}/trend', { ...trend({ format: 'csv' }), parseAs: 'text' });
  await json();
  await csv();
  await expect(csv()).resolves.toBe('a\n');
  await expect(json()).resolves.toEqual([]);
  expect(requests.map(({ headers }) => headers['if-none-match'])).toEqual([
    undefined,
    undefined,
    '"csv"',
    '"json"',
  ]);
});

it('does not cache an error, a response without a tag, an unreadable one, or anything with the cache turned off', async () => {
  for (const [script, options] of [
    [[{ status: 404, headers: { ETag: '"a"' } }, 200], {}],
    [[200, 200], {}],
    [[tagged('"a"', '['), 200], {}],
    [[tagged('"a"', '[]'), 200], { cacheEntries: 0 }],
  ] as [Step[], object][]) {
    const { get, requests } = virtualService(script, options);
    await get().catch(() => undefined);
    await get();
    expect(requests[1]?.headers).not.toHaveProperty('if-none-match');
  }
});

it('drops the response that was used longest ago, and counts a path once', async () => {
  const list = tagged('"a"', '[]');
  const { get, requests } = virtualService([list, list, list, 304, list, 304, list], { cacheEntries: 2 });
  const paths = ['sources', 'sources', 'ports', 'sources', 'changes', 'sources', 'ports'];
  for (const path of paths) await get(`/v1/${path}`);
  const isCached = requests.map(({ headers }) => 'if-none-match' in headers);
  expect(isCached).toEqual([false, true, false, true, false, true, false]);
});

it('leaves a tag that the caller sends to the caller, who gets the 304', async () => {
  const { get, requests } = virtualService([tagged('"a"', '[]'), 304]);
  await get();
  await get('/v1/meta/sources', { headers: { 'If-None-Match': '"mine"' } }).catch(() => undefined);
  expect(requests[1]?.headers['if-none-match']).toBe('"mine"');
});
