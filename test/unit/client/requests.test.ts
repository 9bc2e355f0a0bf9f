/** The request of each operation, compared with the route table. */
import { describe, expect, it } from '@jest/globals';
import { OPERATION_IDS, ROUTES } from '../../../core/contracts/routes.ts';
import type { CsvOperation } from '../../../packages/client/index.ts';
import { KEY, rejection, virtualService } from './virtual-service.ts';

const csv = { status: 200, headers: { 'Content-Type': 'text/csv; charset=utf-8' }, body: 'a,b\n' };
const [UNTIL, AS_OF] = ['2026-10-31', '2026-11-01'];
const UNLOCODE = 'USLAX';
/** Operations that have a CSV form, with parameters, and the path that is requested. */
const CALLS: [CsvOperation, Record<string, string | number | undefined>, string][] = [
  ['sources', {}, '/v1/meta/sources'],
  ['ports', { sort: '-port', country: 'FI', as_of: AS_OF }, `/v1/ports?sort=-port&country=FI&as_of=${AS_OF}`],
  ['changes', { limit: 3 }, '/v1/changes?limit=3'],
  ['trend', { UNLOCODE, window: '7d', until: UNTIL }, `/v1/ports/USLAX/trend?window=7d&until=${UNTIL}`],
  ['dwell', { UNLOCODE, window: undefined, days: 3 }, '/v1/ports/USLAX/dwell?days=3'],
  ['alertFeed', { since: UNTIL, severity: 'high' }, `/v1/alerts?since=${UNTIL}&severity=high`],
  ['hsImports', { as_of: AS_OF, code: '85' }, `/v1/hs/85/imports?as_of=${AS_OF}`],
];
it.each(CALLS)('%s %j requests %s, as JSON and as CSV', async (operation, parameters, path) => {
  const json = virtualService([200]);
  await expect(json.client.get(operation, parameters as never)).resolves.toEqual([]);
  expect(json.requests).toMatchObject([{ path, headers: { Accept: 'application/json' } }]);
  const table = virtualService([csv]);
  const withFormat = { ...parameters, format: 'csv' } as never;
  await expect(table.client.get(operation, withFormat)).resolves.toBe('a,b\n');
  const csvPath = `${path}${path.includes('?') ? '&' : '?'}format=csv`;
  expect(table.requests).toMatchObject([{ path: csvPath, headers: { Accept: 'text/csv' } }]);
});

it('keeps whatever a path parameter contains in its segment', async () => {
  const { client, requests } = virtualService([200]);
  await client.get('snapshot', { UNLOCODE: '../us ?#', as_of: AS_OF });
  expect(requests.map(({ path }) => path)).toEqual([`/v1/ports/..%2Fus%20%3F%23/snapshot?as_of=${AS_OF}`]);
});

it('asks again for a CSV that was cut off', async () => {
  const { client, requests } = virtualService([{ ...csv, body: 'a,b\n1,' }, csv]);
  await expect(client.get('ports', { format: 'csv' })).resolves.toBe('a,b\n');
  expect(requests).toHaveLength(2);
});

it('does not take JSON for CSV', async () => {
  const { client } = virtualService([200]);
  await expect(client.get('ports', { format: 'csv' })).rejects.toMatchObject({ code: 'invalid_response' });
});

it.each(OPERATION_IDS)('sends %s to its preferred path', async (operation) => {
  const { client, requests } = virtualService([200]);
  await client.get(operation, { UNLOCODE, code: '85' } as never);
  const path = ROUTES[operation].paths[0].replace('{UNLOCODE}', UNLOCODE).replace('{code}', '85');
  expect(requests[0]?.path.split('?')[0]).toBe(path);
});

describe('the key', () => {
  it('goes along in X-API-Key, but not to health', async () => {
    const { client, requests } = virtualService([200]);
    await client.get('sources');
    await client.get('health');
    expect(requests.map(({ headers }) => headers['X-API-Key'])).toEqual([KEY, undefined]);
  });

  it('may be missing', async () => {
    const { client, requests } = virtualService([401], { apiKey: undefined });
    expect(await rejection(client.get('sources'))).toMatchObject({ status: 401 });
    expect(requests[0]?.headers).not.toHaveProperty('X-API-Key');
  });
});

it.each(['http://service.test/', 'http://service.test///'])('takes the base address %s', async (baseUrl) => {
  const { client, requests } = virtualService([200], { baseUrl });
  await client.get('sources');
  expect(requests[0]?.path).toBe('/v1/meta/sources');
});

it('calls onResponse with every response, retried ones included', async () => {
  const seen: unknown[] = [];
  const rate = { 'RateLimit-Limit': '60', 'RateLimit-Remaining': '59', 'RateLimit-Reset': '1795176003' };
  const { client } = virtualService([503, { status: 200, headers: rate }], {
    onResponse: (info) => seen.push(info),
  });
  await client.get('sources');
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
