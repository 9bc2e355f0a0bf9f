/** The recorded tables of HS 85 and 94, checked against the sums of the files themselves. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { sharedPath } from '../../builders/shared-data.ts';
import { parseFiles, valuesOf } from './tables.ts';

const FOLDER = 'replay/us-census-trade/20210805T120000Z';
const recorded = sharedPath(FOLDER) === undefined ? describe.skip : describe;

recorded('recorded replies (skipped where the shared replay folder is absent)', () => {
  it('hold 102 months of two chapters, imports for consumption', () => {
    const files = Object.fromEntries(
      ['85', '94'].map((code) => {
        const name = `imports-hs-${code}.json`;
        return [name, new Uint8Array(readFileSync(sharedPath(`${FOLDER}/${name}`) ?? ''))];
      }),
    );
    const parsed = parseFiles(files, Date.parse('2021-08-05T12:00:00Z'));
    expect(parsed.refusals).toEqual([]);
    expect(parsed.reports).toHaveLength(1);
    const values = valuesOf(parsed, 'CON_VAL_MO') ?? [];
    expect(values).toHaveLength(204);
    expect(values[0]).toEqual({ code: '85', month: '2013-01', value: 23_065_582_370 });
    expect(values.filter(({ code }) => code === '94').at(-1)?.month).toBe('2021-06');
  });
});
