/** The key command and the reconciliation on the local control plane, over HTTP. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  APIGatewayClient,
  DeleteUsagePlanKeyCommand,
  UpdateApiKeyCommand,
  UpdateUsagePlanCommand,
} from '@aws-sdk/client-api-gateway';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PLANS, TIER_TAG, TIERS } from '../../core/contracts/plans.ts';
import { keyDigest } from '../../core/keys/key.ts';
import { createKeyStore, type KeyStore } from '../../core/keys/key-table.ts';
import { createAuthorizer } from '../../lambdas/authorizer/authorizer.ts';
import { openKeyStage } from '../../tools/keys/key-stage.ts';
import { runKeyCommand } from '../../tools/keys/run-key-command.ts';
import { announcePlane } from '../builders/announced-plane.ts';
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

describe('the control plane on one machine, found by its data directory as the command finds it', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pcd-keys-'));
  let store: TestStore<'apiKeys'>;
  let announced: Awaited<ReturnType<typeof announcePlane>>;
  let client: APIGatewayClient;
  let keys: KeyStore;
  beforeAll(async () => {
    store = await startTestStore(['apiKeys']);
    announced = await announcePlane(dataDir, PLANS_HERE, store, STAGE);
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const { endpoint } = announced.server;
    client = new APIGatewayClient({ endpoint, region: 'eu-north-1', credentials });
    keys = createKeyStore(store.tables.apiKeys);
  });
  afterAll(async () => {
    announced.directory.release();
    await expect(openKeyStage({ dataDir })).rejects.toThrow(`no service runs on ${dataDir}`);
    await announced.server.close();
    await store.close();
    rmSync(dataDir, { recursive: true });
  });

  async function run(line: string): Promise<string> {
    const said: string[] = [];
    const code = await runKeyCommand(line.split(' '), {
      openStage: () => openKeyStage({ dataDir }),
      print: (text) => said.push(text),
      complain: (text) => said.push(text),
    });
    expect([code, ...said]).toEqual([0, expect.any(String)]);
    return said.join('\n');
  }
  const field = (text: string, label: string): string =>
    new RegExp(`^${label} +(\\S+)$`, 'm').exec(text)?.[1] ?? '';
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
    await (await openKeyStage({ dataDir })).synchronize();
    expect(await rowOf(secret)).toMatchObject({ enabled: false, limits: { ratePerSecond: 2, burst: 600 } });
    await client.send(new DeleteUsagePlanKeyCommand({ usagePlanId, keyId }));
    await run(`enable ${keyId}`);
    expect((await authorize(secret)).context).toMatchObject({ keyState: 'unplanned' });
  });

  it('forgets a deleted key: it is unknown then', async () => {
    const issued = await run('create --plan pro --name gone');
    const [id, secret] = [field(issued, 'id'), field(issued, 'secret')];
    const place = await openKeyStage({ dataDir });
    await place.administration.delete(id);
    await place.synchronize();
    expect(await rowOf(secret)).toBeUndefined();
    expect((await authorize(secret)).policyDocument.Statement[0]).toMatchObject({ Effect: 'Deny' });
  });
});
