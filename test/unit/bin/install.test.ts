/** What runs before anything is installed: a Node that is too old is named in one line. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const PROGRAM = fileURLToPath(new URL('../../../bin/install.mjs', import.meta.url));

it.each(['18.20.8', '20.18.3'])('Node %s is refused with one line that says what to install', (version) => {
  const asVersion = `data:text/javascript,${encodeURIComponent(
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`,
  )}`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', asVersion, PROGRAM], {
    encoding: 'utf8',
  });
  expect([status, stdout, stderr]).toEqual([
    1,
    '',
    `Node ${version} is too old: install Node 20.19 or newer and run this again.\n`,
  ]);
});
