/** What dependencies must meet: a permissive licence, no install script, and advisories asked for on a schedule. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const ROOT = new URL('../../', import.meta.url);
const WORKFLOWS = new URL('.github/workflows/', ROOT);
const textOf = (name: string): string => readFileSync(new URL(name, WORKFLOWS), 'utf8');

/** Licences that require no more than a notice: SPDX expressions, as packages state them. */
const LICENCES = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PSF-2.0',
  'Unlicense',
  'MIT OR Apache-2.0',
  '(MIT AND Zlib)',
  '(MIT OR CC0-1.0)',
  '(MIT OR GPL-3.0-or-later)',
];
/** Packages of development alone: no part of either is served or distributed. */
const EXCEPTIONS = [
  '#argparse[license="Python-2.0"].dev',
  '#axe-core[license="MPL-2.0"].dev',
  '#caniuse-lite[license="CC-BY-4.0"].dev',
];

it('every package of the lock file states a licence of the list', () => {
  const allowed = ['#port-congestion-data-service', ...LICENCES.map((id) => `[license="${id}"]`)];
  const others = (exceptions: readonly string[]): string[] => {
    const selector = `*${[...allowed, ...exceptions].map((pattern) => `:not(${pattern})`).join('')}`;
    const options = { cwd: fileURLToPath(ROOT), encoding: 'utf8' } as const;
    const { stdout } = spawnSync('npm', ['query', '--package-lock-only', selector], options);
    return JSON.parse(stdout).map(({ name, license }: Record<string, unknown>) => `${name}: ${license}`);
  };
  expect(others(EXCEPTIONS)).toEqual([]);
  // Each exception is still needed, and a licence beside the list is found.
  expect(others([])).toEqual(['argparse: Python-2.0', 'axe-core: MPL-2.0', 'caniuse-lite: CC-BY-4.0']);
});

it('workflows and the first start install without install scripts', () => {
  const installs = readdirSync(WORKFLOWS).flatMap(
    (name) => textOf(name).match(/npm (?:ci|install)\b.*/g) ?? [],
  );
  expect(installs.length).toBeGreaterThan(0);
  for (const line of installs) expect(line).toContain('--ignore-scripts');
  expect(readFileSync(new URL('bin/install.mjs', ROOT), 'utf8')).toContain("'--ignore-scripts'");
});

it('a workflow asks for advisories every day, of what is served and of the tools', () => {
  const workflow = textOf('advisories.yml');
  expect(workflow).toMatch(/schedule:\n\s+- cron: /);
  expect(workflow.match(/npm audit .*/g)).toEqual([
    'npm audit --package-lock-only --omit=dev --audit-level=low',
    'npm audit --package-lock-only --audit-level=high',
  ]);
});

it('a workflow runs actions by their commit, with the version beside it', () => {
  const actions = readdirSync(WORKFLOWS).flatMap((name) => textOf(name).match(/uses: (?!\.\/).*/g) ?? []);
  expect(actions.length).toBeGreaterThan(0);
  for (const line of actions) expect(line).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});
