/** OCEANS-X as a source: calls of Singapore with the stays that each vessel's movements state. */
import type { Source } from '../source.ts';
import { mpaSingaporeDeclaration } from './declaration.ts';
import { fetchSingapore } from './fetch.ts';
import { parseSingapore } from './parse.ts';

export const mpaSingapore: Source = {
  declaration: mpaSingaporeDeclaration,
  fetch: fetchSingapore,
  parse: parseSingapore,
};
