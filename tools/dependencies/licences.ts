/** The allowed licences of dependencies, and the exceptions with their reasons. */
import type { LockedPackage } from './lock-file.ts';

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

export interface Exception {
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
