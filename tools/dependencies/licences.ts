/** The allowed licences of dependencies, and the exceptions with their reasons. */
import { readFileSync } from 'node:fs';
import * as z from 'zod';

// The packages that a lock file installs, each once a place, with licence and use.

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

const findUse = ({ dev, devOptional, optional }: Entry): LockedPackage['use'] => {
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
    use: findUse(one),
  }));
}

/** Licences that require no more than a notice, by SPDX identifier. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

interface Exception {
  readonly licence: string;
  readonly reason: string;
}

/** For development only; nothing deployed or served has an exception. */
export const EXCEPTIONS: Readonly<Record<string, Exception>> = {
  'axe-core': {
    licence: 'MPL-2.0',
    reason: 'run unchanged by the accessibility tests; no part of it is served or distributed',
  },
  'caniuse-lite': {
    licence: 'CC-BY-4.0',
    reason: 'data that the test runner reads; no part of it is served or distributed',
  },
};

/** Whether an SPDX expression can be met by allowed licences: one side of OR, both of AND. */
export function isAllowed(expression: string): boolean {
  const bare = expression.trim();
  const inner = /^\(([^()]*)\)$/.exec(bare)?.[1];
  if (inner !== undefined) return isAllowed(inner);
  if (/[()]/.test(bare)) return false;
  const choices = bare.split(/\s+OR\s+/);
  return choices.some((choice) => choice.split(/\s+AND\s+/).every((one) => ALLOWED.has(one)));
}

/** The faults in the licences of `packages`, one line each; an unused exception is a fault too. */
export function licenceFaults(
  packages: readonly LockedPackage[],
  exceptions: Readonly<Record<string, Exception>> = EXCEPTIONS,
): readonly string[] {
  const needed = new Set<string>();
  const faults = packages.flatMap(({ path, name, version, licence, use }) => {
    if (path === '' || (licence !== undefined && isAllowed(licence))) return [];
    const what = `${name}@${version} (${use}): `;
    if (licence === undefined) return [`${what}states no licence`];
    const exception = exceptions[name];
    if (exception?.licence !== licence) return [`${what}${licence} is not on the list`];
    needed.add(name);
    return use === 'development' ? [] : [`${what}its exception is for development only`];
  });
  const stale = Object.keys(exceptions).filter((name) => !needed.has(name));
  return [...faults, ...stale.map((name) => `${name}: its exception is no longer needed`)];
}
