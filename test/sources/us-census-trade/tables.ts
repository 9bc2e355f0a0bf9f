/** Census tables and fetches in the API's own layout, for tests. */

import { parseTrade } from '../../../core/sources/us-census-trade/parse.ts';
import type { ParsedFetch } from '../../../core/upstream/source.ts';
import { filesOf } from '../../builders/source-replies.ts';

export const FETCHED_AT = Date.parse('2026-03-10T12:00:00Z');
export const HEADER = ['I_COMMODITY', 'CTY_CODE', 'GEN_VAL_MO', 'COMM_LVL', 'time'];

export const row = (code = '85', month = '2026-01', value = '1000', country = '-'): string[] => [
  code,
  country,
  value,
  `HS${code.length}`,
  month,
];

export const parseFiles = (contents: Record<string, unknown>, fetchedAt = FETCHED_AT): ParsedFetch =>
  parseTrade({ fetchedAt, files: filesOf(contents) });

export const parseRows = (...rows: unknown[]): ParsedFetch =>
  parseFiles({ 'imports-hs2.json': [HEADER, ...rows] });

export function valuesOf(parsed: ParsedFetch, measure = 'GEN_VAL_MO') {
  const report = parsed.observations.find((each) => each.kind === 'trade' && each.measure === measure);
  return report?.kind === 'trade' ? report.values : undefined;
}
