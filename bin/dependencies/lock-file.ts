/** The packages that a lock file installs, each once a place, with licence, digest and what it depends on. */
import { readFileSync } from 'node:fs';
import * as z from 'zod';

const names = z.record(z.string(), z.string()).optional();
const entry = z.object({
  version: z.string().optional(),
  license: z.string().optional(),
  integrity: z.string().optional(),
  dev: z.boolean().optional(),
  optional: z.boolean().optional(),
  devOptional: z.boolean().optional(),
  link: z.boolean().optional(),
  dependencies: names,
  devDependencies: names,
  optionalDependencies: names,
  peerDependencies: names,
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
  /** Subresource integrity, `sha512-<base64>`. */
  readonly integrity: string | undefined;
  /** Needed in production, only on some machines, or only for development. */
  readonly use: 'production' | 'optional' | 'development';
  /** Paths of the packages to which its dependencies resolve. */
  readonly dependsOn: readonly string[];
}

type Entry = z.output<typeof entry>;

const useOf = ({ dev, devOptional, optional }: Entry): LockedPackage['use'] => {
  if (dev === true) return 'development';
  return optional === true || devOptional === true ? 'optional' : 'production';
};

/** Where Node finds `name` from `path`: its own node_modules first, then those of its parents. */
function resolve(name: string, path: string, places: ReadonlySet<string>): string | undefined {
  for (let from = path; ; ) {
    const place = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
    if (places.has(place)) return place;
    if (from === '') return undefined;
    const up = from.lastIndexOf('/node_modules/');
    from = up === -1 ? '' : from.slice(0, up);
  }
}

/** Every package of the lock file, the project itself first. Throws for a lock file of another form. */
export function readLockFile(file: string | URL): readonly LockedPackage[] {
  const { name: project, packages } = lockFile.parse(JSON.parse(readFileSync(file, 'utf8')));
  const places = new Set(Object.keys(packages));
  return Object.entries(packages).map(([path, one]) => {
    const wanted = [one.dependencies, one.optionalDependencies, one.peerDependencies, one.devDependencies];
    const found = wanted
      .flatMap((group) => Object.keys(group ?? {}))
      .map((name) => resolve(name, path, places))
      .filter((place) => place !== undefined);
    return {
      path,
      name: path === '' ? project : path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: one.version ?? '',
      licence: one.license,
      integrity: one.integrity,
      use: useOf(one),
      dependsOn: [...new Set(found)].sort(),
    };
  });
}
