/** What callers and the operator must meet on the deployed stage. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { RECORDINGS } from '../builders/recordings.ts';
import { REGION } from './emulator.ts';
import type { Account, Ask, Reply } from './stage.ts';

export const SOURCES = ['fintraffic-digitraffic', 'hk-marine-department', 'us-census-trade'];

const startedAt = Date.now();
export const report = (text: string): void =>
  console.log(`${((Date.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${text}`);

export const expectStatus = (reply: Reply, status: number, code?: string): Reply => {
  assert.equal(reply.status, status, reply.text);
  if (code !== undefined) assert.equal(JSON.parse(reply.text).code, code);
  return reply;
};

/** Copies recorded replies into the archive, and has the deployed ingest function apply those up to `until`. */
export async function ingestRecordings(
  account: Account,
  archive: string,
  ingest: string,
  until?: string,
): Promise<void> {
  for (const source of SOURCES) {
    for (const entry of readdirSync(join(RECORDINGS, source), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      await account.put(archive, relative(RECORDINGS, file).replaceAll('\\', '/'), readFileSync(file));
    }
    const pass = await account.invoke(ingest, { source, ask: false, until });
    assert.equal(pass.state, 'ok', JSON.stringify(pass));
    report(`the ingest function applied ${pass.fetches} recorded fetches of ${source}`);
  }
}

export async function readEveryEndpoint(ask: Ask, key: string): Promise<void> {
  const get = async (path: string): Promise<Reply> => expectStatus(await ask(path, key), 200);
  const read = async (path: string) => JSON.parse((await get(path)).text);
  assert.equal(JSON.parse(expectStatus(await ask('/v1/health'), 200).text).region, REGION);
  const sources: readonly { source: string }[] = await read('/v1/meta/sources');
  assert.deepEqual(
    sources.map(({ source }) => source),
    SOURCES,
  );
  const ports: readonly { port: string }[] = await read('/v1/ports');
  for (const port of ['FIKTK', 'FIRAU', 'HKHKG']) assert(ports.some((record) => record.port === port));
  // Counted by hand from the recorded reply: recordings/README.md.
  const { vessels } = await read('/v1/ports/FIRAU/snapshot');
  assert.deepEqual(vessels, { arrivals_24h: 1, departures_24h: 6, at_anchor: 0, in_port: 1 });
  const dwell: readonly unknown[] = await read('/v1/ports/HKHKG/dwell?days=3&until=2025-10-04');
  assert(dwell.length > 0);
  // Ten hours of polls are not a reliable day once it is over, so the trend is empty and the CSV its header alone.
  assert.deepEqual(await read('/v1/ports/HKHKG/trend?days=30&until=2025-10-04'), []);
  const csv = await get('/v1/ports/HKHKG/trend?days=30&until=2025-10-04&format=csv');
  assert.equal(csv.text.trimEnd().split('\n').length, 1);
  assert(Array.isArray(await read('/v1/ports/HKHKG/alerts')));
  // Recorded as imports for consumption up to 2021, and for a few chapters as general imports of 2023 and 2024.
  for (const [code, months, newest] of [
    ['94', 36, '2021-06'],
    ['85', 11, '2024-12'],
  ] as const) {
    const imports = await read(`/v1/hs/${code}/imports`);
    assert.deepEqual([imports.length, imports.at(-1).month], [months, newest]);
  }
  report(`every endpoint responds; Hong Kong has ${dwell.length} dwell periods in three days`);
}

export async function meetRefusals(ask: Ask, starterKey: string, liteKey: string): Promise<void> {
  expectStatus(await ask('/v1/ports'), 401, 'auth_missing');
  expectStatus(await ask('/v1/ports', 'pcd_dev_unknown0000000000000000000000'), 401, 'auth_invalid');
  expectStatus(await ask('/v1/hs/85/imports', liteKey), 403, 'auth_forbidden');
  expectStatus(await ask('/v1/nothing', starterKey), 404, 'not_found');
  expectStatus(await ask('/v1/ports/ZZZZZ/snapshot', starterKey), 404, 'not_found');
  report('401, 403 and 404 come in the envelope of the contract');
}

/** More requests at once than the key's bucket has tokens. */
export async function exceedBurst(ask: Ask, key: string): Promise<void> {
  const burst = await Promise.all(Array.from({ length: 20 }, () => ask('/v1/ports', key)));
  const refused = burst.filter(({ status }) => status === 429);
  assert(refused.length > 0 && refused.length < burst.length);
  for (const reply of refused) {
    expectStatus(reply, 429, 'rate_limited');
    assert.equal(reply.headers['ratelimit-remaining'], '0');
  }
  report(`${refused.length} of ${burst.length} requests at once are refused with 429 at a burst of 5`);
}
