/** What the gateway keeps of keys, the month's quota, and its patience with a function. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PLANS } from '../../../core/contracts/plans.ts';
import { keyRow, openUsage } from '../../../local/keys.ts';
import { startTestGateway, type TestGateway } from '../../builders/running-gateway.ts';

const MARCH = Date.UTC(2026, 2, 31, 23, 59, 59, 999);
const PATH = '/v1/ports/a/trend';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.close());

const ask = async (key: string, path = PATH) => {
  const { status, headers, body } = await gateway.send(path, { headers: { 'X-API-Key': key } });
  return { status, headers, code: JSON.parse(body).code };
};

describe('a key', () => {
  it('is looked up once in the time that API Gateway would keep it', async () => {
    const [first, second] = [gateway.key('one', 'starter'), gateway.key('two', 'starter')];
    for (const key of [first, first, second]) await ask(key);
    gateway.clock.now += 59_999;
    await ask(first);
    expect(gateway.checks).toEqual([first, second]);
    gateway.clock.now += 1;
    await ask(first);
    expect(gateway.checks).toEqual([first, second, first]);
  });

  it('is looked up again when the clock has been set back', async () => {
    const key = gateway.key('one', 'starter');
    await ask(key);
    gateway.clock.now -= 3_600_000;
    await ask(key);
    expect(gateway.checks).toEqual([key, key]);
  });

  it('that was refused is refused for five seconds, so that a key made meanwhile works soon', async () => {
    expect((await ask('late')).status).toBe(401);
    gateway.key('late', 'starter');
    gateway.clock.now += 4999;
    expect((await ask('late')).status).toBe(401);
    gateway.clock.now += 1;
    expect((await ask('late')).status).toBe(200);
  });

  it('that changed is seen at the next request once the key table says so', async () => {
    const key = gateway.key('one', 'starter');
    expect((await ask(key)).status).toBe(200);
    gateway.key('one', 'starter', { enabled: false });
    gateway.forgetKeys();
    expect(await ask(key)).toMatchObject({ status: 403, code: 'auth_forbidden' });
  });
});

describe('the quota of the month', () => {
  it('refuses with the limits of the key, but for what the function forbids', async () => {
    const key = gateway.key('one', 'lite');
    gateway.usage.setUsed(gateway.rowOf(key), gateway.clock.now, PLANS.lite.monthlyQuota - 1);
    expect((await ask(key)).status).toBe(200);
    const refused = await ask(key);
    expect(refused).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(refused.headers).toMatchObject({
      'retry-after': '3600',
      'ratelimit-limit': '60',
      'ratelimit-remaining': '0',
    });
    expect((await ask(key, '/v1/ports/forbidden/trend')).status).toBe(403);
    gateway.clock.now = Date.UTC(2026, 3, 1);
    expect((await ask(key)).status).toBe(200);
  });

  it('is not counted on the tier without limits', async () => {
    const key = gateway.key('one', 'bench');
    await ask(key);
    expect(gateway.usage.usedOf(gateway.rowOf(key), gateway.clock.now)).toBe(0);
  });

  it('continues after a restart, and starts at zero with each month in UTC', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'usage-')), 'usage.json');
    const key = keyRow('one', 'one', 'lite', () => MARCH);
    const first = openUsage(file);
    expect([first.count(key, 3, MARCH), first.count(key, 3, MARCH)]).toEqual([true, true]);
    first.save();
    const second = openUsage(file);
    expect([second.count(key, 3, MARCH), second.count(key, 3, MARCH)]).toEqual([true, false]);
    expect(second.usedOf(key, MARCH)).toBe(3);
    expect(second.count(key, 3, MARCH + 1)).toBe(true);
    expect(second.usedOf(key, MARCH + 1)).toBe(1);
  });

  it('is that of a key on its plan', () => {
    const usage = openUsage(undefined);
    const key = keyRow('one', 'one', 'lite', () => MARCH);
    usage.setUsed(key, MARCH, 3);
    expect(usage.count(key, 3, MARCH)).toBe(false);
    expect(usage.count({ ...key, keyId: 'other' }, 3, MARCH)).toBe(true);
    expect(usage.count({ ...key, planId: 'other' }, 3, MARCH)).toBe(true);
    expect(usage.count(key, 4, MARCH)).toBe(true);
  });
});

it('waits no longer for a function than its integration says', async () => {
  const hasty = await startTestGateway({ integrationMs: 50 });
  const key = hasty.key('one', 'starter');
  const { status, body } = await hasty.send('/v1/ports/hang/trend', { headers: { 'X-API-Key': key } });
  await hasty.close();
  expect([status, JSON.parse(body).code]).toEqual([504, 'upstream_error']);
});
