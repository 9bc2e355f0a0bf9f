/** `npm run check`: runs every step, even after a failure, and prints the time of each. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { command, parse, run, UsageError } from '../local/command-line.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const node = process.execPath;

const STEPS: readonly [name: string, command: string, args: readonly string[]][] = [
  ['format and lint', 'node_modules/.bin/biome', ['check', '--error-on-warnings', '.']],
  ['types', 'node_modules/.bin/tsc', ['--noEmit', '-p', '.']],
  ['types of the portal', 'node_modules/.bin/tsc', ['--noEmit', '-p', 'portal']],
  [
    'unused code and dependencies',
    'node_modules/.bin/knip',
    ['--no-progress', '--config', 'tools/check/knip.json'],
  ],
  ['words', node, ['--import', 'tsx', 'tools/check/words.ts']],
  ['documents', node, ['--import', 'tsx', 'bin/openapi.ts', '--check']],
  ['build', node, ['--import', 'tsx', 'bin/build.ts']],
  ['tests', node, ['--no-warnings', 'node_modules/jest/bin/jest.js']],
];

const ABOUT = `Runs the steps whose names contain one of the words (all steps without words), even after a failure:
${STEPS.map(([name]) => `  ${name}`).join('\n')}`;

await run(async () => {
  const definition = command('npm run check --', ABOUT)
    .argument('[words...]')
    .option('--except <word...>', 'leave out the steps whose names contain one of these words');
  const { except = [] } = parse<{ except?: string[] }>(definition);
  const only = definition.args;
  for (const word of [...only, ...except])
    if (!STEPS.some(([name]) => name.includes(word))) throw new UsageError(`no step is called ${word}`);
  const steps = STEPS.filter(
    ([name]) =>
      (only.length === 0 || only.some((word) => name.includes(word))) &&
      !except.some((word) => name.includes(word)),
  );
  const failed = steps.filter(([name, command, args]) => {
    const startedAt = performance.now();
    console.log(`\n== ${name}`);
    const { status } = spawnSync(command, [...args], { cwd: ROOT, stdio: 'inherit' });
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(`== ${name}: ${status === 0 ? 'ok' : 'FAILED'} in ${seconds} s`);
    return status !== 0;
  });

  if (failed.length > 0) {
    console.error(`\ncheck failed: ${failed.map(([name]) => name).join(', ')}`);
    return 1;
  }
  console.log('\ncheck passed');
  return 0;
});
