/**
 * `npm run coverage`: writes core/reference/evidence.json and the number of ports in the README; with --check
 * says whether they are up to date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { command, parse, run } from '../local/command-line.ts';
import { evidenceText } from '../tools/coverage/evidence.ts';
import { firstDifference } from '../tools/openapi/first-difference.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const MARKED = /<!-- coverage -->.*?<!-- end -->/s;
await run(async () => {
  const definition = command(
    'npm run coverage --',
    'Writes core/reference/evidence.json and the number of ports in the README.',
  ).option('--check', 'only say whether they are up to date');
  const { check } = parse<{ check?: true }>(definition);
  const readme = readFileSync(`${root}README.md`, 'utf8');
  if (!MARKED.test(readme)) throw new Error('README.md has no coverage marks');
  const EVIDENCE = 'core/reference/evidence.json';
  const evidence = evidenceText(`${root}recordings`);
  if (!check) writeFileSync(`${root}${EVIDENCE}`, evidence);
  // The counts read the file, so that it is written first.
  const { countsText } = await import('../portal/site/coverage.ts');
  const files = {
    [EVIDENCE]: evidence,
    'README.md': readme.replace(MARKED, `<!-- coverage -->**${countsText()}.**<!-- end -->`),
  };
  const differences = Object.entries(files).flatMap(([name, text]) => {
    if (check) return firstDifference(name, readFileSync(`${root}${name}`, 'utf8'), text) ?? [];
    writeFileSync(`${root}${name}`, text);
    console.log(`wrote ${name}`);
    return [];
  });
  if (differences.length > 0) {
    console.error(`${differences.join('\n')}\nout of date: run npm run coverage and commit the result`);
    return 1;
  }
  return 0;
});
