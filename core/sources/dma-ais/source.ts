/** The Danish day files of positions as a source: port calls of Danish ports, three days late. */
import { readPlaces } from '../../ais/place-table.ts';
import { placesOf } from '../../ais/places.ts';
import { fetchNextDay, fetchPastDay } from '../day-fetch.ts';
import { dayReader } from '../day-step.ts';
import type { Source } from '../source.ts';
import { dmaAisDeclaration as declaration } from './declaration.ts';
import { DANISH_FORMAT, DMA, FILE_NAME } from './fetch.ts';
import places from './places.json' with { type: 'json' };

const { days, parse } = dayReader({
  format: DANISH_FORMAT,
  fileName: FILE_NAME,
  places: placesOf(readPlaces(places)),
});

export const dmaAis: Source = {
  declaration,
  fetch: (context) => fetchNextDay(DMA, context),
  days,
  parse,
  history: {
    hosts: declaration.hosts,
    fetchDay: (http, past, day) => fetchPastDay(DMA, http, past, day),
  },
};
