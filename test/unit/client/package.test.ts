/** The package as a user gets it: small, typed in a fresh project, and reports wrong requests there. */
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { buildClient } from '../../../packages/client/build/bundle.ts';
import { longIt } from '../../builders/extent.ts';
import { FAULTS, startFaultServer } from './fault-server.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const TSC = join(root, 'node_modules/typescript/lib/tsc.js');
const GZIP_LIMIT = 4 * 1024;

const project = mkdtempSync(join(tmpdir(), 'port-congestion-client-'));
const modules = join(project, 'node_modules');
const installed = join(modules, 'port-congestion-client');
let bytes = 0;

/** A project as `npm install` leaves it: the package's own files, and its dependency. */
beforeAll(async () => {
  mkdirSync(installed, { recursive: true });
  for (const file of ['package.json', 'README.md'])
    cpSync(join(root, 'packages/client', file), join(installed, file));
  for (const dependency of ['openapi-fetch', 'openapi-typescript-helpers'])
    symlinkSync(join(root, 'node_modules', dependency), join(modules, dependency));
  bytes = await buildClient(join(installed, 'dist'));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

it('is at most 4 KB gzipped, and imports openapi-fetch alone, which it declares', () => {
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThanOrEqual(GZIP_LIMIT);
  const built = readFileSync(join(installed, 'dist/index.js'), 'utf8');
  const imported = [...built.matchAll(/^import .* from "(.*)";$/gm)].map(([, name]) => name);
  expect(imported).toEqual(['openapi-fetch']);
  const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const ours = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(dependencies).toEqual({ 'openapi-fetch': ours.dependencies['openapi-fetch'] });
});

it('runs in a project that has installed it', async () => {
  const server = await startFaultServer([FAULTS.good]);
  const text = `import { createClient } from 'port-congestion-client';
const { data } = await createClient({ baseUrl: process.argv[2], apiKey: 'pcd_dev_000000000000000000000000' }).GET('/v1/meta/sources');
console.log(data[0].source);`;
  writeFileSync(join(project, 'run.js'), text);
  const { stdout } = await run(process.execPath, [join(project, 'run.js'), server.url]).finally(server.close);
  expect(stdout.trim()).toBe('x');
});

longIt('compiles the examples, and reports wrong paths, parameters and fields', async () => {
  const examples = readdirSync(join(root, 'docs/examples')).filter((file) => file.endsWith('.ts'));
  expect(examples.length).toBeGreaterThan(0);
  for (const file of examples) cpSync(join(root, 'docs/examples', file), join(project, file));
  const wrong = `import { createClient, type Snapshot } from 'port-congestion-client';
const client = createClient({ baseUrl: 'http://service.test' });
const path = { UNLOCODE: 'USLAX' };
client.GET('/v1/ports/{UNLOCODE}/trend', { params: { path, query: { window: '8d' } } });
client.GET('/v1/ports/{UNLOCODE}/trend', { params: { path: {}, query: { window: '7d' } } });
client.GET('/v1/ports/{UNLOCODE}/trend');
client.GET('/v1/tides');
client.GET('/v1/ports/{UNLOCODE}/snapshot', { params: { path } }).then(({ data }) => data?.speed);
export const anchored = ({ vessels }: Snapshot): string => vessels.at_anchor;`;
  writeFileSync(join(project, 'wrong.ts'), wrong);
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    module: 'NodeNext',
    target: 'ES2022',
    lib: ['ES2022', 'DOM'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    skipLibCheck: true,
  };
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: [...examples, 'wrong.ts'] }),
  );
  const reported = await run(process.execPath, [TSC, '-p', project], { cwd: project }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
  expect(reported.match(/^\S+\.ts\(\d+/gm)).toEqual([4, 5, 6, 7, 8, 9].map((line) => `wrong.ts(${line}`));
});
