/** Writes docs/openapi.json and docs/postman.json; with --check says whether the committed ones are up to date. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { currentDocument } from './openapi/document.ts';
import { firstDifference } from './openapi/first-difference.ts';
import { postmanCollection } from './openapi/postman.ts';

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

const check = isCheck();
const document = await currentDocument();
const files = { 'docs/openapi.json': document, 'docs/postman.json': postmanCollection(document) };
const differences: string[] = [];
for (const [name, content] of Object.entries(files)) {
  const generated = `${JSON.stringify(content, null, 2)}\n`;
  const path = `${root}${name}`;
  if (!check) {
    mkdirSync(`${root}docs`, { recursive: true });
    writeFileSync(path, generated);
    console.log(`wrote ${name}`);
    continue;
  }
  const difference = firstDifference(name, existsSync(path) ? readFileSync(path, 'utf8') : '', generated);
  if (difference !== undefined) differences.push(difference);
}
if (differences.length > 0) {
  console.error(`${differences.join('\n')}\nout of date: run npm run openapi and commit the result`);
  process.exit(1);
}
if (check) console.log('docs/openapi.json and docs/postman.json are up to date');
