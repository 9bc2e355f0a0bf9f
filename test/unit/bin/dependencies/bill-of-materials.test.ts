import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { billOfMaterials } from '../../../../bin/dependencies/bill-of-materials.ts';
import { readLockFile } from '../../../../bin/dependencies/lock-file.ts';

interface Bill {
  readonly components: readonly Record<string, unknown>[];
  readonly dependencies: readonly { ref: string; dependsOn: readonly string[] }[];
  readonly serialNumber: string;
  readonly metadata: { readonly component: Record<string, unknown> };
}
const LOCK_FILE = new URL('../../../../package-lock.json', import.meta.url);
const DIGEST = Buffer.from('digest').toString('base64');

/** A project on `a` and, to develop, `@s/b`, which brings an `a` of its own. */
const lock = {
  lockfileVersion: 3,
  name: 'project',
  packages: {
    '': { version: '0.1.0', dependencies: { a: '1' }, devDependencies: { '@s/b': '2' } },
    'node_modules/a': { version: '1.0.0', license: 'MIT', integrity: `sha512-${DIGEST}` },
    'node_modules/@s/b': {
      version: '2.0.0',
      license: '(MIT OR ISC)',
      dev: true,
      dependencies: { a: '3', c: '1' },
    },
    'node_modules/@s/b/node_modules/a': {
      version: '3.0.0',
      license: 'MIT',
      dev: true,
      dependencies: { c: '1' },
    },
    'node_modules/c': { version: '1.0.0', license: 'MIT', dev: true },
  },
};

function billOf(content: object): Bill {
  const folder = mkdtempSync(join(tmpdir(), 'lock-'));
  const file = join(folder, 'package-lock.json');
  writeFileSync(file, JSON.stringify(content));
  try {
    return billOfMaterials(readLockFile(file)) as Bill;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it('lists every package once, with what is known of it', () => {
  expect(billOf(lock).components).toEqual([
    {
      type: 'library',
      'bom-ref': 'pkg:npm/%40s/b@2.0.0',
      group: '@s',
      name: 'b',
      version: '2.0.0',
      scope: 'excluded',
      licenses: [{ expression: '(MIT OR ISC)' }],
      purl: 'pkg:npm/%40s/b@2.0.0',
    },
    {
      type: 'library',
      'bom-ref': 'pkg:npm/a@1.0.0',
      name: 'a',
      version: '1.0.0',
      scope: 'required',
      hashes: [{ alg: 'SHA-512', content: Buffer.from('digest').toString('hex') }],
      licenses: [{ license: { id: 'MIT' } }],
      purl: 'pkg:npm/a@1.0.0',
    },
    expect.objectContaining({ 'bom-ref': 'pkg:npm/a@3.0.0', scope: 'excluded' }),
    expect.objectContaining({ 'bom-ref': 'pkg:npm/c@1.0.0', scope: 'excluded' }),
  ]);
});

it('says what each finds when it asks: the nearest place first', () => {
  expect(billOf(lock).dependencies).toEqual([
    { ref: 'pkg:npm/%40s/b@2.0.0', dependsOn: ['pkg:npm/a@3.0.0', 'pkg:npm/c@1.0.0'] },
    { ref: 'pkg:npm/a@1.0.0', dependsOn: [] },
    { ref: 'pkg:npm/a@3.0.0', dependsOn: ['pkg:npm/c@1.0.0'] },
    { ref: 'pkg:npm/c@1.0.0', dependsOn: [] },
    { ref: 'pkg:npm/project@0.1.0', dependsOn: ['pkg:npm/%40s/b@2.0.0', 'pkg:npm/a@1.0.0'] },
  ]);
});

it('follows from the lock file alone, and changes with it', () => {
  expect(billOf(lock)).toEqual(billOf(lock));
  const other = { ...lock, packages: { ...lock.packages, 'node_modules/d': { version: '1.0.0' } } };
  expect(billOf(other).serialNumber).not.toBe(billOf(lock).serialNumber);
  expect(billOf(lock).serialNumber).toMatch(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});

it('of this product names references that exist, and only production is required', () => {
  const { components, dependencies, metadata } = billOfMaterials(readLockFile(LOCK_FILE)) as Bill;
  const references = new Set([metadata.component, ...components].map((one) => one['bom-ref']));
  expect(references.size).toBe(components.length + 1);
  for (const { ref, dependsOn } of dependencies)
    expect([ref, ...dependsOn].filter((one) => !references.has(one))).toEqual([]);
  const scopeOf = (name: string) => components.find((one) => one.name === name)?.scope;
  expect([scopeOf('fflate'), scopeOf('typescript')]).toEqual(['required', 'excluded']);
});
