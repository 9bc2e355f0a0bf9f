/** `npm start` as a person has it: the banner, `ready`, lines to paste, and a clean end. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { longIt } from '../builders/extent.ts';
import { end, start } from '../builders/started-service.ts';
import { isDeployed } from './service.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PASTED = /^ {2}curl -s -H 'X-API-Key: (\S+)' '(\S+)'$/gm;

const local = isDeployed ? describe.skip : describe;

local('npm start', () => {
  let dataDir = '';
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'start-'));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  it('is ready, and ends cleanly', async () => {
    const started = start('--data-dir', dataDir, '--sample', '--no-ingest');
    await started.until(/^ready http:\/\/127\.0\.0\.1:\d+$/m);
    expect(started.output()).toMatch(/SAMPLE DATA/);
    expect(await end(started)).toBe(0);
  });

  longIt('shows its progress, is ready after the first pass, and ends cleanly', async () => {
    const first = start('--data-dir', dataDir, '--sample');
    await first.until(/^ready http:\/\/127\.0\.0\.1:\d+$/m);
    await first.until(/more ports with figures/);
    expect(first.output()).toMatch(/SAMPLE DATA/);
    expect(first.output()).toMatch(/npm start -- --live/);
    const pasted = [...first.output().matchAll(PASTED)];
    expect(pasted.length).toBeGreaterThanOrEqual(4);
    for (const [, key = '', url = ''] of pasted)
      expect((await fetch(url, { headers: { 'X-API-Key': key } })).status).toBe(200);
    expect(await end(first)).toBe(0);
  });

  longIt(
    'serves the recordings, begun with the release, and suggests requests that return data',
    async () => {
      const recorded = start('--data-dir', dataDir);
      await recorded.until(/more ports with figures/);
      expect(recorded.output()).toContain('Marine Department, HKSAR Government; DATA.GOV.HK');
      const pasted = [...recorded.output().matchAll(PASTED)];
      expect(pasted.map(([, , url = '']) => new URL(url).pathname)).toEqual([
        '/v1/ports/ESTAR/snapshot',
        '/v1/ports/ESTAR/waits',
        '/v1/ports/ESTAR/dwell',
        '/v1/ports/ESTAR/trend',
        '/v1/ports/HKHKG/snapshot',
        '/v1/ports/HKHKG/waits',
        '/v1/ports/HKHKG/dwell',
        '/v1/ports/HKHKG/trend',
        '/v1/ports/TWKHH/snapshot',
        '/v1/ports/TWKHH/waits',
        '/v1/ports/TWKHH/trend',
        '/v1/ports/TWKHH/alerts',
        '/v1/ports/FIRAU/snapshot',
        '/v1/ports/FIRAU/waits',
        '/v1/ports/FIRAU/dwell',
        '/v1/ports/FIRAU/trend',
        '/v1/hs/85/imports',
        '/v1/hs/94/imports',
      ]);
      for (const [, key = '', url = ''] of pasted) {
        const reply = await fetch(url, { headers: { 'X-API-Key': key } });
        expect([reply.status, await reply.text()]).toEqual([200, expect.stringMatching(/\{.*\}/)]);
      }
      expect(recorded.output()).toMatch(
        /^Is this now\? No: the service's clock started at 2025-10-04T14:20:27Z/m,
      );
      const { origin } = new URL(pasted[0]?.[2] ?? '');
      const headers = { 'X-API-Key': pasted[0]?.[1] ?? '' };
      const unknown = await fetch(`${origin}/v1/ports/USLAX/snapshot`, { headers });
      expect([unknown.status, await unknown.text()]).toEqual([
        404,
        expect.stringContaining('npm start -- --live or npm start -- --sample covers USLAX.'),
      ]);
      for (const path of ['latest.json', 'known-days.json', ''])
        expect((await fetch(`${origin}/data/${path}`)).status).toBe(200);
      const out = join(dataDir, 'releases', 'recorded');
      spawnSync(process.execPath, ['--import', 'tsx', 'bin/release.ts', '--data-dir', dataDir], {
        cwd: ROOT,
      });
      // By the clock of the service, not by that of the machine.
      expect(JSON.parse(await readFile(join(out, 'latest.json'), 'utf8'))).toMatchObject({
        release: '2025-10-04',
        manifest: `${origin}/data/release=2025-10-04/manifest.json`,
      });
      // The service reads it where it was written, in place of the one that it began with.
      expect(await (await fetch(`${origin}/data/latest.json`)).json()).toMatchObject({
        manifest: expect.stringContaining(origin),
      });
      expect(await end(recorded)).toBe(0);
    },
  );

  const MOMENTS: [string, RegExp][] = [
    ['the first pass runs', /ingesting/],
    ['the store opens', /starting the store/],
  ];
  // In test/unit/local/local-service.test.ts without processes.
  longIt.each(MOMENTS)('stops on a signal while %s, and releases the data directory', async (_, moment) => {
    const stopped = start('--data-dir', dataDir, '--sample');
    await stopped.until(moment);
    expect(await end(stopped)).toBe(0);
    expect(stopped.output()).toMatch(/^stopping$/m);
    expect(stopped.output()).not.toMatch(/^ready/m);
    expect(existsSync(join(dataDir, 'service.json'))).toBe(false);
  });
});
