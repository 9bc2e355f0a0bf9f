/** Every row of the threat model names tests, and each of them exists. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OWASP = ['API1', 'API2', 'API3', 'API4', 'API5', 'API6', 'API7', 'API8', 'API9', 'API10'];

interface Threat {
  readonly risk: string;
  readonly checkedBy: string;
}

/** Rows of the tables whose last column names tests. */
function threatsIn(page: string): readonly Threat[] {
  const tables = page.split(/\n\n/).filter((block) => /^Risk \| .* \| Checked by\n/.test(block));
  return tables.flatMap((table) =>
    table
      .trim()
      .split('\n')
      .slice(2)
      .map((line) => line.split(' | '))
      .map((cells) => ({
        risk: cells[0] ?? '',
        checkedBy: cells.at(-1) ?? '',
      })),
  );
}

/** Tests that a row names which are not there; one that names none is wrong as a whole. */
function missingTests({ risk, checkedBy }: Threat): readonly string[] {
  const named = checkedBy.split('<br>').map((cell) => /^`(test\/[^`]+)` › (.+)$/.exec(cell));
  return named.flatMap((match) => {
    const [, file = '', title = ''] = match ?? [];
    if (file === '' || title.length < 8) return [`${risk}: no test in ${checkedBy.slice(0, 60)}`];
    if (!existsSync(ROOT + file)) return [`${risk}: ${file} is not there`];
    return readFileSync(ROOT + file, 'utf8').includes(title) ? [] : [`${risk}: ${file} has no "${title}"`];
  });
}

const threats = threatsIn(readFileSync(`${ROOT}docs/threat-model.md`, 'utf8'));

it('has a row for each of the ten, in order, and more', () => {
  expect(threats.map(({ risk }) => risk.split(' ')[0]).slice(0, OWASP.length)).toEqual(OWASP);
  expect(threats.length).toBeGreaterThan(OWASP.length);
});

it.each(threats.map((threat) => [threat.risk, threat] as const))(
  '%s is checked by tests that exist',
  (_, threat) => {
    expect(missingTests(threat)).toEqual([]);
  },
);

describe('a row is found wrong that', () => {
  it.each([
    ['names no test', 'our good will'],
    ['names a file that is not there', '`test/unit/nothing.test.ts` › some title'],
    [
      'names a title that is not there',
      '`test/architecture/threat-model.test.ts` › some title'.replace('some', 'no such'),
    ],
    ['names a file alone', '`test/architecture/threat-model.test.ts`'],
  ])('%s', (_, checkedBy) => expect(missingTests({ risk: 'x', checkedBy })).toHaveLength(1));
});
