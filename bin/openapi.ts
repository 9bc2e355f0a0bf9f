/** Writes docs/openapi.json; with --check says whether the committed one is up to date. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { currentDocument } from './openapi/document.ts';
import { firstDifference } from './openapi/first-difference.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const usage = 'usage: npm run openapi [-- --check]';

function isCheck(): boolean {
  try {
    return parseArgs({ options: { check: { type: 'boolean' } } }).values.check === true;
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`);
    process.exit(2);
  }
}

const NAME = 'docs/openapi.json';
const path = `${root}${NAME}`;
const check = isCheck();
const generated = `${JSON.stringify(await currentDocument(), null, 2)}\n`;
if (check) {
  const difference = firstDifference(NAME, existsSync(path) ? readFileSync(path, 'utf8') : '', generated);
  if (difference !== undefined) {
    console.error(`${difference}\nout of date: run npm run openapi and commit the result`);
    process.exit(1);
  }
  console.log(`${NAME} is up to date`);
} else {
  mkdirSync(`${root}docs`, { recursive: true });
  writeFileSync(path, generated);
  console.log(`wrote ${NAME}`);
}
