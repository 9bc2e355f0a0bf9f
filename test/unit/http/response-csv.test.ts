import { describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csv } from '../../../core/http/response.ts';

const COLUMNS = ['name', 'value'];

describe('csv', () => {
  it('leaves a missing value empty and joins a list with spaces', () => {
    expect(csv(COLUMNS, [{ name: ['a', 'b'] }])).toBe('name,value\na b,\n');
    expect(csv(COLUMNS, [{ name: 'a', value: null }])).toBe('name,value\na,\n');
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
