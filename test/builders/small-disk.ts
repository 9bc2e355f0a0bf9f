/** Disks of a few megabytes, in memory, that a test can fill. Only a superuser of Linux can mount one. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface SmallDisk {
  readonly path: string;
  /** Leaves `keepBytes` free, none by default. */
  fill(keepBytes?: number): void;
  free(): void;
}

interface SmallDisks {
  /** Why no disk can be mounted here; undefined when one can. */
  readonly why: string | undefined;
  mount(megabytes?: number): SmallDisk;
  unmount(): void;
}

const mountAt = (path: string, megabytes: number): boolean =>
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]).status === 0;

export function smallDisks(): SmallDisks {
  const mounted: string[] = [];
  const mount = (megabytes: number): string | undefined => {
    const path = mkdtempSync(join(tmpdir(), 'disk-'));
    if (!mountAt(path, megabytes)) return undefined;
    mounted.push(path);
    return path;
  };
  const probe = mount(1);
  return {
    why: probe === undefined ? 'needs the right to mount a tmpfs' : undefined,
    mount(megabytes = 1) {
      const path = mount(megabytes);
      if (path === undefined) throw new Error('no tmpfs');
      const filler = join(path, 'filler');
      return {
        path,
        fill(keepBytes = 0) {
          const { bavail, bsize } = statfsSync(path);
          writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - keepBytes)));
        },
        free: () => rmSync(filler, { force: true }),
      };
    },
    unmount() {
      for (const path of mounted.splice(0)) {
        spawnSync('umount', [path]);
        rmSync(path, { recursive: true, force: true });
      }
    },
  };
}
