/** PORT-MIS as a source: calls of the Korean ports from the log of vessel traffic control. */
import type { Source } from '../source.ts';
import { portmisKoreaDeclaration } from './declaration.ts';
import { fetchPortMis } from './fetch.ts';
import { parsePortMis } from './parse.ts';

export const portmisKorea: Source = {
  declaration: portmisKoreaDeclaration,
  fetch: fetchPortMis,
  parse: parsePortMis,
};
