/** Revalidation: a 304 becomes the cached response, and memory stays bounded. */
import { expect, it } from '@jest/globals';
import { type Step, virtualService } from './virtual-service.ts';

const tagged = (etag: string, body: string, type = 'application/json'): Step => ({
  status: 200,
  headers: { ETag: etag, 'Content-Type': type },
  body,
});

it('gives every caller a value of its own', async () => {
  const { client } = virtualService([tagged('"a"', '[{"source":"x"}]'), 304]);
  const first = await client.get('sources');
  first.length = 0;
  await expect(client.get('sources')).resolves.toEqual([{ source: 'x' }]);
});

it('takes the new value and the new tag when something changed', async () => {
  const { client, requests } = virtualService([tagged('"a"', '[1]'), tagged('"b"', '[2]'), 304]);
  await client.get('sources');
  await expect(client.get('sources')).resolves.toEqual([2]);
  await expect(client.get('sources')).resolves.toEqual([2]);
  expect(requests.at(-1)?.headers['If-None-Match']).toBe('"b"');
});

it('keeps CSV and JSON, and each port and window, apart', async () => {
  const { client, requests } = virtualService([
    tagged('"json"', '[]'),
    tagged('"csv"', 'a\n', 'text/csv; charset=utf-8'),
    304,
  ]);
  await client.get('trend', { UNLOCODE: 'USLAX', window: '7d' });
  await client.get('trend', { UNLOCODE: 'USLAX', window: '7d', format: 'csv' });
  await expect(client.get('trend', { UNLOCODE: 'USLAX', window: '7d', format: 'csv' })).resolves.toBe('a\n');
  await expect(client.get('trend', { UNLOCODE: 'USLAX', window: '7d' })).resolves.toEqual([]);
  expect(requests.map(({ headers }) => headers['If-None-Match'])).toEqual([
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
    const { client, requests } = virtualService(script, options);
    await client.get('sources').catch(() => undefined);
    await client.get('sources');
    expect(requests[1]?.headers).not.toHaveProperty('If-None-Match');
  }
});

it('drops the response that was used longest ago, and counts a path once', async () => {
  const list = tagged('"a"', '[]');
  const { client, requests } = virtualService([list, list, list, 304, list, 304, list], { cacheEntries: 2 });
  const operations = ['sources', 'sources', 'ports', 'sources', 'changes', 'sources', 'ports'] as const;
  for (const operation of operations) await client.get(operation);
  const isCached = requests.map(({ headers }) => 'If-None-Match' in headers);
  expect(isCached).toEqual([false, true, false, true, false, true, false]);
});
