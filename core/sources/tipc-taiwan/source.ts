/** TIPC's vessel lists as a source: calls of Taiwan's commercial ports, with anchoring and berthing times. */
import type { Source } from '../source.ts';
import { tipcTaiwanDeclaration } from './declaration.ts';
import { fetchPastDay, fetchTaiwan } from './fetch.ts';
import { parseTaiwan } from './parse.ts';

export const tipcTaiwan: Source = {
  declaration: tipcTaiwanDeclaration,
  fetch: fetchTaiwan,
  parse: parseTaiwan,
  history: { hosts: tipcTaiwanDeclaration.hosts, fetchDay: fetchPastDay },
};
