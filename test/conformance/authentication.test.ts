/** Section 5: keys. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PreparedService, startPreparedService } from './prepared-service.ts';
import { get, isDeployed, keyOf, quietKey } from './service.ts';
import { expectError } from './statements.ts';

const LETTERS = 'a1'.repeat(40);

describe('5. Authentication', () => {
  it('[S5.01] "an API key sent in the request header X-API-Key", and nowhere else', async () => {
    const key = quietKey();
    expect((await get('/v1/meta/sources', { key })).status).toBe(200);
    const path = '/v1/meta/sources';
    for (const elsewhere of [`${path}?api_key=${key}`, `${path}?X-API-Key=${key}`])
      expectError(await get(elsewhere, { key: undefined }), 401, 'auth_missing');
    expectError(
      await get(path, { key: undefined, headers: { Authorization: `Bearer ${key}` } }),
      401,
      'auth_missing',
    );
  });

  it('[S5.02] health "responds 200 either way"', async () => {
    for (const key of [undefined, keyOf('starter'), 'nonsense', keyOf('disabled')])
      expect((await get('/v1/health', { key })).status).toBe(200);
  });

  it('[S5.03] health is not rate limited', async () => {
    const key = keyOf('starter');
    const before = await get('/v1/meta/sources', { key });
    const replies = await Promise.all(
      Array.from({ length: 400 }, (_, i) => get('/v1/health', { key: i % 2 ? key : undefined })),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    for (const { headers } of replies) expect(headers).not.toHaveProperty('ratelimit-limit');
    const after = await get('/v1/meta/sources', { key });
    expect(Number(after.headers['ratelimit-remaining'])).toBeGreaterThanOrEqual(
      Number(before.headers['ratelimit-remaining']) - 1,
    );
  });

  it('[S5.13] [S7.13] "or malformed key": 401 auth_invalid', async () => {
    const malformed = [
      'abc',
      `pcd_test_${LETTERS.slice(0, 24)}`,
      `pcd_dev_${LETTERS.slice(0, 23)}`,
      `pcd_dev_${LETTERS.slice(0, 65)}`,
      `pcd_dev_${LETTERS.slice(0, 23)}-`,
      `PCD_DEV_${LETTERS.slice(0, 24)}`,
      `${keyOf('demo')} x`,
      'x'.repeat(2000),
    ];
    for (const key of malformed) expectError(await get('/v1/meta/sources', { key }), 401, 'auth_invalid');
  });
});

const local = isDeployed ? describe.skip : describe;

local('5. Authentication, with keys of its own', () => {
  let prepared: PreparedService;
  beforeAll(async () => {
    prepared = await startPreparedService();
  });
  afterAll(() => prepared?.close());

  it('[S5.04] keys of 24 and of 64 letters and digits are taken', async () => {
    for (const length of [24, 64])
      expect(
        (await prepared.get('/v1/meta/sources', { key: await prepared.newKey('starter', { length }) }))
          .status,
      ).toBe(200);
  });

  it('[S5.09] "Development and production keys are kept separate"', async () => {
    expectError(
      await prepared.get('/v1/meta/sources', { key: await prepared.newKey('starter', { kind: 'live' }) }),
      401,
      'auth_invalid',
    );
    const other = await startPreparedService();
    try {
      const key = await prepared.newKey('starter', { length: 40 });
      expect((await prepared.get('/v1/meta/sources', { key })).status).toBe(200);
      expectError(await other.get('/v1/meta/sources', { key }), 401, 'auth_invalid');
    } finally {
      await other.close();
    }
  });

  it('[S5.06] "Keys are long-lived secrets": nothing expires one within a year', async () => {
    const key = await prepared.newKey('starter');
    prepared.clock.at = Date.now() + 366 * 86_400_000;
    expect((await prepared.get('/v1/meta/sources', { key })).status).toBe(200);
    prepared.clock.at = undefined;
  });

  it('[S5.10] a revoked key is refused from its next uncached read on; a deleted one is unknown', async () => {
    const at = Date.now();
    prepared.clock.at = at;
    const key = await prepared.newKey('starter');
    const row = await prepared.rowOf(key);
    const { keyStore } = prepared.service;
    expect((await prepared.get('/v1/meta/sources', { key })).status).toBe(200);
    await keyStore.change([{ ...row, enabled: false }], []);
    expectError(await prepared.get('/v1/meta/sources', { key }), 403, 'auth_forbidden');
    await keyStore.change([], [row.digest]);
    expectError(await prepared.get('/v1/meta/sources', { key }), 401, 'auth_invalid');
    prepared.clock.at = undefined;
  });
});
