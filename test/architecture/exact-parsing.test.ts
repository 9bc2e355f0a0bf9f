/** Text of an upstream becomes a number in one module, whole or not at all; and proof that each rule detects a violation. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What reads a number from the beginning of a text, and the rooms in which any conversion of text is a reading of replies. */
const RULES: readonly { readonly name: string; readonly where: RegExp; readonly banned: RegExp }[] = [
  { name: 'no prefixes', where: /^core\//, banned: /\bparseFloat\(/ },
  {
    name: 'one module',
    where: /^core\/(?:upstream|positions\/decoders|sources\/(?!sample-simulator\/))/,
    banned: /\bNumber\(|\bparseInt\(|Date\.parse\(/,
  },
];
const THE_MODULE = 'core/upstream/fields.ts';

const violations = (file: string, text: string): string[] =>
  RULES.filter(({ where, banned }) => file !== THE_MODULE && where.test(file) && banned.test(text)).map(
    ({ name }) => `${file}: ${name}`,
  );

it('core reads numbers and times of replies in its one module', () => {
  const files = readdirSync(`${ROOT}core`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `core/${name}`);
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap((file) => violations(file, readFileSync(`${ROOT}${file}`, 'utf8')))).toEqual([]);
});

it.each([
  ['no prefixes', 'core/metrics/a.ts', 'const tonnage = parseFloat(text);'],
  ['one module', 'core/sources/one/parse.ts', 'const code = Number.parseInt(text, 10);'],
  ['one module', 'core/sources/one/parse.ts', 'const tonnage = Number(row.GROSS_TOA);'],
  ['one module', 'core/upstream/files/a.ts', 'const at = Date.parse(text);'],
  ['one module', 'core/positions/decoders/a.ts', 'const speed = Number(text);'],
])('a planted violation of %s is found in %s', (name, file, text) => {
  expect(violations(file, text)).toContain(`${file}: ${name}`);
});
