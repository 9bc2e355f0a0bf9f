/** Every statement of the interface specification has a test that carries its id, or a reason why it cannot have one. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { sharedPath } from '../builders/shared-data.ts';

const TESTS = fileURLToPath(new URL('..', import.meta.url));

/** Number of statements by section of the specification. */
const STATEMENTS: Readonly<Record<number, number>> = {
  1: 5,
  2: 39,
  3: 1,
  4: 57,
  5: 18,
  6: 1,
  7: 14,
  8: 17,
  9: 6,
};

const allIds = Object.entries(STATEMENTS).flatMap(([section, count]) =>
  Array.from({ length: count }, (_, i) => `S${section}.${String(i + 1).padStart(2, '0')}`),
);

/** Statements that no test shows, and why. */
const NOT_COVERED: Readonly<Record<string, string>> = {};

const testFiles = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.test.ts'),
);
const covered = new Set(
  testFiles.flatMap((name) =>
    [...readFileSync(join(TESTS, name), 'utf8').matchAll(/\[(S\d\.\d\d)\]/g)].map(([, id]) => id),
  ),
);

describe('the checklist of the specification', () => {
  it('is covered, statement by statement', () => {
    const missing = allIds.filter((id) => !covered.has(id) && NOT_COVERED[id] === undefined);
    expect(missing).toEqual([]);
  });

  it('names no statement that is not in it, and excuses none that is covered', () => {
    expect([...covered].filter((id) => id !== undefined && !allIds.includes(id))).toEqual([]);
    expect(Object.keys(NOT_COVERED).filter((id) => covered.has(id))).toEqual([]);
  });

  const checklist = sharedPath('spec/checklist.md');
  (checklist === undefined ? it.skip : it)(
    'is the one that is published (skipped without the published file)',
    () => {
      const published = [...readFileSync(checklist ?? '', 'utf8').matchAll(/^\| (S\d\.\d\d) /gm)].map(
        ([, id]) => id,
      );
      expect(published).toEqual(allIds);
    },
  );
});
