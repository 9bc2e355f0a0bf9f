/** The key command and the reconciliation on the local control plane, over HTTP. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  APIGatewayClient,
  CreateApiKeyCommand,
  DeleteUsagePlanKeyCommand,
  GetApiKeysCommand,
  UpdateApiKeyCommand,
  UpdateUsagePlanCommand,
} from '@aws-sdk/client-api-gateway';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PLANS, TIER_TAG, TIERS } from '../../core/contracts/plans.ts';
import { keyDigest } from '../../core/keys/key.ts';
import { createKeyStore, type KeyStore } from '../../core/keys/key-table.ts';
import { createAuthorizer } from '../../lambdas/authorizer/authorizer.ts';
import type { KeyStage } from '../../tools/keys/key-commands.ts';
import { openKeyStage } from '../../tools/keys/key-stage.ts';
import { runKeyCommand } from '../../tools/keys/run-key-command.ts';
import { announcePlane } from '../builders/announced-plane.ts';
import { startTestStore, type TestStore } from '../builders/store-tables.ts';

const STAGE = 'dev';
const CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' };
const clientOf = (endpoint: string) =>
  new APIGatewayClient({ endpoint, region: 'eu-north-1', credentials: CREDENTIALS });

interface PlaneUnderTest {
  readonly place: () => Promise<KeyStage>;
  readonly client: APIGatewayClient;
  readonly keys: KeyStore;
  readonly planIds: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

let store: TestStore<'apiKeys'>;
beforeAll(async () => {
  store = await startTestStore(['apiKeys']);
});
afterAll(() => store.close());

/** The control plane of the service on one machine, found by its data directory as the command finds it. */
async function localPlane(): Promise<PlaneUnderTest> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pcd-keys-'));
  const stages = [{ apiId: 'api', stage: STAGE }];
  const plans = TIERS.map((tier) => ({
    id: `plan-${tier}`,
    name: PLANS[tier].title,
    throttle: { ratePerSecond: 1, burst: 300 },
    monthlyQuota: PLANS[tier].monthlyQuota,
    stages,
    tags: { [TIER_TAG]: tier },
  }));
  const { server, directory } = await announcePlane(dataDir, plans, store, STAGE);
  return {
    place: () => openKeyStage({ dataDir }),
    client: clientOf(server.endpoint),
    keys: createKeyStore(store.tables.apiKeys),
    planIds: Object.fromEntries(TIERS.map((tier) => [tier, `plan-${tier}`])),
    async close() {
      directory.release();
      await expect(openKeyStage({ dataDir })).rejects.toThrow(`no service runs on ${dataDir}`);
      await server.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}

describe('the control plane on one machine', () => {
  let around: PlaneUnderTest;
  const printed: string[] = [];
  beforeAll(async () => {
    around = await localPlane();
  });
  afterAll(() => around?.close());

  async function run(line: string): Promise<string> {
    const said: string[] = [];
    const code = await runKeyCommand(line.split(' '), {
      openStage: around.place,
      randomBytes,
      print: (text) => said.push(text),
      complain: (text) => said.push(text),
    });
    expect([code, ...said]).toEqual([0, expect.any(String)]);
    printed.push(...said);
    return said.join('\n');
  }
  const field = (text: string, label: string): string =>
    new RegExp(`^${label} +(\\S+)$`, 'm').exec(text)?.[1] ?? '';
  const rowOf = (secret: string) => around.keys.find(keyDigest(secret));
  const authorize = (secret: string) =>
    createAuthorizer({ keys: around.keys, prefix: 'pcd_dev', now: Date.now })({
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
      planId: around.planIds.starter,
      tier: 'starter',
      limits: { ratePerSecond: 1, burst: 300 },
    });
    expect((await authorize(secret)).context).toMatchObject({ keyState: 'active' });

    await run(`disable ${id}`);
    expect((await authorize(secret)).context).toMatchObject({ keyState: 'disabled' });
    await run(`enable ${id}`);
    await run(`move ${id} --plan lite`);
    expect(await rowOf(secret)).toMatchObject({ enabled: true, tier: 'lite', planId: around.planIds.lite });

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
    const { client } = around;
    const usagePlanId = around.planIds.pro ?? '';
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
    await (await around.place()).synchronize();
    expect(await rowOf(secret)).toMatchObject({ enabled: false, limits: { ratePerSecond: 2, burst: 600 } });
    await client.send(new DeleteUsagePlanKeyCommand({ usagePlanId, keyId }));
    await run(`enable ${keyId}`);
    expect((await authorize(secret)).context).toMatchObject({ keyState: 'unplanned' });
  });

  it('forgets a deleted key: it is unknown then', async () => {
    const issued = await run('create --plan pro --name gone');
    const [id, secret] = [field(issued, 'id'), field(issued, 'secret')];
    const place = await around.place();
    await place.administration.delete(id);
    await place.synchronize();
    expect(await rowOf(secret)).toBeUndefined();
    expect((await authorize(secret)).policyDocument.Statement[0]).toMatchObject({ Effect: 'Deny' });
  });

  it('leaves the keys and plans of another API alone, though its stage has the same name', async () => {
    const { client } = around;
    const { id: theirs = '' } = await client.send(
      new CreateApiKeyCommand({ name: 'theirs', value: 'AbCdEf0123456789AbCd0123', enabled: true }),
    );
    const found = async () => {
      const { items } = await client.send(new GetApiKeysCommand({ includeValues: true, limit: 500 }));
      return items?.find(({ id }) => id === theirs);
    };
    const before = await found();
    expect(await run('list')).not.toContain(theirs);
    for (const command of ['disable', 'enable', 'rotate']) {
      const said: string[] = [];
      const code = await runKeyCommand([command, theirs], {
        openStage: around.place,
        randomBytes,
        print: (text) => said.push(text),
        complain: (text) => said.push(text),
      });
      expect([code, ...said]).toEqual([
        1,
        `keys: there is no key ${theirs} on ${STAGE}: see the list command`,
      ]);
    }
    expect(await found()).toEqual(before);
  });

  it('carries thirty keys over in one run', async () => {
    const { administration, synchronize } = await around.place();
    const made = Array.from({ length: 30 }, (_, number) => `many ${number}`);
    for (const name of made) await administration.create({ name, digest: keyDigest(name), stage: STAGE });
    await synchronize();
    const names = new Set((await around.keys.all()).map((key) => key.name));
    expect(made.filter((name) => !names.has(name))).toEqual([]);
  });
});
