/** The typed client against the service: it returns the same as a plain request to the service. */
import { describe, expect, it } from '@jest/globals';
import * as z from 'zod/mini';
import type { Route } from '../../core/contracts/route.ts';
import { ROUTES } from '../../core/contracts/routes.ts';
import { createClient } from '../../packages/client/index.ts';
import { get, HS, PORT, quietKey, serviceUrl } from './service.ts';

const client = createClient({ baseUrl: serviceUrl(), apiKey: quietKey() });
const ofPort = <Q>(query: Q) => ({ params: { path: { UNLOCODE: PORT }, query } });

describe('returns what the service sends', () => {
  it.each<[keyof typeof ROUTES, () => Promise<{ data?: unknown }>, string]>([
    ['sources', () => client.GET('/v1/meta/sources'), '/v1/meta/sources'],
    ['ports', () => client.GET('/v1/ports'), '/v1/ports'],
    ['changes', () => client.GET('/v1/changes'), '/v1/changes'],
    [
      'trend',
      () => client.GET('/v1/ports/{UNLOCODE}/trend', ofPort({ window: '14d' as const })),
      `/v1/ports/${PORT}/trend?window=14d`,
    ],
    [
      'trend',
      () => client.GET('/v1/ports/{UNLOCODE}/trend', ofPort({ days: 5 })),
      `/v1/ports/${PORT}/trend?days=5`,
    ],
    ['snapshot', () => client.GET('/v1/ports/{UNLOCODE}/snapshot', ofPort({})), `/v1/ports/${PORT}/snapshot`],
    [
      'dwell',
      () => client.GET('/v1/ports/{UNLOCODE}/dwell', ofPort({ window: '7d' as const })),
      `/v1/ports/${PORT}/dwell?window=7d`,
    ],
    ['alerts', () => client.GET('/v1/ports/{UNLOCODE}/alerts', ofPort({})), `/v1/ports/${PORT}/alerts`],
    [
      'hsImports',
      () => client.GET('/v1/hs/{code}/imports', { params: { path: { code: HS } } }),
      `/v1/hs/${HS}/imports`,
    ],
  ])('%s', async (operation, call, path) => {
    const { data } = await call();
    expect(data).toEqual((await get(path)).json());
    const { response }: Route = ROUTES[operation];
    expect(z.safeParse(response, data)).toMatchObject({ success: true });
  });

  it('health, whose time advances', async () => {
    const { data } = await client.GET('/v1/health');
    expect(z.safeParse(ROUTES.health.response, data)).toMatchObject({ success: true });
  });

  it('CSV, byte for byte', async () => {
    const trend = ofPort({ window: '30d', format: 'csv' } as const);
    const { data } = await client.GET('/v1/ports/{UNLOCODE}/trend', { ...trend, parseAs: 'text' });
    expect(data).toBe((await get(`/v1/ports/${PORT}/trend?window=30d&format=csv`)).text);
    const ports = { params: { query: { format: 'csv' } }, parseAs: 'text' } as const;
    expect((await client.GET('/v1/ports', ports)).data).toBe((await get('/v1/ports?format=csv')).text);
  });
});
