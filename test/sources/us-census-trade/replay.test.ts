/** The recorded tables of HS 85 and 94, checked against the sums of the files themselves. */
import { describe, expect, it } from '@jest/globals';
import { recordedFetches } from '../../builders/recordings.ts';
import { parseFiles, valuesOf } from './tables.ts';

describe('recorded replies', () => {
  it('contain 102 months of two chapters, imports for consumption', () => {
    const [fetched] = recordedFetches('us-census-trade');
    if (fetched === undefined) throw new Error('no recorded reply');
    const parsed = parseFiles(Object.fromEntries(fetched.files), fetched.fetchedAt);
    expect(parsed.refusals).toEqual([]);
    expect(parsed.reports).toHaveLength(1);
    const values = valuesOf(parsed, 'CON_VAL_MO') ?? [];
    expect(values).toHaveLength(204);
    expect(values[0]).toEqual({ code: '85', month: '2013-01', value: 23_065_582_370 });
    expect(values.filter(({ code }) => code === '94').at(-1)?.month).toBe('2021-06');
  });
});
