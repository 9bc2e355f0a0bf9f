/** The form of keys, their digest, and minting. */
import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  checksumHolds,
  digestPrefix,
  isDigest,
  isKeyForm,
  KEY_PREFIXES,
  keyDigest,
  mintKey,
} from '../../../core/access/keys.ts';

const BASE_62 = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
const rest = (shortest: number, longest: number) =>
  fc.string({ unit: fc.constantFrom(...BASE_62), minLength: shortest, maxLength: longest });

describe('the form of a key', () => {
  it('takes 24 to 64 letters and digits behind either prefix', () => {
    fc.assert(
      fc.property(fc.constantFrom('pcd_dev_', 'pcd_live_'), rest(24, 64), (prefix, text) => {
        expect(isKeyForm(prefix + text)).toBe(true);
      }),
    );
  });

  it.each([
    ['nothing', ''],
    ['a word', 'abc'],
    ['another kind', `pcd_test_${'a'.repeat(24)}`],
    ['23 characters', `pcd_dev_${'a'.repeat(23)}`],
    ['65 characters', `pcd_dev_${'a'.repeat(65)}`],
    ['a hyphen', `pcd_dev_${'a'.repeat(23)}-`],
    ['an underscore', `pcd_dev_${'a'.repeat(23)}_`],
    ['a letter beyond ASCII', `pcd_dev_${'a'.repeat(23)}é`],
    ['upper case', `PCD_DEV_${'A'.repeat(24)}`],
    ['a line end', `pcd_dev_${'a'.repeat(24)}\n`],
    ['a space before', ` pcd_dev_${'a'.repeat(24)}`],
    ['two keys', `pcd_dev_${'a'.repeat(24)}, pcd_dev_${'a'.repeat(24)}`],
    ['no underscore', `pcddev${'a'.repeat(24)}`],
  ])('refuses %s', (_, text) => {
    expect(isKeyForm(text)).toBe(false);
  });
});

describe('the digest', () => {
  it('is the SHA-256 in hexadecimal, and is recognized', () => {
    const secret = mintKey('dev', randomBytes);
    expect(keyDigest(secret)).toBe(createHash('sha256').update(secret, 'utf8').digest('hex'));
    expect(isDigest(keyDigest(secret))).toBe(true);
    expect(keyDigest(secret).startsWith(digestPrefix(keyDigest(secret)))).toBe(true);
    expect(digestPrefix(keyDigest(secret))).toHaveLength(8);
  });

  it.each([
    '',
    'f'.repeat(63),
    'f'.repeat(65),
    'F'.repeat(64),
    `${'f'.repeat(63)}g`,
    `${'f'.repeat(64)}\n`,
    ['f'.repeat(64)],
  ])('%j is none', (text) => {
    expect(isDigest(text)).toBe(false);
  });
});

describe('a new key', () => {
  it('has the form of its kind and 30 random characters with their checksum', () => {
    for (const kind of ['dev', 'live'] as const) {
      const secret = mintKey(kind, randomBytes);
      expect(secret).toMatch(new RegExp(`^${KEY_PREFIXES[kind]}_[A-Za-z0-9]{36}$`));
      expect([isKeyForm(secret), checksumHolds(secret)]).toEqual([true, true]);
    }
  });

  it('has the checksum that scanners know: six digits of base 62 of the SHA-256, the lowest first', () => {
    const body = 'pcd_dev_0123456789ABCDEFGHIJKLMNOPQRST';
    expect(checksumHolds(`${body}38W3xe`)).toBe(true);
    expect(mintKey('dev', () => Uint8Array.from({ length: 30 }, (_, index) => index))).toBe(`${body}38W3xe`);
  });

  it('comes from the bytes given, leaving out those that would favour some characters', () => {
    const uneven = Uint8Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? 248 : 247));
    const calls: number[] = [];
    const secret = mintKey('dev', (count) => {
      calls.push(count);
      return uneven;
    });
    expect(secret.slice(0, -6)).toBe(`pcd_dev_${'z'.repeat(30)}`);
    expect(calls).toEqual([30, 30]);
  });

  it('rejects a minted key with one character changed', () => {
    const secret = mintKey('live', randomBytes);
    fc.assert(
      fc.property(
        fc.integer({ min: 9, max: secret.length - 1 }),
        fc.constantFrom(...BASE_62),
        (at, other) => {
          fc.pre(secret[at] !== other);
          const changed = secret.slice(0, at) + other + secret.slice(at + 1);
          expect([isKeyForm(changed), checksumHolds(changed)]).toEqual([true, false]);
        },
      ),
    );
  });
});
