/** Open Waters as a source: call records from positions around ports, poll by poll. */

import { placesOf, readPlaces } from '../../ais/places.ts';
import { ANCHORAGE_AREAS } from '../../ais/port-areas.ts';
import type { PollFeed } from '../positions/poll-read.ts';
import { type PollReader, pollReader } from '../positions/poll-step.ts';
import type { PollSource } from '../source.ts';
import {
  CANARY_PORTS,
  COMPARED_BOXES,
  openWatersAisDeclaration as declaration,
  feedOf,
  PORT_APPROACHES,
  PORT_BOXES,
} from './declaration.ts';
import { fetchVessels, VESSELS_FILE } from './fetch.ts';
import places from './places.json' with { type: 'json' };
import { decodeOpenWaters } from './snapshot.ts';

export const OPEN_WATERS_FEED: PollFeed = {
  declaration,
  boxes: PORT_BOXES,
  comparedBoxes: COMPARED_BOXES,
  approaches: PORT_APPROACHES,
  canaryPorts: CANARY_PORTS,
  vesselsFile: VESSELS_FILE,
  decode: decodeOpenWaters,
  feedOf,
  places: placesOf(readPlaces(places), ANCHORAGE_AREAS),
};

type OpenWaters = Omit<PollSource, 'without'> &
  PollReader & { without(feeds: readonly string[]): OpenWaters };

const sourceOf = (feed: PollFeed): OpenWaters => ({
  declaration,
  fetch: fetchVessels,
  ...pollReader(feed, 'world'),
  without: (excludedFeeds) => sourceOf({ ...OPEN_WATERS_FEED, excludedFeeds }),
});

export const openWatersAis = sourceOf(OPEN_WATERS_FEED);
