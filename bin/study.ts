/** `npm run study -- NAME`: runs a study, a folder of `studies` with a `study.ts`. What follows the name belongs to the study. */
import { existsSync, readdirSync } from 'node:fs';
import { command, parse, run, UsageError } from '../local/command-line.ts';

const STUDIES = new URL('../studies/', import.meta.url);
const programOf = (name: string): URL => new URL(`${name}/study.ts`, STUDIES);

const names = readdirSync(STUDIES).filter((name) => existsSync(programOf(name)));
const [, , name = ''] = process.argv;
if (names.includes(name)) {
  process.argv.splice(2, 1);
  await import(programOf(name).href);
} else {
  await run(async () => {
    const about = `Runs a study: ${names.join(', ')}. The options of one: npm run study -- NAME --help`;
    parse(command('npm run study --', about).argument('<name>'));
    throw new UsageError(`there is no study ${name}`);
  });
}
