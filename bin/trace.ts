/** `npm run trace -- HANDLER < LOG`: the places of a stack trace in a built function as places in its sources. */
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Argument } from 'commander';
import { command, parse, run } from '../local/command-line.ts';
import { withSourcePlaces } from '../tools/source-places.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

await run(async () => {
  const definition = command(
    'npm run trace --',
    'Reads a log line or a stack trace and prints it with places in the sources. Build the functions of the deployed commit first.',
  ).addArgument(new Argument('<handler>', 'a folder of dist/lambdas'));
  parse(definition);
  const [handler = ''] = definition.args;
  const map = readFileSync(`${root}dist/lambdas/${handler}/index.cjs.map`, 'utf8');
  console.log(withSourcePlaces(await text(process.stdin), map, `dist/lambdas/${handler}`));
});
