/** Made-up monthly import values: level, season, trend, noise, and a step up or down every four years. */
import type { TradeReport } from '../../calls/observation.ts';
import { HS_CHAPTERS, type HsCode } from '../../reference/hs-code.ts';
import { addMonths, DAY_MS, type Instant, type Month, monthOf, startOfDay } from '../../reference/time.ts';
import { logNormal, randomStream, standardNormal, uniform } from './random.ts';

/** Headings and subheadings, in addition to every chapter. */
const DETAILED_CODES: readonly HsCode[] = [
  ...['0203', '020329', '0803', '080390', '0901', '090111', '2204', '220421', '2709', '270900'],
  ...['3004', '300490', '4011', '401110', '6109', '610910', '6403', '640399', '7208', '720839'],
  ...['8471', '847130', '8517', '851713', '8542', '854231', '8703', '870323', '9401', '940161'],
];

/** US Census name of the general imports value of a month, in US dollars. */
const MEASURE = 'GEN_VAL_MO';
/** Months in the first fetch: 36 index values need 12 + 2 more; two spare months test that older ones are dropped. */
const MONTHS_HELD = 52;
const PUBLICATION_LAG_MS = 35 * DAY_MS;
const CYCLE_MONTHS = 48;
/** Months from the year 0 to the year of the levels. */
const BASE_MONTH = 2020 * 12;
/** Standard deviation of a month's logarithm. */
const NOISE = 0.03;

/** The newest month published at `at`: about 35 days after a month's end. */
function newestMonth(at: Instant): Month {
  let month = monthOf(at);
  while (startOfDay(`${addMonths(month, 1)}-01`) + PUBLICATION_LAG_MS > at) month = addMonths(month, -1);
  return month;
}

/** A chapter's US dollars in a month, or the share that a finer code has of the code two digits shorter. */
function component(code: HsCode, seed: number): (month: Month) => number {
  const random = randomStream(seed, 'import', code);
  const isChapter = code.length === 2;
  const level = isChapter ? logNormal(random, 4e8, 1.1) : uniform(random, 0.15, 0.6);
  const swing = uniform(random, 0.03, isChapter ? 0.18 : 0.06);
  const peakMonth = uniform(random, 0, 12);
  const growthPerYear = isChapter ? uniform(random, -0.02, 0.06) : 0;
  const step = isChapter ? uniform(random, 0.75, 1.35) : 1;
  const stepOffset = uniform(random, 0, CYCLE_MONTHS);
  return (month) => {
    const months = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1;
    const season = 1 + swing * Math.cos((2 * Math.PI * (months - peakMonth)) / 12);
    const trend = Math.exp((growthPerYear * (months - BASE_MONTH)) / 12);
    const isStepped = Math.floor((months - stepOffset) / CYCLE_MONTHS) % 2 === 0;
    const noise = Math.exp(NOISE * standardNormal(randomStream(seed, 'import', code, month)));
    return level * season * trend * noise * (isStepped ? step : 1);
  };
}

/** The values published since the last fetch, 52 months the first time; undefined where there are none. */
export function importReport(
  lastFetchAt: Instant | undefined,
  now: Instant,
  seed: number,
): TradeReport | undefined {
  const newest = newestMonth(now);
  const known = lastFetchAt === undefined ? '' : newestMonth(lastFetchAt);
  const months = Array.from({ length: MONTHS_HELD }, (_, i) => addMonths(newest, i - MONTHS_HELD + 1)).filter(
    (month) => month > known,
  );
  if (months.length === 0) return undefined;
  const exact = new Map<HsCode, number[]>();
  for (const code of [...HS_CHAPTERS, ...DETAILED_CODES].sort()) {
    const part = component(code, seed);
    const whole = exact.get(code.slice(0, -2));
    exact.set(
      code,
      months.map((month, i) => (whole?.[i] ?? 1) * part(month)),
    );
  }
  const values = [...exact].flatMap(([code, row]) =>
    months.map((month, i) => ({ code, month, value: Math.round(row[i] ?? 0) })),
  );
  return { kind: 'trade', measure: MEASURE, observedAt: now, values };
}
