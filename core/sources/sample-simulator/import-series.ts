/** Monthly import values of the sample: level, trend, season, noise, and one step up or down every four years. */
import { z } from 'zod';
import type { TradeReport } from '../../calls/observation.ts';
import { HS_CHAPTERS, type HsCode, isHsCode } from '../../reference/hs-code.ts';
import { addMonths, DAY_MS, type Instant, type Month, monthOf, startOfDay } from '../../reference/time.ts';
import { logNormal, randomStream, standardNormal, uniform } from './random.ts';

/** Headings and subheadings of the sample, in addition to every chapter. */
const DETAILED_CODES: readonly HsCode[] = [
  ...['0203', '020329', '0803', '080390', '0901', '090111', '2204', '220421', '2709', '270900'],
  ...['3004', '300490', '4011', '401110', '6109', '610910', '6403', '640399', '7208', '720839'],
  ...['8471', '847130', '8517', '851713', '8542', '854231', '8703', '870323', '9401', '940161'],
];
/** Ascending, so that each code follows the one that it is part of. */
const SAMPLE_CODES: readonly HsCode[] = [...HS_CHAPTERS, ...DETAILED_CODES].sort();

/** US Census name of the general imports value of a month, in US dollars. */
const SAMPLE_MEASURE = 'GEN_VAL_MO';
/** Months in the first fetch: 36 index values need 12 + 2 more; two spare months test that older ones are dropped. */
export const MONTHS_HELD = 52;

const PUBLICATION_LAG_MS = 35 * DAY_MS;
const BREAK_CYCLE_MONTHS = 48;
const BASE_YEAR = 2020;
/** Standard deviation of a month's logarithm. */
const NOISE = 0.03;

const endOfMonth = (month: Month): Instant => startOfDay(`${addMonths(month, 1)}-01`);

/** The newest month published at `at`: about 35 days after a month's end. */
export function newestPublishedMonth(at: Instant): Month {
  let month = monthOf(at);
  while (endOfMonth(month) + PUBLICATION_LAG_MS > at) month = addMonths(month, -1);
  return month;
}

/** The `count` months that end with `newest`, oldest first. */
export const monthsUpTo = (newest: Month, count: number): Month[] =>
  Array.from({ length: count }, (_, i) => addMonths(newest, i - count + 1));

const monthNumber = (month: Month): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1;

/** The constants of a code's trade. */
interface TradeNature {
  /** A chapter's mean in US dollars; the share that a finer code has of the code two digits shorter. */
  readonly level: number;
  readonly swing: number;
  readonly peakMonth: number;
  readonly growthPerYear: number;
  /** Factor that applies in every other cycle, and the month of the cycle in which it begins or ends. */
  readonly step: number;
  readonly breakOffset: number;
}

/** Finer codes have only a share and a season of their own; trend and step are those of their chapter. */
function tradeNature(code: HsCode, seed: number): TradeNature {
  const random = randomStream(seed, 'import', code);
  const peakMonth = uniform(random, 0, 12);
  const breakOffset = Math.floor(uniform(random, 0, BREAK_CYCLE_MONTHS));
  if (code.length > 2) {
    const swing = uniform(random, 0.01, 0.06);
    return { level: uniform(random, 0.15, 0.6), swing, peakMonth, growthPerYear: 0, step: 1, breakOffset };
  }
  return {
    level: logNormal(random, 4e8, 1.1),
    swing: uniform(random, 0.03, 0.18),
    peakMonth,
    growthPerYear: uniform(random, -0.02, 0.06),
    step: random() < 0.5 ? uniform(random, 0.7, 0.85) : uniform(random, 1.2, 1.4),
    breakOffset,
  };
}

/** A chapter's value, or a finer code's share, in one month. */
function relativeValue(code: HsCode, nature: TradeNature, month: Month, seed: number): number {
  const number = monthNumber(month);
  const season = 1 + nature.swing * Math.cos((2 * Math.PI * (number - nature.peakMonth)) / 12);
  const trend = Math.exp((nature.growthPerYear * (number - BASE_YEAR * 12)) / 12);
  const cycle = Math.floor((number - nature.breakOffset) / BREAK_CYCLE_MONTHS);
  const step = cycle % 2 === 0 ? 1 : nature.step;
  const noise = Math.exp(NOISE * standardNormal(randomStream(seed, 'import', code, month)));
  return nature.level * season * trend * step * noise;
}

/** US dollars by code, in the order of `months`; a heading is part of its chapter, a subheading of its heading. */
function importSeries(months: readonly Month[], seed: number): Map<HsCode, number[]> {
  const exact = new Map<HsCode, number[]>();
  for (const code of SAMPLE_CODES) {
    const nature = tradeNature(code, seed);
    const whole = exact.get(code.slice(0, -2));
    exact.set(
      code,
      months.map((month, i) => (whole?.[i] ?? 1) * relativeValue(code, nature, month, seed)),
    );
  }
  return new Map(Array.from(exact, ([code, values]) => [code, values.map(Math.round)]));
}

// The sample's import values as its upstream writes them: one JSON file, a row of values for each code.

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
