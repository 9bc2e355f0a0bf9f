/** Open Waters as a source: call records from positions around ports, poll by poll. */
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
