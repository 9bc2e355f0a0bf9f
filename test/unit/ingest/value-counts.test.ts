/** What a publication of monthly values says of known ones. */
import { describe, expect, it } from '@jest/globals';
import { type PublishedSeries, valueCounts } from '../../../core/ingest/counts.ts';

type Values = Readonly<Record<string, number>>;
const series = (code: string, published: Values, known: Values = {}): PublishedSeries => ({
  code,
  measure: 'GEN_VAL_MO',
  values: Object.entries(published).map(([month, value]) => ({ code, month, value })),
  known: new Map(Object.entries(known)),
});
const KNOWN = { '2026-01': 5_000_001, '2026-02': 6_000_002, '2026-03': 7_000_003 };
const counts = (...of: PublishedSeries[]) =>
  valueCounts(of).map(({ list, changed, displaced }) => ({ list, changed, displaced }));

describe('values of a known series', () => {
  it('are counted as known, revised by more than a tenth, and changed at all', () => {
    const published = {
      '2026-01': 5_000_001,
      '2026-02': 6_000_003,
      '2026-03': 9_000_000,
      '2026-04': 8_000_004,
    };
    expect(valueCounts([series('85', published, KNOWN)])).toMatchObject([
      { list: 'HS2 GEN_VAL_MO', known: 3, revised: 1, stated: 4, strangers: 0, changed: 3, displaced: 0 },
    ]);
  });

  it('are displaced where they are those of the month before', () => {
    const late = { '2026-02': 5_000_001, '2026-03': 6_000_002, '2026-04': 7_000_003 };
    expect(counts(series('85', late, KNOWN))).toEqual([{ list: 'HS2 GEN_VAL_MO', changed: 3, displaced: 3 }]);
  });
});

describe('values of an unknown series', () => {
  it('are strangers, and displaced where another code has them', () => {
    const copied = [series('85', KNOWN, KNOWN), series('86', KNOWN)];
    expect(valueCounts(copied)).toMatchObject([
      { list: 'HS2 GEN_VAL_MO', known: 3, revised: 0, stated: 6, strangers: 3, changed: 3, displaced: 3 },
    ]);
  });

  it('may equal those of a code that they are the only part of', () => {
    expect(counts(series('85', KNOWN, KNOWN), series('8501', KNOWN))).toEqual([
      { list: 'HS2 GEN_VAL_MO', changed: 0, displaced: 0 },
      { list: 'HS4 GEN_VAL_MO', changed: 3, displaced: 0 },
    ]);
  });

  it('may equal small amounts by chance', () => {
    const small = { '2026-01': 1_200 };
    expect(counts(series('85', small, small), series('86', small))).toMatchObject([{ displaced: 0 }]);
  });
});

it('compares each new month of the chapters with the month before it and with the year before', () => {
  const year = { '2025-04': 4_000_000, '2026-03': 5_000_000 };
  const [{ months = [] } = {}] = valueCounts([
    series('84', { '2026-04': 6_000_000 }, year),
    series('85', { '2026-03': 5_000_000, '2026-04': 15_000_000 }, year),
    series('86', { '2026-04': 900_000 }, year),
  ]);
  expect(months).toEqual([
    { month: '2026-04', back: 1, chapters: 2, apart: 1, medianRatio: 2.1 },
    { month: '2026-04', back: 12, chapters: 2, apart: 1, medianRatio: 2.625 },
  ]);
});
