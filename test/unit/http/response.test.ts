/** What a response is made of: CSV, its encoding and its tag. */

import { describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { acceptsGzip, csv, entityTag, namesTag } from '../../../core/http/response.ts';

const COLUMNS = ['name', 'value'];

describe('csv', () => {
  it('leaves a missing value empty and joins a list with spaces', () => {
    expect(csv(COLUMNS, [{ name: ['a', 'b'] }])).toBe('name,value\na b,\n');
    expect(csv(COLUMNS, [{ name: 'a', value: null }])).toBe('name,value\na,\n');
    expect(csv(COLUMNS, [{ name: [null, { from: 1, to: 2 }], value: 3 }])).toBe('name,value\n 1:2,3\n');
  });

  it('is read back cell for cell by a strict reader, whatever is in the cells', () => {
    const cell = fc.string({ unit: fc.constantFrom(...'ab,"\n\r =+-@\t') });
    fc.assert(
      fc.property(fc.array(fc.record({ name: cell, value: fc.integer() })), (rows) => {
        const read: string[][] = parse(csv(COLUMNS, rows), { record_delimiter: '\n', relax_quotes: false });
        expect(read).toEqual([COLUMNS, ...rows.map(({ name, value }) => [name, String(value)])]);
      }),
    );
  });
});

describe('acceptsGzip', () => {
  it.each([
    [undefined, false],
    ['', false],
    ['gzip', true],
    ['br, GZIP', true],
    ['deflate;q=1, gzip ; q=0.1', true],
    ['gzip;q=0', false],
    ['gzip; q=0.000, *', false],
    ['*', true],
    ['*;q=0', false],
    ['gzip;q=high', false],
    ['identity', false],
    ['xgzip', false],
  ])('of %j is %s', (header, expected) => {
    expect(acceptsGzip(header)).toBe(expected);
  });
});

describe('namesTag', () => {
  const tag = entityTag('body');

  it.each([
    ['*', true],
    [' * ', true],
    [undefined, false],
    ['', false],
    [tag.slice(1, -1), false],
    ['"*"', false],
  ])('of %j is %s', (header, expected) => {
    expect(namesTag(header, tag)).toBe(expected);
  });
});
