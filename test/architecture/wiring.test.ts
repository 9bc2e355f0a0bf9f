/** Functions are wired from arguments: only the entries on AWS read the environment, and nothing reads the time while it is loaded. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ENTRY = /^lambdas\/[a-z-]+\/index\.ts$/;

const modules = ['core', 'lambdas'].flatMap((room) =>
  readdirSync(`${ROOT}${room}`, { recursive: true, encoding: 'utf8' })
    .map((name) => `${room}/${name}`)
    .filter((name) => name.endsWith('.ts') && !ENTRY.test(name)),
);

it('no module but an entry on AWS reads the environment of the process', () => {
  expect(modules.length).toBeGreaterThan(100);
  expect(modules.filter((name) => readFileSync(`${ROOT}${name}`, 'utf8').includes('process.env'))).toEqual(
    [],
  );
});

/** Before the modules: the clock notes who asks it; code of packages may. */
const PROBE = `{
const asked = new Set();
const now = Date.now;
const note = () => {
  const caller = new Error().stack.split('\\n')[3];
  const file = /\\/((?:core|lambdas)\\/[^:]+\\.ts):/.exec(caller ?? '')?.[1];
  if (file !== undefined && !caller.includes('node_modules')) asked.add(file);
};
Date.now = () => (note(), now());
const { now: stopwatch } = performance;
performance.now = () => (note(), stopwatch.call(performance));
process.on('exit', () => console.log(JSON.stringify([...asked])));
}`;

it('no module reads the time while it is loaded, but for a planted one', async () => {
  // One file loads in a fifth of the time of all modules; its map names them.
  const outfile = `${ROOT}dist/wiring-probe.mjs`;
  const imports = modules.map((name) => `import '../${name}';`).join('\n');
  await build({
    stdin: { contents: `${imports}\nDate.now();`, resolveDir: `${ROOT}core`, sourcefile: 'planted.ts' },
    absWorkingDir: ROOT,
    bundle: true,
    outfile,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    treeShaking: false,
    sourcemap: 'inline',
    banner: { js: PROBE },
  });
  const { stdout, stderr } = spawnSync(process.execPath, ['--enable-source-maps', outfile], {
    encoding: 'utf8',
  });
  rmSync(outfile);
  const faults = stderr.split('\n').filter((line) => /Error/.test(line));
  expect([faults, stdout.trim()]).toEqual([[], '["core/planted.ts"]']);
});
