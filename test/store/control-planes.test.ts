/** The key command: on the key table of one machine, and with the reconciliation on API Gateway's control plane, over HTTP. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type APIGatewayClient,
  DeleteUsagePlanKeyCommand,
  UpdateApiKeyCommand,
  UpdateUsagePlanCommand,
} from '@aws-sdk/client-api-gateway';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createKeyStore, type KeyStore, keyDigest } from '../../core/access/keys.ts';
import { PLANS, TIER_TAG, TIERS } from '../../core/contracts/plans.ts';
import { createAuthorizer } from '../../lambdas/authorizer/authorizer.ts';
import { claimDataDirectory } from '../../local/data-directory.ts';
import { type LocalService, startLocalService } from '../../local/local-service.ts';
import { type KeyStage, openKeyStage, runKeyCommand } from '../../tools/keys/key-commands.ts';
import {
  type ControlPlaneServer,
  openControlPlane,
  planeStage,
  serveControlPlane,
} from '../builders/control-plane.ts';
import { startTestStore, type TestStore } from '../builders/store-tables.ts';

const STAGE = 'dev';
const PLANS_HERE = TIERS.map((tier) => ({
  id: `plan-${tier}`,
  name: PLANS[tier].title,
  throttle: { ratePerSecond: 1, burst: 300 },
  monthlyQuota: PLANS[tier].monthlyQuota,
  stages: [{ apiId: 'api', stage: STAGE }],
  tags: { [TIER_TAG]: tier },
}));

async function runOn(stage: KeyStage, line: string): Promise<string> {
  const said: string[] = [];
  const code = await runKeyCommand(line.split(' '), {
    openStage: async () => stage,
    print: (text) => said.push(text),
    complain: (text) => said.push(text),
  });
  expect([code, ...said]).toEqual([0, expect.any(String)]);
  return said.join('\n');
}
const field = (text: string, label: string): string =>
  new RegExp(`^${label} +(\\S+)$`, 'm').exec(text)?.[1] ?? '';

describe('the key command with --local', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pcd-keys-'));
  let service: LocalService;
  beforeAll(async () => {
    service = await startLocalService({});
  });
  afterAll(async () => {
    await service.close();
    rmSync(dataDir, { recursive: true });
  });

  it('finds the service by its data directory, and each change is seen at the next request', async () => {
    await expect(openKeyStage({ dataDir })).rejects.toThrow(`no service runs on ${dataDir}`);
    const directory = claimDataDirectory(dataDir);
    const { url, storeEndpoint: store } = service;
    directory.announce({ url, store, releases: dataDir, clockOffsetMs: 0 });
    const stage = await openKeyStage({ dataDir });
    const run = (line: string) => runOn(stage, line);
    const ask = async (key: string, path = '/v1/meta/sources') =>
      (await fetch(`${url}${path}`, { headers: { 'X-API-Key': key } })).status;
    const created = await run('create --plan starter --name acme');
    const [id, secret] = [field(created, 'id'), field(created, 'secret')];
    const imports = '/v1/hs/85/imports';
    expect([await ask(secret), await ask(secret, imports)]).toEqual([200, 200]);
    await run(`move ${id} --plan lite`);
    expect([await ask(secret), await ask(secret, imports)]).toEqual([200, 403]);
    await run(`disable ${id}`);
    expect(await ask(secret)).toBe(403);
    await run(`enable ${id}`);
    const rotated = await run(`rotate ${id} --revoke`);
    const fresh = field(rotated, 'secret');
    expect([await ask(secret), await ask(fresh)]).toEqual([403, 200]);
    const today = new Date().toISOString().slice(0, 10);
    expect(await run('list')).toMatch(
      new RegExp(
        `^${field(rotated, 'id')} +acme +lite \\(Port Congestion dev Lite\\) +enabled +${today}`,
        'm',
      ),
    );
    directory.release();
  });
});

describe('the control plane of a stage', () => {
  let store: TestStore<'apiKeys'>;
  let server: ControlPlaneServer;
  let client: APIGatewayClient;
  let stage: KeyStage;
  let keys: KeyStore;
  beforeAll(async () => {
    store = await startTestStore(['apiKeys']);
    keys = createKeyStore(store.tables.apiKeys);
    server = await serveControlPlane(openControlPlane(PLANS_HERE, Date.now));
    ({ client, stage } = planeStage(server.endpoint, { stage: STAGE, apiId: 'api' }, keys));
  });
  afterAll(async () => {
    await server.close();
    await store.close();
  });

  const run = (line: string) => runOn(stage, line);
  const rowOf = (secret: string) => keys.find(keyDigest(secret));
  const authorize = (secret: string) =>
    createAuthorizer({ keys, prefix: 'pcd_dev', now: Date.now })({
      methodArn: 'arn:aws:execute-api:r:a:api/dev/GET/v1/sources',
      headers: { 'X-API-Key': secret },
      multiValueHeaders: {},
    });

  it('carries every change of the key command into the key table at once', async () => {
    const issued = await run('create --plan starter --name acme');
    const [id, secret] = [field(issued, 'id'), field(issued, 'secret')];
    expect(await rowOf(secret)).toEqual({
      digest: keyDigest(secret),
      keyId: id,
      name: 'acme',
      enabled: true,
      planId: 'plan-starter',
      tier: 'starter',
      limits: { ratePerSecond: 1, burst: 300 },
    });
    expect((await authorize(secret)).context).toMatchObject({ keyState: 'active' });

    await run(`disable ${id}`);
    expect((await authorize(secret)).context).toMatchObject({ keyState: 'disabled' });
    await run(`enable ${id}`);
    await run(`move ${id} --plan lite`);
    expect(await rowOf(secret)).toMatchObject({ enabled: true, tier: 'lite', planId: 'plan-lite' });

    const rotated = await run(`rotate ${id} --revoke`);
    const fresh = field(rotated, 'secret');
    expect(await rowOf(fresh)).toMatchObject({ name: 'acme', enabled: true, tier: 'lite' });
    expect(await rowOf(secret)).toMatchObject({ enabled: false });

    const list = await run('list');
    expect(list).toMatch(new RegExp(`^${field(rotated, 'id')} +acme +lite \\(Lite\\) +enabled`, 'm'));
    for (const key of [secret, fresh]) {
      expect(list).not.toContain(key);
      expect(list).not.toContain(keyDigest(key));
    }
  });

  it('S5.11 carries edits made behind its back, limits included, when it runs next', async () => {
    const issued = await run('create --plan pro --name edited');
    const [keyId, secret] = [field(issued, 'id'), field(issued, 'secret')];
    const usagePlanId = 'plan-pro';
    await client.send(
      new UpdateUsagePlanCommand({
        usagePlanId,
        patchOperations: [
          { op: 'replace', path: '/throttle/rateLimit', value: '2' },
          { op: 'replace', path: '/throttle/burstLimit', value: '600' },
        ],
      }),
    );
    await client.send(
      new UpdateApiKeyCommand({
        apiKey: keyId,
        patchOperations: [{ op: 'replace', path: '/enabled', value: 'false' }],
      }),
    );
    await stage.synchronize();
    expect(await rowOf(secret)).toMatchObject({ enabled: false, limits: { ratePerSecond: 2, burst: 600 } });
    await client.send(new DeleteUsagePlanKeyCommand({ usagePlanId, keyId }));
    await run(`enable ${keyId}`);
    expect((await authorize(secret)).context).toMatchObject({ keyState: 'unplanned' });
  });

  it('forgets a deleted key: it is unknown then', async () => {
    const issued = await run('create --plan pro --name gone');
    const [id, secret] = [field(issued, 'id'), field(issued, 'secret')];
    await stage.administration.delete(id);
    await stage.synchronize();
    expect(await rowOf(secret)).toBeUndefined();
    expect((await authorize(secret)).policyDocument.Statement[0]).toMatchObject({ Effect: 'Deny' });
  });
});
