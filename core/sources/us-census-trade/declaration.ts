/** The declaration of the US Census international trade series: licence, schedule and limits. */
import type { SourceDeclaration } from '../../upstream/source.ts';

const DAY_MINUTES = 24 * 60;
const MEGABYTE = 1_000_000;

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
  kind: 'trade',
  partitionedBy: 'hs-chapter',
  ports: [],
  hosts: ['api.census.gov'],
  maxReplyBytes: 24 * MEGABYTE,
  maxRows: 200_000,
  fields: [],
  secret: 'CENSUS_API_KEY',
};
