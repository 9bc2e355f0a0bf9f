/** Functions are wired from arguments: only the entries on AWS read the environment, and nothing reads the time while it is loaded. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ENTRY = /^lambdas\/[a-z-]+\/index\.ts$/;

const modules = ['core', 'lambdas'].flatMap((room) =>
  readdirSync(`${ROOT}${room}`, { recursive: true, encoding: 'utf8' })
    .map((name) => `${room}/${name}`)
    .filter((name) => name.endsWith('.ts') && !ENTRY.test(name)),
);

it('no module but an entry on AWS reads the environment of the process', () => {
  expect(modules.length).toBeGreaterThan(250);
  expect(modules.filter((name) => readFileSync(`${ROOT}${name}`, 'utf8').includes('process.env'))).toEqual(
    [],
  );
});

/** Imports every module while the clock says who asks it; code of packages may. */
const PROBE = `
const asked = new Set();
const now = Date.now;
const note = () => {
  const caller = new Error().stack.split('\\n').slice(2).find((line) => !line.includes('node:'));
  const file = /\\/((?:core|lambdas)\\/[^:]+\\.ts):/.exec(caller ?? '')?.[1];
  if (file !== undefined && !caller.includes('node_modules')) asked.add(file);
};
Date.now = () => (note(), now());
const { now: stopwatch } = performance;
performance.now = () => (note(), stopwatch.call(performance));
for (const name of JSON.parse(process.argv[1])) await import(name);
console.log(JSON.stringify([...asked]));`;

it('no module reads the time while it is loaded', () => {
  const names = JSON.stringify(modules.map((name) => `${ROOT}${name}`));
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', PROBE, names],
    { cwd: ROOT, encoding: 'utf8' },
  );
  expect([stderr.split('\n').filter((line) => /Error/.test(line)), stdout.trim()]).toEqual([[], '[]']);
});
