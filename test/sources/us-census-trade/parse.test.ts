/** What is read out of Census tables, and what is refused. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { reasonsOf, refusalOf } from '../../builders/source-replies.ts';
import { FETCHED_AT, HEADER, parseFiles, parseRows, row, valuesOf } from './tables.ts';

describe('a table', () => {
  it('gives its values by code and month, as of the fetch', () => {
    const parsed = parseRows(row('85', '2026-01', '2'), row('84', '2026-01', '3'), row('85', '2025-12', '1'));
    expect(parsed.asOfAt).toBe(FETCHED_AT);
    expect(valuesOf(parsed)).toEqual([
      { code: '84', month: '2026-01', value: 3 },
      { code: '85', month: '2025-12', value: 1 },
      { code: '85', month: '2026-01', value: 2 },
    ]);
  });

  it('is read by the names of its columns', () => {
    const header = ['time', 'COMM_LVL', 'EXTRA', 'GEN_VAL_MO', 'CTY_NAME', 'I_COMMODITY'];
    const parsed = parseFiles({
      'a.json': [header, ['2026-01', 'HS2', null, '7', 'TOTAL FOR ALL COUNTRIES', '85']],
    });
    expect(valuesOf(parsed)).toEqual([{ code: '85', month: '2026-01', value: 7 }]);
  });

  it('may write year and month apart', () => {
    const header = ['I_COMMODITY', 'CTY_CODE', 'GEN_VAL_MO', 'YEAR', 'MONTH', 'COMM_LVL'];
    const parsed = parseFiles({ 'a.json': [header, ['27', '-', '5', '2025', '02', 'HS2']] });
    expect(valuesOf(parsed)).toEqual([{ code: '27', month: '2025-02', value: 5 }]);
  });

  it('may say twice what it was asked', () => {
    const header = [...HEADER, 'COMM_LVL', 'CTY_CODE'];
    expect(valuesOf(parseFiles({ 'a.json': [header, [...row(), 'HS2', '-']] }))).toHaveLength(1);
  });

  it('takes HS4 and HS6 codes, and zero as a value', () => {
    const parsed = parseRows(row('8517', '2026-01', '0'), row('851713', '2026-01', '9'));
    expect(valuesOf(parsed)?.map(({ code, value }) => [code, value])).toEqual([
      ['8517', 0],
      ['851713', 9],
    ]);
  });

  it('never adds up rows of countries and groups of them', () => {
    const parsed = parseRows(
      row('85', '2026-01', '100'),
      row('85', '2026-01', '60', '5700'),
      row('85', '2026-01', '90', '0022'),
    );
    expect(valuesOf(parsed)).toEqual([{ code: '85', month: '2026-01', value: 100 }]);
    expect(parsed.refusals.count).toBe(0);
  });
});

describe('measures', () => {
  it('are taken from the header and never spliced', () => {
    const consumption = ['I_COMMODITY', 'CTY_CODE', 'CON_VAL_MO', 'COMM_LVL', 'time'];
    const parsed = parseFiles({
      'a.json': [HEADER, row('85', '2026-01', '100')],
      'b.json': [consumption, row('85', '2025-12', '90')],
    });
    expect(valuesOf(parsed, 'GEN_VAL_MO')).toEqual([{ code: '85', month: '2026-01', value: 100 }]);
    expect(valuesOf(parsed, 'CON_VAL_MO')).toEqual([{ code: '85', month: '2025-12', value: 90 }]);
  });

  it('in one table are distinguished', () => {
    const parsed = parseFiles({
      'a.json': [
        [...HEADER, 'CON_VAL_MO'],
        [...row('85', '2026-01', '100'), '90'],
      ],
    });
    expect(valuesOf(parsed, 'CON_VAL_MO')?.[0]?.value).toBe(90);
    expect(valuesOf(parsed, 'GEN_VAL_MO')?.[0]?.value).toBe(100);
  });
});

describe('a row', () => {
  it.each([
    [row('77'), 'no-code'],
    [row('8x'), 'no-code'],
    [row(''), 'no-code'],
    [row('8517130000'), 'other-level'],
    [['85', '-', '1', 'HS4', '2026-01'], 'other-level'],
    [row('85', '2026-13'), 'no-month'],
    [row('85', '1066-10'), 'no-month'],
    [row('85', '2026-03'), 'future-month'],
    [row('85', '2026-04'), 'future-month'],
    [row('85', '2026-01', ''), 'no-value'],
    [row('85', '2026-01', '-5'), 'no-value'],
    [row('85', '2026-01', '1e9'), 'no-value'],
    [['85', '-', null, 'HS2', '2026-01'], 'no-value'],
    [['85', '-'], 'no-month'],
  ])('%j is left out as %s', (bad, reason) => {
    const parsed = parseRows(row('84'), bad);
    expect(reasonsOf(parsed)).toEqual([reason]);
    expect(valuesOf(parsed)).toHaveLength(1);
  });

  it('that contradicts another takes both out', () => {
    const parsed = parseRows(
      row('84'),
      row('85', '2026-01', '1'),
      row('85', '2026-01', '2'),
      row('85', '2026-01', '1'),
    );
    expect(reasonsOf(parsed)).toEqual(['contradiction']);
    expect(valuesOf(parsed)?.map(({ code }) => code)).toEqual(['84']);
  });

  it('that repeats another is the same row', () => {
    expect(parseRows(row(), row()).refusals.count).toBe(0);
  });
});

describe('a reply', () => {
  it.each([
    ['malformed', { error: 'none' }],
    ['malformed', [[1, 2]]],
    ['missing-field', [['I_COMMODITY', 'CTY_CODE', 'time']]],
    ['missing-field', [['COMMODITY', ...HEADER.slice(1)], row()]],
    ['missing-field', [[...HEADER.slice(0, -1), 'month'], row()]],
    ['missing-field', [[...HEADER.slice(0, -1), 'YEAR'], row()]],
    [
      'missing-field',
      [
        ['I_COMMODITY', 'GEN_VAL_MO', 'time'],
        ['85', '1', '2026-01'],
      ],
    ],
    ['nothing-usable', [HEADER]],
    ['nothing-usable', [HEADER, row('85', '2026-01', '1', '5700')]],
  ])('is refused as %s', (reason, content) => {
    expect(refusalOf(() => parseFiles({ 'imports-hs2.json': content }))).toBe(reason);
  });

  it('is refused when one table lacks a needed column', () => {
    const tables = { 'a.json': [HEADER, row()], 'b.json': [['CODE', ...HEADER.slice(1)], row()] };
    expect(refusalOf(() => parseFiles(tables))).toBe('missing-field');
  });

  it('counts its rows of all countries, and those that are left out', () => {
    const { lists } = parseRows(row(), row('85', '2026-01', '1', '5700'), row('84', '2026-01', '1,000'));
    expect(lists).toEqual([{ list: 'imports', rows: 2, refused: 1 }]);
  });

  it('that is broken costs only itself', () => {
    const parsed = parseFiles({ 'a.json': '<html>', 'b.json': [HEADER, row()] });
    expect(reasonsOf(parsed)).toEqual(['html']);
    expect(valuesOf(parsed)).toHaveLength(1);
  });

  it('without a table is refused', () => {
    expect(refusalOf(() => parseFiles({ 'notes.txt': 'x' }))).toBe('empty');
  });
});

/** Body of a reply of 16 August 2026 in a public log: one code, January to June 2013. The request did not name CTY_CODE. */
describe('a real reply', () => {
  const name = './samples/2026-08-16-hs6-854231.json';
  const real: readonly string[][] = JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));

  it('without a column of countries is refused, and the refusal says which columns it has', () => {
    expect(() => parseFiles({ 'imports-hs6.json': real })).toThrow(
      'imports-hs6.json has no CTY_CODE or CTY_NAME: GEN_VAL_MO,COMM_LVL,I_COMMODITY,time',
    );
  });

  it('is read in its own order of columns once each row says that it is of all countries', () => {
    const withCountry = real.map((cells, index) => [...cells, index === 0 ? 'CTY_CODE' : '-']);
    expect(valuesOf(parseFiles({ 'imports-hs6.json': withCountry }))).toEqual(
      [1167461768, 1196050876, 1260593174, 1307322176, 1608099447, 1419086979].map((value, index) => ({
        code: '854231',
        month: `2013-0${index + 1}`,
        value,
      })),
    );
  });
});
