/** The portal that a start serves; built again only when what it is made from changes. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartError } from './start-error.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../tools/build-portal.ts', import.meta.url));
const INPUTS = [
  ...['portal', 'docs', 'core', 'lib/stage-config.ts', 'tools/build-portal.ts', 'tools/route-values.ts'],
  ...['CHANGELOG.md', 'cdk.json', 'package-lock.json', 'tsconfig.json'],
];
/** Most builds on disk; a running service uses the files of one of them. */
const MAX_BUILDS = 3;

function files(path: string): string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => files(join(path, name)));
}

export function digestOfInputs(home = root, inputs: readonly string[] = INPUTS): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of inputs
    .map((name) => join(home, name))
    .filter(existsSync)
    .flatMap(files))
    hash.update(file.slice(home.length)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex').slice(0, 16);
}

/** Builds in a separate process, so that the API never waits for the compiler, and its memory is freed. */
function runBuild(outdir: string, signal: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM, outdir], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  });
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint = `${complaint}${chunk}`.slice(-4000);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new StartError(`the portal cannot be built, its pages are missing:\n${complaint.trim()}`));
    });
  });
}

function removeOld(home: string, current: string): void {
  const others = readdirSync(home).filter((name) => name !== current);
  const byAge = others
    .map((name) => ({ name, at: statSync(join(home, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { name } of byAge.slice(MAX_BUILDS - 1))
    rmSync(join(home, name), { recursive: true, force: true });
}

/** The folder of the built portal. Calls `onBuild` when a build is needed; the signal stops one that is under way. */
export async function openBuiltPortal(onBuild: () => void, signal: AbortSignal): Promise<string> {
  const home = join(root, 'dist', 'local-portal');
  const digest = digestOfInputs();
  const directory = join(home, digest);
  if (existsSync(directory)) return directory;
  onBuild();
  mkdirSync(home, { recursive: true });
  const unfinished = join(home, `${digest}.${process.pid}`);
  await runBuild(unfinished, signal);
  // Another start may have built the same meanwhile.
  if (existsSync(directory)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, directory);
  removeOld(home, digest);
  return directory;
}
