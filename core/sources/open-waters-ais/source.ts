/** Open Waters as a source: positions around ports, made into call records one poll after the other. */
import type { Source } from '../source.ts';
import { openWatersAisDeclaration } from './declaration.ts';
import { fetchVessels } from './fetch.ts';
import { parsePoll, stepPoll } from './step.ts';

export const openWatersAis: Source = {
  declaration: openWatersAisDeclaration,
  fetch: fetchVessels,
  step: stepPoll,
  parse: parsePoll,
};
