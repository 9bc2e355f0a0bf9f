/** The packages that a lock file installs, each once a place, with licence and use. */
import { readFileSync } from 'node:fs';
import * as z from 'zod';

const entry = z.object({
  version: z.string().optional(),
  license: z.string().optional(),
  dev: z.boolean().optional(),
  optional: z.boolean().optional(),
  devOptional: z.boolean().optional(),
});
const lockFile = z.object({
  lockfileVersion: z.literal(3),
  name: z.string(),
  packages: z.record(z.string(), entry),
});

export interface LockedPackage {
  /** Where it is installed, `node_modules/a/node_modules/b`; empty for the project itself. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** SPDX expression as the package states it; undefined when it states none. */
  readonly licence: string | undefined;
  /** Needed in production, only on some machines, or only for development. */
  readonly use: 'production' | 'optional' | 'development';
}

type Entry = z.output<typeof entry>;

const useOf = ({ dev, devOptional, optional }: Entry): LockedPackage['use'] => {
  if (dev === true) return 'development';
  return optional === true || devOptional === true ? 'optional' : 'production';
};

/** Every package of the lock file, the project itself first. Throws for a lock file of another form. */
export function readLockFile(file: string | URL): readonly LockedPackage[] {
  const { name: project, packages } = lockFile.parse(JSON.parse(readFileSync(file, 'utf8')));
  return Object.entries(packages).map(([path, one]) => ({
    path,
    name: path === '' ? project : path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version: one.version ?? '',
    licence: one.license,
    use: useOf(one),
  }));
}
