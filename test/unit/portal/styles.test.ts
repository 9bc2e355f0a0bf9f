/** The style sheets: one design, with its colours in one file, and every page on paper. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const FOLDER = fileURLToPath(new URL('../../../portal/', import.meta.url));
const read = (path: string): string => readFileSync(`${FOLDER}${path}`, 'utf8');
const SHEETS = readdirSync(`${FOLDER}styles`);
const TOKENS = 'tokens.css';

it('states colours and custom properties in one file alone', () => {
  const others = SHEETS.filter((name) => name !== TOKENS).map((name) => read(`styles/${name}`));
  for (const css of others) expect(css.match(/#[0-9a-f]{3,8}\b|\brgb\(|light-dark\(|^\s*--/gm)).toBeNull();
});

it('uses no custom property that the file does not state', () => {
  const stated = new Set(read(`styles/${TOKENS}`).match(/--[\w-]+(?=:)/g));
  const used = SHEETS.flatMap((name) => [...read(`styles/${name}`).matchAll(/var\((--[\w-]+)/g)]);
  expect(used.map(([, name]) => name).filter((name) => !stated.has(name ?? ''))).toEqual([]);
});

it.each(['explorer', 'docs', 'try-it'])('%s loads the styles of paper after all others', (entry) => {
  const sheets = read(`${entry}/main.ts`).match(/[\w-]+\.css/g);
  expect(sheets?.at(-1)).toBe('print.css');
});
