/** The package as a user gets it: small, without dependencies, installed and typed in a fresh project, for modules of both kinds. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OPERATION_IDS } from '../../../core/contracts/routes.ts';
import { buildClient } from '../../../packages/client/build/bundle.ts';
import { longDescribe, longIt } from '../../builders/extent.ts';
import { FAULTS, startFaultServer } from './fault-server.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const TSC = join(root, 'node_modules/typescript/lib/tsc.js');
const GZIP_LIMIT = 6 * 1024;
/** What a fresh install must not need: any host. */
const OFFLINE = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

const folder = mkdtempSync(join(tmpdir(), 'port-congestion-client-'));
const npm = (cwd: string, ...args: string[]) =>
  run('npm', args, { cwd, env: { ...process.env, npm_config_update_notifier: 'false' } });
let sizes: Readonly<Record<string, number>> = {};
let packed: { filename: string; files: { path: string }[] };

beforeAll(async () => {
  const source = join(folder, 'package');
  mkdirSync(source);
  for (const file of ['package.json', 'README.md'])
    cpSync(join(root, 'packages/client', file), join(source, file));
  sizes = await buildClient(join(source, 'dist'));
  [packed] = JSON.parse((await npm(folder, 'pack', './package', '--json')).stdout);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A project that has installed the package; `.mts` and `.cts` files in it are modules of either kind. */
async function freshProject(): Promise<string> {
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ name: 'fresh', private: true, type: 'module' }),
  );
  await npm(project, 'install', join(folder, packed.filename), ...OFFLINE);
  return project;
}

/** What the compiler reports on `files` in `project`: strict, and with the declarations themselves checked. */
async function compile(
  project: string,
  name: string,
  files: Record<string, string>,
  options: object = {},
): Promise<string> {
  for (const [file, text] of Object.entries(files)) writeFileSync(join(project, file), text);
  const config = {
    compilerOptions: {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      module: 'NodeNext',
      target: 'ES2022',
      lib: ['ES2022', 'DOM'],
      types: [],
      skipLibCheck: false,
      skipDefaultLibCheck: true,
      ...options,
    },
    files: Object.keys(files),
  };
  const settings = join(project, `tsconfig.${name}.json`);
  writeFileSync(settings, JSON.stringify(config));
  return run(process.execPath, [TSC, '-p', settings], { cwd: project }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}

const USE = `
  const client = new PortCongestionClient({ baseUrl: process.argv[2] ?? '', apiKey: 'pcd_dev_000000000000000000000000' });
  client.get('sources').then(([first]) => console.log(first?.source, PortCongestionError.name));
`;
const PROCESS = 'declare const process: { argv: string[] };';
const plain = (text: string): string => text.replace(PROCESS, '');

async function output(project: string, file: string): Promise<string> {
  const server = await startFaultServer([FAULTS.good]);
  const { stdout } = await run(process.execPath, [join(project, file), server.url]).finally(server.close);
  return stdout.trim();
}

it('is at most 6 KB gzipped in either form', () => {
  expect(Object.keys(sizes)).toEqual(['index.mjs', 'index.cjs']);
  for (const bytes of Object.values(sizes)) {
    expect(bytes).toBeGreaterThan(1_000);
    expect(bytes).toBeLessThanOrEqual(GZIP_LIMIT);
  }
});

it('needs nothing at run time, and contains only built files', () => {
  const description = JSON.parse(readFileSync(join(root, 'packages/client/package.json'), 'utf8'));
  expect(description).not.toHaveProperty('dependencies');
  expect(description).not.toHaveProperty('peerDependencies');
  expect(packed.files.map(({ path }) => path).sort()).toEqual([
    'README.md',
    'dist/index.cjs',
    'dist/index.d.cts',
    'dist/index.d.mts',
    'dist/index.mjs',
    'package.json',
  ]);
  for (const file of ['index.mjs', 'index.cjs'])
    expect(readFileSync(join(folder, 'package/dist', file), 'utf8')).not.toMatch(
      /\b(?:require|import)\s*\(|\bfrom\s*["']/,
    );
});

longDescribe('a fresh project', () => {
  let project = '';
  beforeAll(async () => {
    project = await freshProject();
  });

  const asModule = `import { PortCongestionClient, PortCongestionError, type Snapshot } from 'port-congestion-client';
${PROCESS}${USE}export const anchored = ({ vessels }: Snapshot): number => vessels.at_anchor;`;
  const asCommonJs = `import published = require('port-congestion-client');
${PROCESS}const { PortCongestionClient, PortCongestionError } = published;${USE}`;

  it('compiles it from ES modules, from CommonJS and in the examples, and reports wrong parameters', async () => {
    const examples = readdirSync(join(root, 'docs/examples')).filter((file) => file.endsWith('.ts'));
    const texts = examples.map((file) => [file, readFileSync(join(root, 'docs/examples', file), 'utf8')]);
    expect(texts.length).toBeGreaterThan(0);
    const wrong = `import { PortCongestionClient } from 'port-congestion-client';
const client = new PortCongestionClient({ baseUrl: '' });
client.get('trend', { UNLOCODE: 'USLAX', window: '8d' });
client.get('trend', { UNLOCODE: 'USLAX', window: '7d', days: 7 });
client.get('trend', { UNLOCODE: 'USLAX' });
client.get('trend');
client.get('waits', { UNLOCODE: 'USLAX', class_: 'bulk' });
client.get('snapshot', { UNLOCODE: 'USLAX', format: 'csv' });
client.get('tides');
client.get('snapshot', { UNLOCODE: 'USLAX' }).then(({ speed }) => speed);`;
    const files = { ...Object.fromEntries(texts), 'wrong.ts': wrong };
    const node = { types: ['node'], typeRoots: [join(root, 'node_modules/@types')], skipLibCheck: true };
    // The declarations themselves are checked, and in the resolution that older projects still use.
    const older = { module: 'CommonJS', moduleResolution: 'Node10', ignoreDeprecations: '5.0' };
    const [strict, withExamples, olderResolution] = await Promise.all([
      compile(project, 'strict', { 'use.mts': asModule, 'use.cts': asCommonJs }),
      compile(project, 'examples', files, node),
      compile(project, 'older', { 'older.cts': asCommonJs }, older),
    ]);
    expect([strict, olderResolution]).toEqual(['', '']);
    expect(withExamples.match(/^\S+\.ts\(\d+/gm)).toEqual(
      [3, 4, 5, 6, 7, 8, 9, 10].map((line) => `wrong.ts(${line}`),
    );
  });

  it('runs it from ES modules and from CommonJS', async () => {
    const module = plain(asModule).replace(', type Snapshot', '').split('export const')[0] ?? '';
    const commonJs = plain(asCommonJs).replace('import published = require', 'const published = require');
    writeFileSync(join(project, 'run.mjs'), module);
    writeFileSync(join(project, 'run.cjs'), commonJs);
    for (const file of ['run.mjs', 'run.cjs'])
      expect([file, await output(project, file)]).toEqual([file, 'x PortCongestionError']);
  });
});

longIt('states parameters and responses as the contract does', async () => {
  const names = ['ErrorCode', ...OPERATION_IDS.map((id) => `Operations['${id}']`)];
  const project = join(folder, 'records');
  mkdirSync(project);
  const text = `import type * as Published from ${JSON.stringify(join(folder, 'package/dist/index.mjs'))};
import type * as Contract from ${JSON.stringify(join(root, 'packages/client/contract.ts'))};
type Same<A, B> = (<T>() => T extends Simple<A> ? 1 : 2) extends <T>() => T extends Simple<B> ? 1 : 2 ? true : false;
type Simple<T> = T extends string ? T : T extends (infer E)[] ? Simple<E>[] : T extends object ? { [K in keyof T]: Simple<T[K]> } : T;
${names.map((name, index) => `export const same${index}: Same<Published.${name}, Contract.${name}> = true;`).join('\n')}
export const differs: Same<Published.Operations['trend'], Contract.Operations['alerts']> = false;`;
  const options = {
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    exactOptionalPropertyTypes: false,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  };
  expect(await compile(project, 'records', { 'same.mts': text }, options)).toBe('');
});
