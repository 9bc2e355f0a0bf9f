/** No install script of a package runs, and advisories are asked for on a schedule. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

const ROOT = new URL('../../../../', import.meta.url);
const WORKFLOWS = new URL('.github/workflows/', ROOT);
const textOf = (name: string): string => readFileSync(new URL(name, WORKFLOWS), 'utf8');

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
