/** The repository contains nothing that looks like a secret. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { checksumHolds } from '../../core/access/keys.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Larger files are recorded data and pictures, which do not contain keys. */
const MAX_BYTES = 2_000_000;

/** Kinds of secret, by how they look. */
const SECRETS: Readonly<Record<string, RegExp>> = {
  'a production key': /\bpcd_live_[A-Za-z0-9]{24,64}\b/g,
  'a development key': /\bpcd_dev_[A-Za-z0-9]{24,64}\b/g,
  'an AWS access key': /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  'an AWS secret key': /aws_?secret_?access_?key["']?\s*[:=]\s*["']?[A-Za-z0-9/+]{40}\b/gi,
  'a private key': /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/g,
  'a GitHub token': /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{60,})\b/g,
  'an npm token': /\bnpm_[A-Za-z0-9]{36}\b/g,
};

/**
 * Keys of the product end with a checksum; those in examples and tests have none, which distinguishes a real key.
 */
const isReal = (kind: string, text: string): boolean =>
  !/(?:production|development) key/.test(kind) || checksumHolds(text);

const secretsIn = (text: string): string[] =>
  Object.entries(SECRETS).flatMap(([kind, pattern]) =>
    [...text.matchAll(pattern)].filter(([found]) => isReal(kind, found)).map(() => kind),
  );

/** Files that git has, or would add. */
const files = (): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
    .split('\0')
    .filter((name) => name !== '' && existsSync(ROOT + name) && statSync(ROOT + name).isFile())
    .filter((name) => statSync(ROOT + name).size <= MAX_BYTES);

it('no file that git knows contains a secret', () => {
  const names = files();
  expect(names.length).toBeGreaterThan(100);
  const found = names.flatMap((name) =>
    secretsIn(readFileSync(ROOT + name, 'utf8')).map((kind) => `${name}: ${kind}`),
  );
  expect(found).toEqual([]);
});

describe('the scan finds', () => {
  const letters = 'aB3'.repeat(20);
  // In pieces, so that the scan does not find them in this file.
  it.each([
    ['an AWS access key', `AKIA${'Q'.repeat(16)}`],
    ['an AWS secret key', `aws_secret_access_key = ${letters.slice(0, 40)}`],
    ['a private key', `-----BEGIN RSA ${'PRIVATE'} KEY-----`],
    ['a GitHub token', `ghp_${letters.slice(0, 36)}`],
    ['an npm token', `npm_${letters.slice(0, 36)}`],
  ])('%s', (kind, text) => expect(secretsIn(`x ${text} y`)).toContain(kind));

  it('a minted key of the product, and no made-up one', async () => {
    const { mintKey } = await import('../../core/access/keys.ts');
    const bytes = (count: number): Uint8Array => Uint8Array.from({ length: count }, (_, at) => at * 7);
    expect(secretsIn(mintKey('live', bytes))).toEqual(['a production key']);
    expect(secretsIn(mintKey('dev', bytes))).toEqual(['a development key']);
    expect(secretsIn(`pcd_live_${'0'.repeat(36)}`)).toEqual([]);
  });
});
