/** `npm run build`: the functions, as they are deployed and served. */
import { command, parse, run } from '../local/command-line.ts';
import { buildHandlers } from '../tools/handlers.ts';

await run(async () => {
  parse(command('npm run build --', 'Builds every function into dist/lambdas, and prints the sizes.'));
  const { outputs } = await buildHandlers();
  for (const [path, { bytes }] of Object.entries(outputs))
    console.log(`${path} ${Math.ceil(bytes / 1024)} KB`);
});
