/** Writes docs/openapi.json; with --check says whether the committed one is up to date. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { command, parse, run } from '../local/command-line.ts';
import { currentDocument } from '../tools/openapi/document.ts';
import { firstDifference } from '../tools/openapi/first-difference.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const NAME = 'docs/openapi.json';
const path = `${root}${NAME}`;

await run(async () => {
  const definition = command('npm run openapi --', `Writes ${NAME} from the contract.`).option(
    '--check',
    'only say whether the committed one is up to date',
  );
  const { check } = parse<{ check?: true }>(definition);
  const generated = `${JSON.stringify(await currentDocument(), null, 2)}\n`;
  if (!check) {
    mkdirSync(`${root}docs`, { recursive: true });
    writeFileSync(path, generated);
    console.log(`wrote ${NAME}`);
    return 0;
  }
  const difference = firstDifference(NAME, existsSync(path) ? readFileSync(path, 'utf8') : '', generated);
  if (difference === undefined) {
    console.log(`${NAME} is up to date`);
    return 0;
  }
  console.error(`${difference}\nout of date: run npm run openapi and commit the result`);
  return 1;
});
