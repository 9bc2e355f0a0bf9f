/** The data directory: one process at a time, and one clear line where it cannot be used. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { claimDataDirectory, findService } from '../../../local/data-directory.ts';
import { smallDisks } from '../../builders/small-disk.ts';

const DISKS = smallDisks();
afterAll(() => DISKS.unmount());

const folder = (): string => mkdtempSync(join(tmpdir(), 'data-'));
const ADDRESS = {
  url: 'http://127.0.0.1:3000',
  store: 'http://127.0.0.1:3002',
  releases: '/data/releases/live',
  clockOffsetMs: 5000,
};

/** Id of a process that has ended. */
const endedPid = (): number => spawnSync(process.execPath, ['-e', '']).pid;

describe('a data directory', () => {
  it('is made with the folders above it, announced, found, and free again after its release', () => {
    const path = join(folder(), 'a', 'b');
    const directory = claimDataDirectory(path);
    directory.announce(ADDRESS);
    expect(findService(path)).toEqual({ pid: process.pid, ...ADDRESS });
    directory.release();
    directory.release();
    expect(findService(path)).toBeUndefined();
    expect(existsSync(join(path, 'service.json'))).toBe(false);
  });

  it('is refused by folder and pid while another process has it, and that process keeps its file', async () => {
    const path = folder();
    const rival = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
    try {
      const file = join(path, 'service.json');
      const announced = JSON.stringify({ pid: rival.pid, ...ADDRESS });
      writeFileSync(file, announced);
      expect(() => claimDataDirectory(path)).toThrow(
        `the data directory ${path} is in use by process ${rival.pid}: stop it or name another --data-dir`,
      );
      expect(readFileSync(file, 'utf8')).toBe(announced);
    } finally {
      rival.kill();
      await once(rival, 'exit');
    }
  });

  it.each([
    ['a process that was killed', endedPid],
    ['a process with the id of this one, as in a container that starts again', () => process.pid],
  ])('is taken over from %s', (_, pid) => {
    const path = folder();
    writeFileSync(join(path, 'service.json'), JSON.stringify({ pid: pid(), ...ADDRESS }));
    claimDataDirectory(path).announce({ ...ADDRESS, clockOffsetMs: 7 });
    expect(findService(path)).toMatchObject({ pid: process.pid, clockOffsetMs: 7 });
  });

  it('is not found before the service responds', () => {
    const path = folder();
    claimDataDirectory(path);
    expect(() => findService(path)).toThrow(`the service on ${path} is still starting`);
  });

  it('leaves the file of another process alone when it is released late', () => {
    const path = folder();
    const directory = claimDataDirectory(path);
    const other = JSON.stringify({ pid: process.ppid, ...ADDRESS });
    writeFileSync(join(path, 'service.json'), other);
    directory.release();
    expect(readFileSync(join(path, 'service.json'), 'utf8')).toBe(other);
  });

  /** A folder that even a superuser cannot write. */
  const readOnlyFolder = (): string => {
    if (process.getuid?.() === 0) return '/proc';
    const path = folder();
    chmodSync(path, 0o555);
    return path;
  };
  const file = (): string => {
    const path = join(folder(), 'file');
    writeFileSync(path, '');
    return path;
  };
  it.each([
    ['a file', file],
    ['a folder below a file', () => join(file(), 'inner')],
    ['a read-only folder', readOnlyFolder],
    ['a folder that cannot be made', () => join(readOnlyFolder(), 'x')],
  ])('that is %s is refused in one line', (_, path) => {
    const wanted = path();
    expect(() => claimDataDirectory(wanted)).toThrow(`the data directory ${wanted} cannot be used: `);
    expect(() => claimDataDirectory(wanted)).toThrow(/^[^\n]+$/);
  });

  (DISKS.why === undefined ? it : it.skip)('on a full disk is refused with no empty file in it', () => {
    const { path, fill, free } = DISKS.mount();
    fill();
    expect(() => claimDataDirectory(path)).toThrow(
      `the data directory ${path} cannot be used: the disk is full`,
    );
    free();
    claimDataDirectory(path).release();
  });

  it('with a damaged service file is refused by the file’s name', () => {
    const path = folder();
    writeFileSync(join(path, 'service.json'), '{');
    expect(() => claimDataDirectory(path)).toThrow(
      /^[^\n]*service\.json is damaged [^\n]*: remove this file alone[^\n]*$/,
    );
  });
});
