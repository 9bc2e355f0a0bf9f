/** The request of each method, compared with the route table. */
import { describe, expect, it } from '@jest/globals';
import { PATHS } from '../../../client/paths.ts';
import { OPERATION_IDS, ROUTES } from '../../../core/contracts/routes.ts';
import { KEY, rejection, virtualService } from './virtual-service.ts';

const csv = { status: 200, headers: { 'Content-Type': 'text/csv; charset=utf-8' }, body: 'a,b\n' };
const [UNTIL, AS_OF] = ['2026-10-31', '2026-11-01'];
const PAST = { until: UNTIL, asOf: AS_OF };
const SENT = `until=${UNTIL}`;
/** Methods with a CSV form, their arguments, and the path that they ask for. */
const CALLS: [string, unknown[], string][] = [
  ['sources', [], '/v1/meta/sources'],
  [
    'ports',
    [{ sort: '-port', country: 'FI', asOf: AS_OF }],
    `/v1/ports?sort=-port&country=FI&as_of=${AS_OF}`,
  ],
  ['changes', [{ limit: 3 }], '/v1/changes?limit=3'],
  ['trend', ['USLAX', { window: '7d', ...PAST }], `/v1/ports/USLAX/trend?window=7d&${SENT}&as_of=${AS_OF}`],
  ['trend', ['USLAX', { days: 5 }], '/v1/ports/USLAX/trend?days=5'],
  [
    'waits',
    ['USLAX', { from: UNTIL, to: UNTIL, class: 'tanker', asOf: AS_OF }],
    `/v1/ports/USLAX/waits?from=${UNTIL}&to=${UNTIL}&class=tanker&as_of=${AS_OF}`,
  ],
  ['forecast', ['USLAX', { metric: 'at_anchor' }], '/v1/ports/USLAX/forecast?metric=at_anchor'],
  ['dwell', ['USLAX', { window: '30d', until: UNTIL }], `/v1/ports/USLAX/dwell?window=30d&${SENT}`],
  ['dwell', ['USLAX', { days: 3 }], '/v1/ports/USLAX/dwell?days=3'],
  ['alerts', ['USLAX', { window: '7d', ...PAST }], `/v1/ports/USLAX/alerts?window=7d&${SENT}&as_of=${AS_OF}`],
  ['alerts', ['USLAX', { days: 3 }], '/v1/ports/USLAX/alerts?days=3'],
  ['alertFeed', [{ since: UNTIL, severity: 'high' }], `/v1/alerts?since=${UNTIL}&severity=high`],
  ['hsImports', ['85', { asOf: AS_OF }], `/v1/hs/85/imports?as_of=${AS_OF}`],
];
it.each(CALLS)('%s%j asks for %s, as JSON and as CSV', async (name, args, path) => {
  for (const [method, step, asked, media] of [
    [name, 200, path, 'application/json'],
    [`${name}Csv`, csv, `${path}${path.includes('?') ? '&' : '?'}format=csv`, 'text/csv'],
  ] as const) {
    const { client, requests } = virtualService([step]);
    const call = client[method as 'trend'] as (...given: unknown[]) => Promise<unknown>;
    await expect(call.apply(client, args)).resolves.toEqual(step === 200 ? [] : 'a,b\n');
    expect(requests).toMatchObject([{ path: asked, headers: { Accept: media } }]);
  }
});

it('asks for health and snapshots, and keeps whatever stands in a path in its segment', async () => {
  const { client, requests } = virtualService([200]);
  await client.health();
  for (const port of ['USLAX', '../us ?#']) await client.snapshot(port, { asOf: AS_OF });
  expect(requests.map(({ path }) => path)).toEqual([
    '/v1/health',
    `/v1/ports/USLAX/snapshot?as_of=${AS_OF}`,
    `/v1/ports/..%2Fus%20%3F%23/snapshot?as_of=${AS_OF}`,
  ]);
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
