/** ANTAQ's berthing statistics as a source: exact waits of the Brazilian public ports, published months late. */
import type { Source } from '../source.ts';
import { antaqBerthingDeclaration } from './declaration.ts';
import { fetchBerthings, fetchPastDay } from './fetch.ts';
import { parseBerthings } from './parse.ts';

export const antaqBerthing: Source = {
  declaration: antaqBerthingDeclaration,
  fetch: fetchBerthings,
  parse: parseBerthings,
  history: { hosts: antaqBerthingDeclaration.hosts, fetchDay: fetchPastDay },
};
