/** `npm run dev`: the service on recorded data, started again after each change of its code. The data stay. */
import { fileURLToPath } from 'node:url';
import { whenOrphaned } from '../local/data-directory.ts';
import { startRestarts } from '../tools/dev/restarts.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const running = startRestarts({
  root: ROOT,
  folders: ['bin', 'core', 'docs', 'lambdas', 'local', 'packages', 'portal'],
  // Data of an earlier run are served as they are: a first pass would only find that it has applied everything.
  command: (filled) => [
    '--import',
    'tsx',
    `${ROOT}bin/serve.ts`,
    '--close-at-once',
    ...process.argv.slice(2),
    ...(filled ? ['--no-ingest'] : []),
  ],
  report: (line) => console.log(line),
});

let ending = false;
async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  await running.close();
  process.exit();
}
whenOrphaned(end);
process.on('SIGINT', end);
process.on('SIGTERM', end);
