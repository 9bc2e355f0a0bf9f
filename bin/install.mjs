// Installs the locked dependencies when they are missing or no longer those of the lock file; else does nothing.
// Plain JavaScript without imports from npm, because it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Node ${process.versions.node} is too old: install Node 20.19 or newer and run this again.`);
  process.exit(1);
}
// npm writes this file at the end of every install, so it is newer than the lock file that it installed.
const installed = `${root}node_modules/.package-lock.json`;
const current =
  existsSync(installed) && statSync(installed).mtimeMs >= statSync(`${root}package-lock.json`).mtimeMs;
if (!current) {
  console.log('installing dependencies (npm ci), about half a minute');
  // No package needs its install script: native parts come built, and one package reports installs to its maker.
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', ['ci', ...options], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    console.error('npm ci failed: see its output above; it needs the npm registry.');
    process.exit(1);
  }
}
