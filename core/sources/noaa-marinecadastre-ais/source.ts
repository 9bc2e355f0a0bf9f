/** NOAA's day files of positions as a source: port calls of US ports, months late. */
import { ANCHORAGE_AREAS } from '../../ais/anchorage-areas.ts';
import { readPlaces } from '../../ais/place-table.ts';
import { placesOf } from '../../ais/places.ts';
import { fetchNextDay, fetchPastDay } from '../day-fetch.ts';
import { dayReader } from '../day-step.ts';
import type { Source } from '../source.ts';
import { noaaMarinecadastreAisDeclaration as declaration } from './declaration.ts';
import { FILE_NAME, NOAA, NOAA_FORMAT } from './fetch.ts';
import places from './places.json' with { type: 'json' };

const { days, parse } = dayReader({
  format: NOAA_FORMAT,
  fileName: FILE_NAME,
  places: placesOf(readPlaces(places), ANCHORAGE_AREAS),
});

export const noaaMarinecadastreAis: Source = {
  declaration,
  fetch: (context) => fetchNextDay(NOAA, context),
  days,
  parse,
  history: {
    hosts: declaration.hosts,
    fetchDay: (http, past, day) => fetchPastDay(NOAA, http, past, day),
  },
};
