/** The check of words: each construction that it refuses, and plain text that it lets pass. */
import { describe, expect, it } from '@jest/globals';
import { AVOIDED, wordFaults } from '../../../../tools/check/words.ts';

const PATH = 'core/metrics/waits.ts';

const PLANTED: readonly [text: string, words: string][] = [
  ['/** An alert is told once. */', 'told'],
  ['The figures are computed anew.', 'anew'],
  ['Make the plan afresh.', 'afresh'],
  ['Nobody reads the log.', 'Nobody'],
  ['lest it fails', 'lest'],
  ['// A fault is no failure.', 'is no failure'],
  ["it('names what are no keys', () => {", 'are no keys'],
  ['A figure of so many decimals.', 'so many'],
  ['It keeps the file of before.', 'of before'],
  ['The end from before its start.', 'from before'],
  ['The vessels of then.', 'of then'],
  ['Ports of which nothing is known.', 'of which'],
  ['/** Of a closure: when it began. */', 'Of a'],
  ['The gate stands open.', 'stands open'],
  ['A vessel that was heard today.', 'heard'],
];

describe('the check of words', () => {
  it.each(PLANTED)('refuses %j', (text, words) => {
    expect(wordFaults(`const plain = 1;\n${text}\n`, PATH)).toEqual([
      { line: 2, words, instead: expect.any(String) },
    ]);
  });

  it('has a planted sentence for every construction', () => {
    expect(PLANTED).not.toHaveLength(0);
    for (const { words } of AVOIDED) expect(PLANTED.some(([text]) => text.match(words))).toBe(true);
  });

  it('finds a construction that goes over two lines of a comment, at its first line', () => {
    const text = '/**\n * A plan that has no tier is\n * no plan, and a list has so\n * many rows.\n */\n';
    expect(wordFaults(text, PATH).map(({ line, words }) => [line, words])).toEqual([
      [2, 'is no plan'],
      [3, 'so many'],
    ]);
  });

  it('lets plain English and code pass', () => {
    const text = [
      'throw new Error(`there is no plan gold`);',
      '// There\n// are no rows. The plan is no longer there.',
      'for (const row of before) write(row);',
      'for (const row of before.values()) write(row);',
      '/** Returns the ports without data. */',
    ].join('\n');
    expect(wordFaults(text, PATH)).toEqual([]);
  });

  it('lets receivers hear', () => {
    expect(wordFaults('the vessels heard', 'core/positions/steps.ts')).toEqual([]);
  });
});
