/** US Census international trade as a source: monthly import values by HS code. */
import type { Source } from '../source.ts';
import { usCensusTradeDeclaration } from './declaration.ts';
import { fetchTrade } from './fetch.ts';
import { parseTrade } from './parse.ts';

export const usCensusTrade: Source = {
  declaration: usCensusTradeDeclaration,
  fetch: fetchTrade,
  parse: parseTrade,
};
