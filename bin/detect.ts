/** `npm run --silent detect -- FILE...`: prints the change points of series files as one JSON object. */

import { command, parse, run } from '../local/command-line.ts';
import { detectInFiles } from '../tools/detect/series-file.ts';

const ABOUT = `Each FILE is JSON: {"name": text, "values": [numbers, null for a gap]}.
Prints {"name": [indices]}, zero-based, each the first observation of a new level.`;

await run(async () => {
  const definition = command('npm run --silent detect --', ABOUT).argument('<file...>');
  parse(definition);
  console.log(JSON.stringify(await detectInFiles(definition.args)));
});
