/** The typed client against the service: it returns the same as a plain request to the service. */
import { describe, expect, it } from '@jest/globals';
import * as z from 'zod/mini';
import { ROUTES } from '../../core/contracts/routes.ts';
import { RECORDS } from '../../core/contracts/wire.ts';
import { PortCongestionClient } from '../../packages/client/index.ts';
import { get, HS, PORT, quietKey, serviceUrl } from './service.ts';

const client = new PortCongestionClient({ baseUrl: serviceUrl(), apiKey: quietKey() });
describe('returns what the service sends', () => {
  it.each<[string, string, () => Promise<unknown>, string]>([
    ['sources', 'SourceRecord', () => client.get('sources'), '/v1/meta/sources'],
    ['ports', 'PortRecord', () => client.get('ports'), '/v1/ports'],
    ['changes', 'PortChange', () => client.get('changes'), '/v1/changes'],
    [
      'trend',
      'TrendPoint',
      () => client.get('trend', { UNLOCODE: PORT, window: '14d' }),
      `/v1/ports/${PORT}/trend?window=14d`,
    ],
    [
      'trend by days',
      'TrendPoint',
      () => client.get('trend', { UNLOCODE: PORT, days: 5 }),
      `/v1/ports/${PORT}/trend?days=5`,
    ],
    ['snapshot', 'Snapshot', () => client.get('snapshot', { UNLOCODE: PORT }), `/v1/ports/${PORT}/snapshot`],
    [
      'dwell',
      'DwellPeriod',
      () => client.get('dwell', { UNLOCODE: PORT, window: '7d' }),
      `/v1/ports/${PORT}/dwell?window=7d`,
    ],
    ['alerts', 'Alert', () => client.get('alerts', { UNLOCODE: PORT }), `/v1/ports/${PORT}/alerts`],
    ['HS imports', 'HsImportPoint', () => client.get('hsImports', { code: HS }), `/v1/hs/${HS}/imports`],
  ])('%s', async (_, record, call, path) => {
    const value = await call();
    expect(value).toEqual((await get(path)).json());
    for (const item of [value].flat())
      expect(z.safeParse(RECORDS.get(record) ?? z.never(), item)).toMatchObject({ success: true });
  });

  it('health, whose time advances', async () => {
    expect(z.safeParse(ROUTES.health.response, await client.get('health'))).toMatchObject({ success: true });
  });

  it('CSV, byte for byte', async () => {
    expect(await client.get('ports', { format: 'csv' })).toBe((await get('/v1/ports?format=csv')).text);
    const trend = (await get(`/v1/ports/${PORT}/trend?window=30d&format=csv`)).text;
    expect(await client.get('trend', { UNLOCODE: PORT, window: '30d', format: 'csv' })).toBe(trend);
    expect(await client.get('hsImports', { code: HS, format: 'csv' })).toBe(
      (await get(`/v1/hs/${HS}/imports?format=csv`)).text,
    );
  });
});
