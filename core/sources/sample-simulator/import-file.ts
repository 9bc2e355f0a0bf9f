/** The sample's import values as its upstream writes them: one JSON file, a row of values for each code. */
import { z } from 'zod';
import type { TradeReport } from '../../calls/observation.ts';
import { isHsCode } from '../../reference/hs-code.ts';
import type { Instant, Month } from '../../reference/time.ts';
import { importSeries, SAMPLE_MEASURE } from './import-series.ts';

export const IMPORT_FILE_NAME = 'imports.json';

const importFile = z
  .object({
    measure: z.string().min(1),
    months: z.array(z.string().regex(/^\d{4}-(?:0[1-9]|1[0-2])$/)).min(1),
    /** US dollars by code, in the order of `months`. */
    series: z.record(z.string().refine(isHsCode, 'no HS code'), z.array(z.number().nonnegative())),
  })
  .refine(({ months, series }) => Object.values(series).every((row) => row.length === months.length), {
    message: 'a series does not have one value per month',
  });

/** The file's text with the values of `months` for every code of the sample. */
export function writeImportFile(months: readonly Month[], seed: number): string {
  const series = Object.fromEntries(importSeries(months, seed));
  return JSON.stringify({ measure: SAMPLE_MEASURE, months, series });
}

/** Parses the file; throws `ZodError` when it has another form. */
export function readImportFile(content: unknown, observedAt: Instant): TradeReport {
  const { measure, months, series } = importFile.parse(content);
  const values = Object.entries(series).flatMap(([code, row]) =>
    months.map((month, i) => ({ code, month, value: row[i] ?? 0 })),
  );
  return { kind: 'trade', measure, observedAt, values };
}
