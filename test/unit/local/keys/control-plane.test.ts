/** The local control plane, asked as the key command asks it: with API Gateway's own SDK client. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  APIGatewayClient,
  CreateApiKeyCommand,
  CreateUsagePlanKeyCommand,
  DeleteApiKeyCommand,
  DeleteUsagePlanKeyCommand,
  GetApiKeysCommand,
  GetUsagePlanKeysCommand,
  GetUsagePlansCommand,
  UpdateApiKeyCommand,
  UpdateUsagePlanCommand,
} from '@aws-sdk/client-api-gateway';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiKey, openControlPlane } from '../../../../local/keys/control-plane.ts';
import { type ControlPlaneServer, serveControlPlane } from '../../../../local/keys/control-plane-server.ts';
import { benchPlan, readDemoKeys, seedKeys } from '../../../../local/service/demo-keys.ts';
import type { PlanModel } from '../../../../local/template/service-model.ts';

const planOf = (name: string, tier = name): PlanModel => ({
  id: `id-${name}`,
  name,
  throttle: { ratePerSecond: 1, burst: 300 },
  monthlyQuota: 500,
  stages: [{ apiId: 'api', stage: 'dev' }],
  tags: { 'pcd:tier': tier },
});
const PLANS = [planOf('lite'), planOf('starter'), planOf('pro'), benchPlan('api', 'dev')];
const file = join(mkdtempSync(join(tmpdir(), 'plane-')), 'control-plane.json');
const now = (): number => 1_700_000_000_000;
const open = (plans = PLANS) => openControlPlane(file, plans, now);
const digest = (letter: string): string => letter.repeat(64);

describe('through the SDK', () => {
  const plane = openControlPlane(undefined, PLANS, now);
  let server: ControlPlaneServer;
  let client: APIGatewayClient;
  beforeAll(async () => {
    server = await serveControlPlane(plane);
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    client = new APIGatewayClient({
      endpoint: server.endpoint,
      region: 'local',
      credentials,
      maxAttempts: 1,
    });
  });
  afterAll(() => server.close());

  it('a key is made, and is on one plan of a stage at a time', async () => {
    const value = digest('a');
    const made = await client.send(new CreateApiKeyCommand({ name: 'acme', value, enabled: true }));
    expect(made).toMatchObject({ name: 'acme', enabled: true, createdDate: new Date(now()) });
    const keyId = made.id ?? '';
    const putOn = (usagePlanId: string) =>
      client.send(new CreateUsagePlanKeyCommand({ usagePlanId, keyId, keyType: 'API_KEY' }));
    const planNow = (stage: string) => plane.planOf(plane.findKey(value) as ApiKey, 'api', stage)?.name;
    await putOn('id-lite');
    await expect(putOn('id-pro')).rejects.toMatchObject({ name: 'ConflictException' });
    const { items } = await client.send(new GetUsagePlanKeysCommand({ usagePlanId: 'id-lite' }));
    expect(items).toMatchObject([{ id: keyId, name: 'acme', value, type: 'API_KEY' }]);
    expect([planNow('dev'), planNow('prod')]).toEqual(['lite', undefined]);
    await client.send(new DeleteUsagePlanKeyCommand({ usagePlanId: 'id-lite', keyId }));
    await putOn('id-pro');
    expect(planNow('dev')).toBe('pro');
    await client.send(new DeleteApiKeyCommand({ apiKey: keyId }));
    expect(plane.findKey(value)).toBeUndefined();
  });

  it('lists come page by page, values only when asked for', async () => {
    for (let index = 0; index < 7; index += 1)
      plane.createKey({ name: `k${index}`, value: `${index}`.repeat(64) });
    const names: (string | undefined)[] = [];
    let position: string | undefined;
    do {
      const page = await client.send(new GetApiKeysCommand({ limit: 3, ...(position && { position }) }));
      names.push(...(page.items ?? []).map(({ name }) => name));
      expect(page.items?.every(({ value }) => value === undefined)).toBe(true);
      position = page.position;
    } while (position);
    expect(names).toEqual(['k0', 'k1', 'k2', 'k3', 'k4', 'k5', 'k6']);
    const withValues = await client.send(new GetApiKeysCommand({ includeValues: true, limit: 4 }));
    expect(withValues.items?.[3]).toMatchObject({ value: '3'.repeat(64) });
  });

  it('a key is renamed and switched off in one patch, which leaves its value and tags', async () => {
    const key = { value: digest('b'), tags: { 'pcd:stage': 'dev' } };
    const { id: apiKey } = plane.createKey({ ...key, name: 'acme' });
    const patchOperations = [
      { op: 'replace' as const, path: '/enabled', value: 'false' },
      { op: 'replace' as const, path: '/name', value: 'renamed' },
    ];
    await client.send(new UpdateApiKeyCommand({ apiKey, patchOperations }));
    expect(plane.getKey(apiKey)).toMatchObject({ ...key, name: 'renamed', enabled: false });
  });

  it('a plan’s limits are edited, and taken away', async () => {
    const edit = (...patchOperations: { op: 'replace' | 'remove'; path: string; value?: string }[]) =>
      client.send(new UpdateUsagePlanCommand({ usagePlanId: 'id-pro', patchOperations }));
    await edit(
      { op: 'replace', path: '/throttle/rateLimit', value: '2' },
      { op: 'replace', path: '/throttle/burstLimit', value: '600' },
      { op: 'replace', path: '/quota/limit', value: '900' },
    );
    const { items } = await client.send(new GetUsagePlansCommand({}));
    expect(items?.find(({ id }) => id === 'id-pro')).toMatchObject({
      throttle: { rateLimit: 2, burstLimit: 600 },
      quota: { limit: 900, period: 'MONTH' },
      apiStages: [{ apiId: 'api', stage: 'dev' }],
      tags: { 'pcd:tier': 'pro' },
    });
    const bare = await edit({ op: 'remove', path: '/throttle' }, { op: 'remove', path: '/quota' });
    expect([bare.throttle, bare.quota]).toEqual([undefined, undefined]);
    await expect(edit({ op: 'replace', path: '/throttle/rateLimit', value: '-1' })).rejects.toMatchObject({
      name: 'BadRequestException',
    });
  });

  it.each([
    ['an unknown key', () => new DeleteApiKeyCommand({ apiKey: 'none' }), 'NotFoundException'],
    ['an unknown plan', () => new GetUsagePlanKeysCommand({ usagePlanId: 'none' }), 'NotFoundException'],
    [
      'a value that is no digest',
      () => new CreateApiKeyCommand({ name: 'x', value: 'pcd_dev_abcdefghijklmnopqrst' }),
      'BadRequestException',
    ],
    [
      'a value that is there',
      () => new CreateApiKeyCommand({ name: 'x', value: '1'.repeat(64) }),
      'ConflictException',
    ],
    [
      'a patch of nothing known',
      () =>
        new UpdateApiKeyCommand({
          apiKey: plane.listKeys()[0]?.id,
          patchOperations: [{ op: 'replace', path: '/value', value: 'x' }],
        }),
      'BadRequestException',
    ],
    [
      'a key that is not on the plan',
      () => new DeleteUsagePlanKeyCommand({ usagePlanId: 'id-lite', keyId: plane.listKeys()[0]?.id }),
      'NotFoundException',
    ],
  ])('%s is refused as AWS refuses it', async (_, command, name) => {
    await expect(client.send(command() as DeleteApiKeyCommand)).rejects.toMatchObject({ name });
  });

  it.each([
    ['no signature', {}, 403],
    ['a web page behind it', { authorization: 'AWS4-HMAC-SHA256 x', origin: 'https://evil.example' }, 403],
    ['an operation that is none', { authorization: 'AWS4-HMAC-SHA256 x' }, 404],
  ])('a request with %s is refused', async (_, headers, status) => {
    const reply = await fetch(`${server.endpoint}/restapis`, { headers: headers as Record<string, string> });
    expect(reply.status).toBe(status);
  });

  it('a request without this start’s secret, or for another host, is refused', async () => {
    const { origin, pathname, hostname, port } = new URL(server.endpoint);
    const authorization = 'AWS4-HMAC-SHA256 x';
    const statusOf = async (path: string, host: string): Promise<number | undefined> => {
      const sent = request({ hostname, port, path, headers: { authorization, host } }).end();
      const [reply] = (await once(sent, 'response')) as [IncomingMessage];
      return reply.resume().statusCode;
    };
    expect((await fetch(`${origin}/apikeys`, { headers: { authorization } })).status).toBe(403);
    expect(await statusOf(`${pathname}/apikeys`, 'localhost')).toBe(200);
    expect(await statusOf(`${pathname}/apikeys`, 'rebound.example')).toBe(403);
  });
});

describe('the state on disk', () => {
  it('outlives the process, with the demo keys as they were changed', () => {
    const keys = readDemoKeys();
    const first = open();
    seedKeys(first, keys, 'dev');
    expect(
      first.listKeys().map((key) => [key.name, key.enabled, first.planOf(key, 'api', 'dev')?.name]),
    ).toEqual([
      ['demo', true, 'starter'],
      ['lite', true, 'lite'],
      ['starter', true, 'starter'],
      ['pro', true, 'pro'],
      ['disabled', false, 'starter'],
      ['unplanned', true, undefined],
      ['bench', true, 'Bench'],
    ]);
    const lite = first.listKeys().find(({ name }) => name === 'lite');
    first.updateKey(lite?.id ?? '', { enabled: false });
    const second = open();
    seedKeys(second, keys, 'dev');
    expect(second.listKeys()).toEqual(first.listKeys());
    for (const key of Object.values(keys)) expect(readFileSync(file, 'utf8')).not.toContain(key);
  });

  it('keeps an edit of a plan until the template changes that plan', () => {
    open().updatePlan('id-pro', { throttle: { ratePerSecond: 5, burst: 50 } });
    expect(open().getPlan('id-pro').throttle).toEqual({ ratePerSecond: 5, burst: 50 });
    const changed = PLANS.map((plan) => (plan.id === 'id-pro' ? { ...plan, monthlyQuota: 501 } : plan));
    expect(open(changed).getPlan('id-pro').throttle).toEqual({ ratePerSecond: 1, burst: 300 });
  });

  it('is refused when it is damaged', () => {
    writeFileSync(file, '{"keys":[{}]}');
    expect(open).toThrow(`${file} is damaged`);
  });
});

it('needs the plans that its keys are on', () => {
  const plane = openControlPlane(undefined, [planOf('lite')], now);
  expect(() => seedKeys(plane, readDemoKeys(), 'dev')).toThrow('no usage plan tagged pcd:tier=starter');
});
