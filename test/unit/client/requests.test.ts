/** The request of each method, compared with the route table. */
import { describe, expect, it } from '@jest/globals';
import type { PortCongestionClient } from '../../../client/index.ts';
import { PATHS } from '../../../client/paths.ts';
import { OPERATION_IDS, ROUTES } from '../../../core/contracts/routes.ts';
import { KEY, rejection, virtualService } from './virtual-service.ts';

const csv = { status: 200, headers: { 'Content-Type': 'text/csv; charset=utf-8' }, body: 'a,b\n' };
type Call = (client: PortCongestionClient) => Promise<unknown>;

it.each<[string, Call]>([
  ['/v1/health', (client) => client.health()],
  ['/v1/meta/sources', (client) => client.sources()],
  ['/v1/ports', (client) => client.ports()],
  ['/v1/changes?limit=3', (client) => client.changes({ limit: 3 })],
  ['/v1/ports/USLAX/trend?window=7d', (client) => client.trend('USLAX', { window: '7d' })],
  ['/v1/ports/USLAX/trend?days=5', (client) => client.trend('USLAX', { days: 5 })],
  ['/v1/ports/USLAX/snapshot', (client) => client.snapshot('USLAX')],
  ['/v1/ports/USLAX/dwell', (client) => client.dwell('USLAX')],
  ['/v1/ports/USLAX/dwell?window=30d', (client) => client.dwell('USLAX', { window: '30d' })],
  ['/v1/ports/USLAX/alerts', (client) => client.alerts('USLAX')],
  ['/v1/ports/USLAX/alerts?window=7d', (client) => client.alerts('USLAX', { window: '7d' })],
  ['/v1/ports/USLAX/dwell?days=3', (client) => client.dwell('USLAX', { days: 3 })],
  [
    '/v1/ports/USLAX/trend?window=30d&until=2026-10-31',
    (client) => client.trend('USLAX', { window: '30d', until: '2026-10-31' }),
  ],
  ['/v1/ports/USLAX/alerts?days=3', (client) => client.alerts('USLAX', { days: 3 })],
  [
    '/v1/alerts?since=2026-11-14&severity=high',
    (client) => client.alertFeed({ since: '2026-11-14', severity: 'high' }),
  ],
  ['/v1/ports/USLAX/forecast', (client) => client.forecast('USLAX')],
  ['/v1/hs/85/imports', (client) => client.hsImports('85')],
  // Whatever stands in a path stays in its segment.
  ['/v1/ports/..%2Fus%20%3F%23/snapshot', (client) => client.snapshot('../us ?#')],
])('asks for %s', async (path, call) => {
  const { client, requests } = virtualService([200]);
  await expect(call(client)).resolves.toEqual([]);
  expect(requests.map((request) => request.path)).toEqual([path]);
  expect(requests[0]?.headers.Accept).toBe('application/json');
});

it.each<[string, Call]>([
  ['/v1/ports?format=csv', (client) => client.portsCsv()],
  ['/v1/changes?format=csv', (client) => client.changesCsv()],
  ['/v1/ports/USLAX/trend?window=30d&format=csv', (client) => client.trendCsv('USLAX', { window: '30d' })],
  ['/v1/ports/USLAX/trend?days=3&format=csv', (client) => client.trendCsv('USLAX', { days: 3 })],
  ['/v1/meta/sources?format=csv', (client) => client.sourcesCsv()],
  ['/v1/ports/USLAX/dwell?format=csv', (client) => client.dwellCsv('USLAX')],
  ['/v1/ports/USLAX/alerts?days=3&format=csv', (client) => client.alertsCsv('USLAX', { days: 3 })],
  [
    '/v1/ports/USLAX/forecast?metric=at_anchor&format=csv',
    (client) => client.forecastCsv('USLAX', { metric: 'at_anchor' }),
  ],
  ['/v1/alerts?limit=2&format=csv', (client) => client.alertFeedCsv({ limit: 2 })],
  ['/v1/hs/85/imports?format=csv', (client) => client.hsImportsCsv('85')],
])('asks for the CSV %s', async (path, call) => {
  const { client, requests } = virtualService([csv]);
  await expect(call(client)).resolves.toBe('a,b\n');
  expect(requests.map((request) => request.path)).toEqual([path]);
});

it('asks again for a CSV that was cut off', async () => {
  const { client, requests } = virtualService([{ ...csv, body: 'a,b\n1,' }, csv]);
  await expect(client.portsCsv()).resolves.toBe('a,b\n');
  expect(requests).toHaveLength(2);
});

it('does not take JSON for CSV', async () => {
  const { client } = virtualService([200]);
  await expect(client.portsCsv()).rejects.toMatchObject({ code: 'invalid_response' });
});

it('knows the preferred path of every operation', () => {
  expect(PATHS).toEqual(Object.fromEntries(OPERATION_IDS.map((id) => [id, ROUTES[id].paths[0]])));
});

it('has a method for every operation, and a CSV one where there is CSV', () => {
  const { client } = virtualService([200]);
  for (const id of OPERATION_IDS) {
    expect(client).toHaveProperty(id, expect.any(Function));
    if ('format' in ROUTES[id].query) expect(client).toHaveProperty(`${id}Csv`, expect.any(Function));
  }
});

describe('the key', () => {
  it('goes along in X-API-Key, but not to health', async () => {
    const { client, requests } = virtualService([200]);
    await client.sources();
    await client.health();
    expect(requests.map(({ headers }) => headers['X-API-Key'])).toEqual([KEY, undefined]);
  });

  it('may be missing', async () => {
    const { client, requests } = virtualService([401], { apiKey: undefined });
    expect(await rejection(client.sources())).toMatchObject({ status: 401 });
    expect(requests[0]?.headers).not.toHaveProperty('X-API-Key');
  });
});

it.each(['http://service.test/', 'http://service.test///'])('takes the base address %s', async (baseUrl) => {
  const { client, requests } = virtualService([200], { baseUrl });
  await client.sources();
  expect(requests[0]?.path).toBe('/v1/meta/sources');
});

it('calls onResponse with every response, retried ones included', async () => {
  const seen: unknown[] = [];
  const rate = { 'RateLimit-Limit': '60', 'RateLimit-Remaining': '59', 'RateLimit-Reset': '1795176003' };
  const { client } = virtualService([503, { status: 200, headers: rate }], {
    onResponse: (info) => seen.push(info),
  });
  await client.sources();
  const requestId = '0f4f2a54-6c1e-4b0a-9d5e-2f6f0d8f3a71';
  expect(seen).toEqual([
    { path: '/v1/meta/sources', status: 503, requestId, attempt: 1, rateLimit: undefined },
    {
      path: '/v1/meta/sources',
      status: 200,
      requestId,
      attempt: 2,
      rateLimit: { limit: 60, remaining: 59, resetAt: new Date('2026-11-20T12:00:03Z') },
    },
  ]);
});
