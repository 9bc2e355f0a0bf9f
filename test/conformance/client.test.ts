/** The typed client against the service: it returns the same as a plain request to the service. */
import { describe, expect, it } from '@jest/globals';
import * as z from 'zod/mini';
import { PortCongestionClient, PortCongestionError, type ResponseInfo } from '../../client/index.ts';
import { ROUTES } from '../../core/contracts/routes.ts';
import { RECORDS } from '../../core/contracts/wire.ts';
import { get, HS, keyOf, PORT, quietKey, serviceUrl, UNKNOWN_PORT } from './service.ts';

const responses: ResponseInfo[] = [];
const client = new PortCongestionClient({
  baseUrl: serviceUrl(),
  apiKey: quietKey(),
  onResponse: (info) => responses.push(info),
});
const withKey = (apiKey: string | undefined) => new PortCongestionClient({ baseUrl: serviceUrl(), apiKey });
const refusal = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no refusal',
    (error: unknown) => error,
  );

describe('returns what the service sends', () => {
  it.each<[string, string, () => Promise<unknown>, string]>([
    ['sources', 'SourceRecord', () => client.sources(), '/v1/meta/sources'],
    ['ports', 'PortRecord', () => client.ports(), '/v1/ports'],
    ['changes', 'PortChange', () => client.changes(), '/v1/changes'],
    [
      'trend',
      'TrendPoint',
      () => client.trend(PORT, { window: '14d' }),
      `/v1/ports/${PORT}/trend?window=14d`,
    ],
    ['trend by days', 'TrendPoint', () => client.trend(PORT, { days: 5 }), `/v1/ports/${PORT}/trend?days=5`],
    ['snapshot', 'Snapshot', () => client.snapshot(PORT), `/v1/ports/${PORT}/snapshot`],
    ['dwell', 'DwellPeriod', () => client.dwell(PORT, { window: '7d' }), `/v1/ports/${PORT}/dwell?window=7d`],
    ['alerts', 'Alert', () => client.alerts(PORT), `/v1/ports/${PORT}/alerts`],
    ['HS imports', 'HsImportPoint', () => client.hsImports(HS), `/v1/hs/${HS}/imports`],
  ])('%s', async (_, record, call, path) => {
    const value = await call();
    expect(value).toEqual((await get(path)).json());
    for (const one of [value].flat())
      expect(z.safeParse(RECORDS.get(record) ?? z.never(), one)).toMatchObject({ success: true });
  });

  it('health, whose time advances', async () => {
    expect(z.safeParse(ROUTES.health.response, await client.health())).toMatchObject({ success: true });
  });

  it('CSV, byte for byte', async () => {
    expect(await client.portsCsv()).toBe((await get('/v1/ports?format=csv')).text);
    const trend = (await get(`/v1/ports/${PORT}/trend?window=30d&format=csv`)).text;
    expect(await client.trendCsv(PORT, { window: '30d' })).toBe(trend);
    expect(await client.hsImportsCsv(HS)).toBe((await get(`/v1/hs/${HS}/imports?format=csv`)).text);
  });
});

it('turns the 304 of an unchanged response into the cached value', async () => {
  const first = await client.trendCsv(PORT, { window: '7d' });
  expect(await client.trendCsv(PORT, { window: '7d' })).toBe(first);
  expect(responses.slice(-2).map(({ status }) => status)).toEqual([200, 304]);
});

it('rejects with the error of the service, and never with the key', async () => {
  const unknown = await refusal(client.snapshot(UNKNOWN_PORT));
  expect(unknown).toBeInstanceOf(PortCongestionError);
  expect(unknown).toMatchObject({ status: 404, code: 'not_found', attempts: 1, hint: expect.any(String) });
  expect((unknown as PortCongestionError).requestId).toBe(responses.at(-1)?.requestId);
  expect(await refusal(client.trend(PORT, { days: 31 }))).toMatchObject({
    status: 422,
    code: 'validation_failed',
  });
  expect(await refusal(withKey(undefined).sources())).toMatchObject({ status: 401, code: 'auth_missing' });
  const key = 'pcd_dev_unknown00000000000000000000';
  const refused = await refusal(withKey(key).sources());
  expect(refused).toMatchObject({ status: 401, code: 'auth_invalid' });
  expect(JSON.stringify(refused) + String(refused)).not.toContain(key);
  expect(await refusal(withKey(keyOf('lite')).hsImports(HS))).toMatchObject({
    status: 403,
    code: 'auth_forbidden',
  });
});

it('states the allotment of a limited key', async () => {
  const seen: ResponseInfo[] = [];
  const limited = new PortCongestionClient({
    baseUrl: serviceUrl(),
    apiKey: keyOf('pro'),
    onResponse: (info) => seen.push(info),
  });
  await limited.sources();
  expect(seen[0]?.rateLimit).toMatchObject({ limit: 60, resetAt: expect.any(Date) });
  expect(seen[0]?.rateLimit?.remaining).toBeLessThan(60);
});
