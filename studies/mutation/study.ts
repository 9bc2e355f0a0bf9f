/** `npm run study -- mutation FOLDER`: Stryker changes a folder of core by one small fault at a time; its tests must notice. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Argument } from 'commander';
import { command, parse, run } from '../../local/command-line.ts';
import folders from './folders.json' with { type: 'json' };

const HERE = fileURLToPath(new URL('.', import.meta.url));
const STRYKER = `${HERE}node_modules/.bin/stryker`;
/** A step of CI that ends with it counts as skipped. */
const LEFT_OUT = 77;

const ABOUT = `Changes the code of a folder of core by one small fault at a time and counts the faults that its tests notice; below 90 in
100 it fails. Options after -- are Stryker's: -- --mutate core/http/request.ts --concurrency 1`;

/** Stryker is 65 MB that nothing else needs: it is installed beside this program at the first run. */
function isInstalled(): boolean {
  if (existsSync(STRYKER)) return true;
  console.log('installing Stryker');
  const args = ['--prefix', HERE, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  return spawnSync('npm', args, { stdio: 'inherit' }).status === 0;
}

await run(async () => {
  const definition = command('npm run study -- mutation', ABOUT)

    .addArgument(new Argument('<folder>').choices(Object.keys(folders)))
    .argument('[options...]');
  parse(definition);
  if (!isInstalled()) {
    console.error('left out: Stryker cannot be installed from the npm registry here');
    return LEFT_OUT;
  }
  const [folder = '', ...options] = definition.args;
  const { status } = spawnSync(STRYKER, ['run', `${HERE}stryker.config.mjs`, ...options], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { ...process.env, FOLDER: folder },
    stdio: 'inherit',
  });
  return status ?? 1;
});
