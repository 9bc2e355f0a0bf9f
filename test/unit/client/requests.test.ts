/** What a request has beside its path: the key, the base address, and the body as JSON or text. */
import { expect, it } from '@jest/globals';
import { KEY, rejection, virtualService } from './virtual-service.ts';

const CSV = { status: 200, headers: { 'Content-Type': 'text/csv; charset=utf-8' }, body: 'a,b\n' };
const asText = { params: { query: { format: 'csv' } }, parseAs: 'text' } as const;

it('resolves with JSON, and with `parseAs` text with the CSV as it was sent', async () => {
  await expect(virtualService([200]).get('/v1/ports')).resolves.toEqual([]);
  const table = virtualService([CSV]);
  await expect(table.get('/v1/ports', asText)).resolves.toBe('a,b\n');
  expect(table.requests.map(({ path }) => path)).toEqual(['/v1/ports?format=csv']);
});

it('asks again for a CSV that was cut off', async () => {
  const { get, requests } = virtualService([{ ...CSV, body: 'a,b\n1,' }, CSV]);
  await expect(get('/v1/ports', asText)).resolves.toBe('a,b\n');
  expect(requests).toHaveLength(2);
});

it('keeps whatever a path parameter contains in its segment', async () => {
  const { get, requests } = virtualService([200]);
  await get('/v1/ports/{UNLOCODE}/snapshot', { params: { path: { UNLOCODE: '../us ?#' } } });
  expect(requests[0]?.path).toBe('/v1/ports/..%2Fus%20%3F%23/snapshot');
});

it('sends the key in X-API-Key, or none', async () => {
  const keyed = virtualService([200]);
  await keyed.get();
  expect(keyed.requests[0]?.headers['x-api-key']).toBe(KEY);
  const { get, requests } = virtualService([401], { apiKey: undefined });
  expect(await rejection(get())).toMatchObject({ status: 401 });
  expect(requests[0]?.headers).not.toHaveProperty('x-api-key');
});

it.each(['http://service.test/', 'http://service.test///'])('takes the base address %s', async (baseUrl) => {
  const { get, requests } = virtualService([200], { baseUrl });
  await get();
  expect(requests[0]?.path).toBe('/v1/meta/sources');
});
