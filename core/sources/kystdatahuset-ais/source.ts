/** Kystdatahuset as a source: call records from positions in Norwegian waters, poll by poll. */

import { placesOf, readPlaces } from '../../ais/places.ts';
import { pollReader } from '../positions/poll-step.ts';
import type { Source } from '../source.ts';
import {
  CANARY_PORTS,
  kystdatahusetAisDeclaration as declaration,
  NORWEGIAN_BOXES,
  NORWEGIAN_WATERS,
} from './declaration.ts';
import { fetchPastDay, fetchVessels, VESSELS_FILE } from './fetch.ts';
import places from './places.json' with { type: 'json' };
import { decodeKystdatahuset } from './snapshot.ts';

export const kystdatahusetAis = {
  declaration,
  fetch: fetchVessels,
  ...pollReader(
    {
      declaration,
      boxes: NORWEGIAN_BOXES,
      area: NORWEGIAN_WATERS,
      canaryPorts: CANARY_PORTS,
      vesselsFile: VESSELS_FILE,
      decode: decodeKystdatahuset,
      places: placesOf(readPlaces(places)),
    },
    'norway',
  ),
  history: { hosts: declaration.hosts, fetchDay: fetchPastDay },
} satisfies Source;
