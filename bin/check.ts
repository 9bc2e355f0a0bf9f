/** `npm run check`: the whole gate, every step even after one has failed, with the time each took. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const node = process.execPath;

const STEPS: readonly [name: string, command: string, args: readonly string[]][] = [
  ['format and lint', 'node_modules/.bin/biome', ['check', '--error-on-warnings', '.']],
  ['types', 'node_modules/.bin/tsc', ['--noEmit', '-p', '.']],
  ['types of the portal', 'node_modules/.bin/tsc', ['--noEmit', '-p', 'portal']],
  ['licences', node, ['--import', 'tsx', 'bin/licences.ts']],
  ['contract documents', node, ['--import', 'tsx', 'bin/openapi.ts', '--check']],
  ['build', node, ['--import', 'tsx', 'bin/build.ts']],
  ['tests', node, ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js']],
];

const only = process.argv.slice(2);
const failed = STEPS.filter(([name, command, args]) => {
  if (only.length > 0 && !only.some((word) => name.includes(word))) return false;
  const startedAt = performance.now();
  console.log(`\n== ${name}`);
  const { status } = spawnSync(command, [...args], { cwd: ROOT, stdio: 'inherit' });
  console.log(
    `== ${name}: ${status === 0 ? 'ok' : 'FAILED'} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
  );
  return status !== 0;
});

if (failed.length > 0) {
  console.error(`\ncheck failed: ${failed.map(([name]) => name).join(', ')}`);
  process.exit(1);
}
console.log('\ncheck passed');
