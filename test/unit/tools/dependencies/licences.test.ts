import { describe, expect, it } from '@jest/globals';
import {
  EXCEPTIONS,
  isAllowed,
  type LockedPackage,
  licenceFaults,
  readLockFile,
} from '../../../../tools/dependencies/licences.ts';

const LOCK_FILE = new URL('../../../../package-lock.json', import.meta.url);

const locked = (name: string, licence: string | undefined, use: LockedPackage['use'] = 'production') => ({
  path: `node_modules/${name}`,
  name,
  version: '1.0.0',
  licence,
  use,
});

describe('an SPDX expression', () => {
  it.each(['MIT', '(MIT OR GPL-3.0-or-later)', 'GPL-3.0-only OR ISC', '(MIT AND Zlib)', 'Apache-2.0'])(
    'is met: %s',
    (expression) => expect(isAllowed(expression)).toBe(true),
  );
  it.each([
    'GPL-3.0-only',
    'MIT AND GPL-3.0-only',
    'UNLICENSED',
    'SEE LICENSE IN x',
    '',
    'MIT OR (ISC',
    'mit',
  ])('is not met: %j', (expression) => expect(isAllowed(expression)).toBe(false));
});

describe('licenceFaults names', () => {
  const exceptions = { odd: { licence: 'MPL-2.0', reason: 'only run by tests' } };
  const odd = locked('odd', 'MPL-2.0', 'development');

  it('nothing where all is well', () => {
    expect(licenceFaults([locked('a', 'MIT'), odd], exceptions)).toEqual([]);
  });
  it('a licence that is not on the list, or none', () => {
    expect(licenceFaults([locked('a', 'GPL-3.0-only'), locked('b', undefined)], {})).toEqual([
      'a@1.0.0 (production): GPL-3.0-only is not on the list',
      'b@1.0.0 (production): states no licence',
    ]);
  });
  it('an exception that is used in production, has another licence, or is no longer needed', () => {
    expect(licenceFaults([{ ...odd, use: 'production' }], exceptions)).toHaveLength(1);
    expect(licenceFaults([{ ...odd, licence: 'GPL-2.0-only' }], exceptions)).toHaveLength(2);
    expect(licenceFaults([], exceptions)).toEqual(['odd: its exception is no longer needed']);
  });
  it('nothing of the packages that are locked here, whose exceptions all have reasons', () => {
    const packages = readLockFile(LOCK_FILE);
    expect(packages.length).toBeGreaterThan(100);
    expect(licenceFaults(packages)).toEqual([]);
    for (const { reason } of Object.values(EXCEPTIONS)) expect(reason).not.toBe('');
  });
});
