/** The package as a user gets it: small, without dependencies, installed and typed in fresh projects of both kinds. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildClient } from '../../../client/build/bundle.ts';
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
  for (const file of ['package.json', 'README.md']) cpSync(join(root, 'client', file), join(source, file));
  sizes = await buildClient(join(source, 'dist'));
  [packed] = JSON.parse((await npm(folder, 'pack', './package', '--json')).stdout);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A project of its own that has installed the package. */
async function freshProject(kind: 'module' | 'commonjs'): Promise<string> {
  const project = join(folder, kind);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'fresh', private: true, type: kind }));
  await npm(project, 'install', join(folder, packed.filename), ...OFFLINE);
  return project;
}

/** What the compiler says of `files` in `project`, strict and with the declarations themselves checked. */
async function compile(
  project: string,
  files: Record<string, string>,
  options: object = {},
): Promise<string> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
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
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config));
  return run(process.execPath, [TSC, '-p', project], { cwd: project }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}

const USE = `
  const client = new PortCongestionClient({ baseUrl: process.argv[2] ?? '', apiKey: 'pcd_dev_000000000000000000000000' });
  client.sources().then(([first]) => console.log(first?.source, PortCongestionError.name));
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

it('needs nothing at run time, and holds only what was built', () => {
  const description = JSON.parse(readFileSync(join(root, 'client/package.json'), 'utf8'));
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

describe('a fresh project', () => {
  it('of ES modules imports, compiles and runs it', async () => {
    const project = await freshProject('module');
    const text = `import { PortCongestionClient, PortCongestionError, type Snapshot } from 'port-congestion-client';
${PROCESS}${USE}export const anchored = ({ vessels }: Snapshot): number => vessels.at_anchor;`;
    expect(await compile(project, { 'use.ts': text })).toBe('');
    writeFileSync(
      join(project, 'use.mjs'),
      plain(text).replace(', type Snapshot', '').split('export const')[0] ?? '',
    );
    expect(await output(project, 'use.mjs')).toBe('x PortCongestionError');
    const examples = readdirSync(join(root, 'examples')).filter((file) => file.endsWith('.ts'));
    const texts = examples.map((file) => [file, readFileSync(join(root, 'examples', file), 'utf8')]);
    expect(texts.length).toBeGreaterThan(0);
    const node = { types: ['node'], typeRoots: [join(root, 'node_modules/@types')], skipLibCheck: true };
    expect(await compile(project, Object.fromEntries(texts), node)).toBe('');
    // The types say no where they should, so that they are there at all.
    const wrong = `import { PortCongestionClient } from 'port-congestion-client';
const client = new PortCongestionClient({ baseUrl: '' });
client.trend('USLAX', { window: '8d' });
client.trend('USLAX', { window: '7d', days: 7 });
client.trend('USLAX', {});
client.snapshot('USLAX').then(({ speed }) => speed);`;
    const said = await compile(project, { 'wrong.ts': wrong });
    expect(said.match(/^wrong\.ts\((\d+)/gm)).toEqual([3, 4, 5, 6].map((line) => `wrong.ts(${line}`));
  }, 60_000);

  it('of CommonJS requires, compiles and runs it', async () => {
    const project = await freshProject('commonjs');
    const text = `import published = require('port-congestion-client');
${PROCESS}const { PortCongestionClient, PortCongestionError } = published;${USE}`;
    expect(await compile(project, { 'use.ts': text })).toBe('');
    // The resolution that older projects still use finds the types as well.
    const older = { module: 'CommonJS', moduleResolution: 'Node10', ignoreDeprecations: '5.0' };
    expect(await compile(project, { 'use.ts': text }, older)).toBe('');
    writeFileSync(
      join(project, 'use.cjs'),
      plain(text).replace('import published = require', 'const published = require'),
    );
    expect(await output(project, 'use.cjs')).toBe('x PortCongestionError');
  }, 60_000);
});

it('states the records as the contract does', async () => {
  const names = [
    'Alert',
    'DwellPeriod',
    'ErrorCode',
    'HealthRecord',
    'HsImportPoint',
    'PortRecord',
    'Snapshot',
    'SourceRecord',
    'TrendPoint',
    'Window',
  ];
  const project = join(folder, 'records');
  mkdirSync(project);
  const text = `import type * as Published from ${JSON.stringify(join(folder, 'package/dist/index.mjs'))};
import type * as Contract from ${JSON.stringify(join(root, 'client/records.ts'))};
type Same<A, B> = (<T>() => T extends Simple<A> ? 1 : 2) extends <T>() => T extends Simple<B> ? 1 : 2 ? true : false;
type Simple<T> = T extends string ? T : T extends (infer E)[] ? Simple<E>[] : T extends object ? { [K in keyof T]: Simple<T[K]> } : T;
${names.map((name) => `export const same${name}: Same<Published.${name}, Contract.${name}> = true;`).join('\n')}
export const differs: Same<Published.Alert, Contract.TrendPoint> = false;`;
  const options = {
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    exactOptionalPropertyTypes: false,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  };
  expect(await compile(project, { 'same.mts': text }, options)).toBe('');
}, 60_000);
