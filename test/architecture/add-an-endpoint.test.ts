/** `docs/add-an-endpoint.md`, followed word for word on a copy of the tree. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TABLES } from '../../core/store/tables.ts';
import { longDescribe } from '../builders/extent.ts';
import { gatewayEvent, INVOCATION } from '../builders/gateway-event.ts';
import { filesOfGuide } from '../builders/guide.ts';
import { putPort } from '../builders/series-values.ts';
import { startTestStore } from '../builders/store-tables.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What the compiler, the formatter and the build read. */
const COPIED = ['README.md', 'docs/*.md', '*.ts', '*.mts', '*.mjs', '*.json', 'portal'];
const MAX_FILES = 7;

const guide = readFileSync(join(ROOT, 'docs/add-an-endpoint.md'), 'utf8');

longDescribe('the guide', () => {
  let copy = '';
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'guide-'));
    const known = execFileSync('git', ['ls-files', ...COPIED], { cwd: ROOT, encoding: 'utf8' });
    for (const name of known.trim().split('\n'))
      if (!name.startsWith('recordings/') && existsSync(join(ROOT, name)))
        cpSync(join(ROOT, name), join(copy, name));
    for (const name of ['node_modules', 'recordings']) symlinkSync(join(ROOT, name), join(copy, name));
    for (const [file, text] of filesOfGuide(ROOT, guide)) writeFileSync(join(copy, file), text);
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  const run = (...args: string[]): string =>
    execFileSync(process.execPath, ['--import', 'tsx', ...args], { cwd: copy, encoding: 'utf8' });

  it('names at most seven files, the test and the two documents included', () => {
    const files = new Set(filesOfGuide(ROOT, guide).keys());
    for (const file of ['test/conformance/position.test.ts', 'docs/openapi.json', 'CHANGELOG.md']) {
      expect(guide).toContain(file);
      files.add(file);
    }
    expect(files.size).toBeLessThanOrEqual(MAX_FILES);
  });

  it('leads to a function that responds', async () => {
    run('bin/build.ts');
    const store = await startTestStore(['ports', 'rateLimits']);
    try {
      await putPort(store.tables.ports, {
        port: 'HKHKG',
        name: 'Hong Kong',
        countryCode: 'HK',
        latitude: 22.28,
        longitude: 114.17,
        sources: ['scripted'],
      });
      Object.assign(process.env, {
        AWS_REGION: 'local',
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: 'local',
        AWS_ENDPOINT_URL_DYNAMODB: store.endpoint,
        [TABLES.ports.variable]: store.tables.ports.name,
        [TABLES.rateLimits.variable]: store.tables.rateLimits.name,
      });
      const { handler } = createRequire(import.meta.url)(join(copy, 'dist/lambdas/position/index.cjs'));
      const resource = '/v1/ports/{UNLOCODE}/position';
      const reply = await handler(gatewayEvent({ resource, path: { UNLOCODE: 'HKHKG' } }), INVOCATION);
      expect(reply).toMatchObject({
        statusCode: 200,
        body: '{"port":"HKHKG","latitude":22.28,"longitude":114.17}',
        headers: { ETag: expect.stringMatching(/^"/), 'RateLimit-Limit': '60' },
      });
    } finally {
      await store.close();
    }
  });

  it('leads to a documented operation, and to a tree that passes types, format and documents of `npm run check`', () => {
    run('bin/openapi.ts');
    const document = JSON.parse(readFileSync(join(copy, 'docs/openapi.json'), 'utf8'));
    expect(document.paths['/v1/ports/{UNLOCODE}/position'].get.operationId).toBe('position');
    expect(document.components.schemas.Position.required).toEqual(['port', 'latitude', 'longitude']);
    const checked = run('bin/check.ts', 'types', 'format', 'documents', '--except', 'portal');
    expect(checked).toContain('check passed');
  }, 300_000);
});
