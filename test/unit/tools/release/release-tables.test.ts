/** Where a release of this machine reads and writes: the folder that the service serves, and no folder of its making. */
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { releasesDirectory } from '../../../../local/data-mode.ts';
import { openReleaseTables } from '../../../../tools/release/release-tables.ts';

const say = (): void => undefined;

describe('a release', () => {
  it('is refused for a folder that does not exist, which is not made', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'release-')), 'none');
    await expect(openReleaseTables(folder, say)).rejects.toThrow(
      `there are no data of the real upstreams in ${folder}`,
    );
    expect(existsSync(folder)).toBe(false);
  });

  it('is refused for a folder with data of another origin only', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'release-'));
    writeFileSync(join(folder, 'sample'), '');
    await expect(openReleaseTables(folder, say)).rejects.toThrow('there are no data of the real upstreams');
    expect(existsSync(join(folder, 'live'))).toBe(false);
  });

  it('of one origin is not where that of another is', () => {
    const places = ['sample', 'live'].map((name) => releasesDirectory('/d', `/d/${name}`));
    expect(places).toEqual(['/d/releases/sample', '/d/releases/live']);
  });
});
