/** The built request: its address, its faults, and its way through the page's own query. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { csvColumnsOf } from '../../../core/contracts/route.ts';
import { OPERATION_IDS, ROUTES } from '../../../core/contracts/routes.ts';
import {
  asCsv,
  buildRequest,
  fromSearch,
  savedName,
  toSearch,
} from '../../../portal/request/built-request.ts';
import { exampleValues, fieldsOf } from '../../../portal/request/operation-form.ts';

describe('a built request', () => {
  it.each(OPERATION_IDS)('of %s with the example values is without fault', (operation) => {
    const request = buildRequest(operation, exampleValues(operation));
    expect(request.faults).toEqual({});
    expect(request.complete).toBe(true);
    expect(request.path).not.toMatch(/[{}]/);
    expect(request.authenticated).toBe(ROUTES[operation].authenticated);
  });

  it('has the path of the contract and only the parameters that are given', () => {
    const request = buildRequest('trend', {
      UNLOCODE: 'USLAX',
      window: '7d',
      days: '',
      format: 'csv',
      other: 'x',
    });
    expect(request.path).toBe('/v1/ports/USLAX/trend?window=7d&format=csv');
    expect(request.format).toBe('csv');
    expect(request.values).toEqual({ UNLOCODE: 'USLAX', window: '7d', format: 'csv' });
  });

  it('says what the API would refuse', () => {
    expect(buildRequest('trend', { UNLOCODE: 'USLAX' }).faults.window).toContain('window and days');
    expect(buildRequest('trend', { UNLOCODE: 'USLAX', window: '7d', days: '7' }).faults.window).toContain(
      'not both',
    );
    expect(buildRequest('trend', { UNLOCODE: 'USLAX', days: '31' }).faults.days).toContain('1 to 30');
    expect(buildRequest('snapshot', { UNLOCODE: 'uslax' }).faults.UNLOCODE).toContain('Did you mean USLAX?');
    const missing = buildRequest('hsImports', {});
    expect([missing.complete, missing.faults.code]).toEqual([false, 'code is required.']);
  });

  it('escapes whatever is typed, so that it stays one part of the path', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (typed) => {
        const { path } = buildRequest('snapshot', { UNLOCODE: typed });
        const [, part = ''] = /^\/v1\/ports\/([^/?#]*)\/snapshot$/.exec(path) ?? [];
        expect(decodeURIComponent(part)).toBe(typed);
      }),
    );
  });

  it('comes back from the query of the page', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...OPERATION_IDS),
        fc.string(),
        fc.constantFrom('', 'csv'),
        (operation, typed, format) => {
          const values = Object.fromEntries(
            fieldsOf(operation).map(({ name }) => [name, name === 'format' ? format : typed]),
          );
          const request = buildRequest(operation, values);
          const back = fromSearch(new URLSearchParams(toSearch(request)));
          if (Object.keys(request.values).length > 0) expect(back?.path).toBe(request.path);
          else expect(back?.operation).toBe(operation);
        },
      ),
    );
    expect(fromSearch(new URLSearchParams('?build=nothing'))).toBeUndefined();
    expect(fromSearch(new URLSearchParams('?port=USLAX'))).toBeUndefined();
  });

  it('has a CSV form where the contract has one', () => {
    for (const operation of OPERATION_IDS) {
      const csv = asCsv(buildRequest(operation, exampleValues(operation)));
      const csvColumns = csvColumnsOf(ROUTES[operation]);
      expect(csv?.format).toBe(csvColumns === undefined ? undefined : 'csv');
    }
    const trend = buildRequest('trend', { UNLOCODE: 'USLAX', days: '3' });
    expect(savedName(asCsv(trend) ?? trend)).toBe('USLAX-trend-3d.csv');
    expect(savedName(buildRequest('hsImports', { code: '85', format: 'csv' }))).toBe('85-imports.csv');
  });
});

describe('the fields', () => {
  it('take choices and defaults from the contract', () => {
    const field = (name: string) => fieldsOf('dwell').find((one) => one.name === name);
    expect(field('window')?.choices).toEqual(['7d', '14d', '30d']);
    expect(field('window')?.fallback).toBe('14d');
    expect(fieldsOf('trend').map(({ name, exclusive }) => [name, exclusive])).toEqual([
      ['UNLOCODE', false],
      ['window', true],
      ['days', true],
      ['until', false],
      ['format', false],
    ]);
  });
});
