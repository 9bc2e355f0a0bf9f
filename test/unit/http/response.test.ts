/** What a response is made of: CSV, its encoding and its tag. */

import { describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { ROUTES } from '../../../core/contracts/routes.ts';
import { FORMATS } from '../../../core/contracts/wire.ts';
import {
  acceptsGzip,
  compress,
  csv,
  entityTag,
  namesTag,
  representation,
} from '../../../core/http/response.ts';

const COLUMNS = ['name', 'value'];

describe('csv', () => {
  it('leaves a missing value empty and joins a list with spaces', () => {
    expect(csv(COLUMNS, [{ name: ['ab', 'c'] }])).toBe('name,value\nab c,\n');
    expect(csv(COLUMNS, [{ name: 'a', value: null }])).toBe('name,value\na,\n');
    expect(csv(COLUMNS, [{ name: [null, 'ab'], value: 3 }])).toBe('name,value\n ab,3\n');
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
    ['gzip', true],
    ['br, GZIP', true],
    ['deflate;q=1, gzip ; q=0.1', true],
    ['gzip;q=0', false],
    ['gzip;v=0;q=1', true],
    ['gzip; q=0.000, *', false],
    ['*', true],
    ['gzip;q=high', false],
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

it('a body is compressed from a kilobyte on', () => {
  expect([1023, 1024].map((length) => compress('x'.repeat(length)) !== undefined)).toEqual([false, true]);
});

const NOW = Date.UTC(2026, 10, 20, 12);

describe('a representation', () => {
  it.each([
    [[], 'no-store'],
    [[null], 'no-store'],
    [[null, '2026-11-20T12:00:00Z'], 'public, max-age=300'],
  ])('of ports as of %j is %s', (days, expected) => {
    const data = days.map((as_of) => ({ as_of }));
    const { headers } = representation(ROUTES.ports, { path: {}, query: {} }, data, NOW);
    expect(headers['Cache-Control']).toBe(expected);
  });

  it.each(['atom', 'jsonfeed'] as const)('as %s has the type of the feed', (format) => {
    const { headers } = representation(ROUTES.alertFeed, { path: {}, query: { format } }, [], NOW);
    expect(headers['Content-Type']).toBe(FORMATS[format]);
  });
});
