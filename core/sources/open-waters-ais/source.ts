/** Open Waters as a source: call records from positions around ports, poll by poll. */
import { POLL_PARAMETERS } from '../../ais/parameters.ts';
import type { Source } from '../source.ts';
import { openWatersAisDeclaration } from './declaration.ts';
import { fetchVessels } from './fetch.ts';
import { readPoll } from './poll.ts';
import { PORT_BOXES } from './ports.ts';
import { parsePoll, stepPoll } from './step.ts';

export const openWatersAis: Source = {
  declaration: openWatersAisDeclaration,
  fetch: fetchVessels,
  step: stepPoll,
  fixes: {
    parameters: POLL_PARAMETERS,
    regions: { world: PORT_BOXES },
    endOf: ({ fetchedAt }) => fetchedAt / 1000,
    push: (fetched, _region, sink) => {
      for (const fix of readPoll(fetched, PORT_BOXES).fixes) sink(fix);
    },
  },
  parse: parsePoll,
};
