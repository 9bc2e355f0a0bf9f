/** The declaration of the US Census international trade series: licence, schedule and limits. */
import { fieldsOf, WHOLE_NUMBER } from '../../upstream/fields.ts';
import { MEGABYTE, type SourceDeclaration } from '../../upstream/source.ts';

/** Import measures in US dollars a month. General imports and imports for consumption are different things. */
export const MEASURES = ['GEN_VAL_MO', 'CON_VAL_MO'] as const;

/** The columns that a table must have: one of each line. */
export const NEEDED_COLUMNS: readonly (readonly [columns: readonly string[], form: string])[] = [
  [['I_COMMODITY'], 'HS code of 2, 4 or 6 digits'],
  [['CTY_CODE', 'CTY_NAME'], '- or TOTAL FOR ALL COUNTRIES; rows of others are passed over'],
  [['time', 'YEAR'], 'month "YYYY-MM"; the year alone in YEAR'],
  [['time', 'MONTH'], 'month "YYYY-MM"; two digits in MONTH'],
  [MEASURES, WHOLE_NUMBER.form],
];

/** Name of a table, whatever its level and span, in counts. */
export const TABLE = 'imports';

const DAY_MINUTES = 24 * 60;
const KEY_ADVICE = 'the key is refused: check CENSUS_API_KEY';

export const usCensusTradeDeclaration: SourceDeclaration = {
  id: 'us-census-trade',
  name: 'US international trade, imports by Harmonized System code',
  publisher: 'US Census Bureau',
  homepage: 'https://www.census.gov/data/developers/data-sets/international-trade.html',
  licence: 'CC0 1.0 (US Government work)',
  attribution:
    'This product uses the Census Bureau Data API but is not endorsed or certified by the Census Bureau.',
  everyMinutes: DAY_MINUTES,
  freshnessBudgetMinutes: 3 * DAY_MINUTES,
  // The newest month ended 111 days earlier when a shutdown of the government held the releases of 2025 up.
  silence: { of: 'events', maxHours: 150 * 24 },
  kind: 'trade',
  ports: [],
  hosts: ['api.census.gov'],
  maxReplyBytes: 24 * MEGABYTE,
  maxRows: 200_000,
  fields: fieldsOf(
    TABLE,
    Object.fromEntries(NEEDED_COLUMNS.map(([columns, form]) => [columns.join(' or '), form])),
  ),
  secret: 'CENSUS_API_KEY',
  // A wrong key is redirected to a web page with status 200; the page of the firewall concerns the one request.
  wholeAnswers: [
    { header: ['x-datawebapi-keyerror', /./], reason: 'key-refused', advice: KEY_ADVICE },
    { header: ['location', /\b(?:invalid|missing)_key\b/], reason: 'key-refused', advice: KEY_ADVICE },
    { text: /^\s*<[\s\S]*<title>\s*(?:invalid|missing) key/i, reason: 'key-refused', advice: KEY_ADVICE },
  ],
};
