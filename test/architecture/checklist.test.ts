/** Every statement of the contract has a test that names it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const TESTS = fileURLToPath(new URL('..', import.meta.url));

/**
 * Each statement that a test can show, by section and id. Titles of tests name the ids, as in `[S4.20]`. A new rule of the API
 * gets the next free number of its section.
 */
const contract = JSON.parse(readFileSync(join(TESTS, 'conformance/contract.json'), 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, string>>>
>;
const statements = Object.values(contract).flatMap((section) => Object.keys(section));

const testFiles = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.test.ts'),
);
const tested = new Set(
  testFiles.flatMap((name) =>
    [...readFileSync(join(TESTS, name), 'utf8').matchAll(/\[(S\d\.\d\d)\]/g)].map(([, id = '']) => id),
  ),
);

describe('the statements of the contract', () => {
  it('are listed once each, in order', () => {
    expect(statements.length).toBeGreaterThan(150);
    expect(statements).toEqual([...new Set(statements)].sort());
  });

  it('each have a test', () => {
    expect(statements.filter((id) => !tested.has(id))).toEqual([]);
  });

  it('are the only ones that tests name', () => {
    expect([...tested].filter((id) => !statements.includes(id))).toEqual([]);
  });
});
