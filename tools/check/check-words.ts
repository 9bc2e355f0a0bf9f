/** The step `words` of `npm run check`: prints the words to avoid in tracked text, and fails where there are any. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { wordFaults } from './words.ts';

/** Generated, recorded, or fixed by the contract; and the list of the words itself, with its test. */
const LEFT_OUT =
  /^recordings\/|^packages\/client\/api\.ts$|^docs\/fields\.md$|\btools\/check\/words\.(test\.)?ts$/;

const listed = execFileSync('git', ['ls-files', '*.ts', '*.mjs', '*.md', '*.sh', '*.py'], {
  encoding: 'utf8',
});
for (const path of listed.split('\n').filter((path) => path !== '' && !LEFT_OUT.test(path)))
  for (const { line, words, instead } of wordFaults(readFileSync(path, 'utf8'), path)) {
    console.error(`${path}:${line}: "${words}". Better: ${instead}`);
    process.exitCode = 1;
  }
