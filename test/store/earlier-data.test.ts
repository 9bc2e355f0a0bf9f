/**
 * A data directory of an earlier version opens with its data, keys and counts. `data/earlier-version.json.gz` has the files, by path and in
 * base64, that the version which kept its keys in a control plane of its own wrote: replies of Rauma (Fintraffic / digitraffic.fi, licence CC 4.0 BY), a key that was made, one that was made and
 * disabled, and four requests with the Lite key.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, it } from '@jest/globals';
import { keyDigest } from '../../core/access/keys.ts';
import { claimDataDirectory } from '../../local/data-directory.ts';
import { type LocalService, startLocalService } from '../../local/local-service.ts';
import { openKeyStage, runKeyCommand } from '../../tools/keys/key-commands.ts';

const AT = Date.UTC(2026, 10, 20, 13);
const folder = mkdtempSync(join(tmpdir(), 'earlier-data-'));
const dataDirectory = join(folder, 'recorded');
const packed = readFileSync(new URL('data/earlier-version.json.gz', import.meta.url));
for (const [path, text] of Object.entries<string>(JSON.parse(gunzipSync(packed).toString()))) {
  mkdirSync(dirname(join(dataDirectory, path)), { recursive: true });
  writeFileSync(join(dataDirectory, path), Buffer.from(text, 'base64'));
}
afterAll(() => rmSync(folder, { recursive: true }));

const SNAPSHOT = '/v1/ports/FIRAU/snapshot';
const secretOf = (name: string): string => `pcd_dev_${name.padEnd(32, '0')}`;
const start = () => startLocalService({ dataDirectory, clock: () => AT });
const ask = async ({ url }: LocalService, key: string) => {
  const reply = await fetch(`${url}${SNAPSHOT}`, { headers: { 'X-API-Key': key } });
  return { status: reply.status, body: await reply.json() };
};

it('a data directory of an earlier version opens with its data, keys and counts, twice', async () => {
  for (const used of [4, 5]) {
    const service = await start();
    const { keys, keyStore, usage } = service;
    expect(await ask(service, secretOf('made'))).toMatchObject({
      status: 200,
      body: { as_of: '2019-10-23T12:41:00Z', congestion_score: 0.045, vessels: { in_port: 1 } },
    });
    expect(await ask(service, secretOf('off'))).toMatchObject({
      status: 403,
      body: { code: 'auth_forbidden' },
    });
    const lite = await keyStore.find(keyDigest(keys.lite));
    if (lite === undefined) throw new Error('the Lite key is missing');
    expect(usage.usedOf(lite, AT)).toBe(used);
    expect((await ask(service, keys.lite)).status).toBe(200);
    expect(await keyStore.find(keyDigest(secretOf('made')))).toMatchObject({
      name: 'made',
      planId: 'pcd-dev-api-ProPlan',
      created: '2026-11-20T12:00:00Z',
    });
    expect(existsSync(join(dataDirectory, 'control-plane.json'))).toBe(false);
    await service.close();
  }
});

it('its keys are administered by the ids that they had', async () => {
  const service = await start();
  const directory = claimDataDirectory(folder);
  directory.announce({ url: service.url, store: service.storeEndpoint, releases: folder, clockOffsetMs: 0 });
  const row = await service.keyStore.find(keyDigest(secretOf('made')));
  const said: string[] = [];
  const code = await runKeyCommand(['disable', row?.keyId ?? '', '--local', '--data-dir', folder], {
    openStage: openKeyStage,
    print: (text) => said.push(text),
    complain: (text) => said.push(text),
  });
  expect([code, said.join()]).toEqual([0, expect.stringContaining('made')]);
  expect((await ask(service, secretOf('made'))).status).toBe(403);
  directory.release();
  await service.close();
});
