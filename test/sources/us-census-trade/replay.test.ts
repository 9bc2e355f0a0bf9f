/** The recorded tables of imports, checked against the sums of the files themselves. */
import { describe, expect, it } from '@jest/globals';
import { importMomentum } from '../../../core/metrics/import-momentum.ts';
import { recordedFetches } from '../../builders/recordings.ts';
import { parseFiles, valuesOf } from './tables.ts';

const parsed = recordedFetches('us-census-trade').map(({ files, fetchedAt }) =>
  parseFiles(Object.fromEntries(files), fetchedAt),
);
const valuesIn = (index: number, measure: string) => {
  const reply = parsed[index];
  if (reply === undefined) throw new Error('no recorded reply');
  return valuesOf(reply, measure) ?? [];
};

describe('recorded replies', () => {
  it('contain 102 months of all 98 chapters, imports for consumption', () => {
    const values = valuesIn(0, 'CON_VAL_MO');
    expect(values).toHaveLength(9996);
    expect(new Set(values.map(({ code }) => code)).size).toBe(98);
    expect(values.find(({ code }) => code === '85')).toEqual({
      code: '85',
      month: '2013-01',
      value: 23_065_582_370,
    });
    expect(values.filter(({ code }) => code === '94').at(-1)?.month).toBe('2021-06');
  });

  it('contain 24 months of five chapters, general imports, in a series of their own', () => {
    expect(parsed.map(({ observations, refusals }) => [observations.length, refusals.count])).toEqual([
      [1, 0],
      [1, 0],
    ]);
    const values = valuesIn(1, 'GEN_VAL_MO');
    expect([...new Set(values.map(({ code }) => code))]).toEqual(['27', '84', '85', '87', '95']);
    const machines = values
      .filter(({ code }) => code === '85')
      .map(({ month, value }) => [month, value] as const);
    // A year before is known for the second year alone: nothing of 2013 to 2021 takes its place.
    expect(importMomentum(new Map(machines)).map(({ month }) => month)).toEqual(
      Array.from({ length: 11 }, (_, index) => `2024-${String(index + 2).padStart(2, '0')}`),
    );
  });
});
