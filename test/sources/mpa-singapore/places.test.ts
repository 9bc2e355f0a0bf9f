/** What the location names of Singapore stand for; those of the first three tables are of real due lists of 2020. */
import { describe, expect, it } from '@jest/globals';
import { readPlaceZone } from '../../../core/sources/mpa-singapore/places.ts';

describe('a place', () => {
  it.each([
    'SEA',
    'AT SEA',
    'HIGH SEAS',
    'PILOT EAST BOARD GRD A',
    'PILOT EAST BOARD GRD B',
    'PILOT EAST BOARD GRD C',
    'PILOT WEST BOARD GRD A',
    'EASTERN BOARDING GROUND A',
    'GUSONG BOARDING GROUND',
    'DISEMB GRD EAST BOUND',
    'DISEMB GRD WEST BOUND',
    'DISEMB GRD SOUTH BOUND',
    'JOHORE SHOAL BUOY',
    'SINGAPORE FAIRWAY',
  ])('%s is passed under way', (place) => {
    expect(readPlaceZone(place)).toBe('moving');
  });

  it.each(['BATAM', 'KARIMUN', 'TANJONG PELEPAS', 'KARIMUN ANCHORAGE', 'TANJONG PELEPAS BERTH 2'])(
    '%s is another port',
    (place) => {
      expect(readPlaceZone(place)).toBe('moving');
    },
  );

  it.each([
    'EASTERN ANCHORAGE',
    'SUDONG SP PURP ANCH',
    'SUDONG PETRO HLDG ANCH',
    'EASTERN PETROL ANCH B',
    'RAFFLES PETRO ANCH',
    'WESTERN QUAR IMM ANCH',
    'ANCHORAGE OFF SHELL TERMINAL',
  ])('%s is an anchorage', (place) => {
    expect(readPlaceZone(place)).toBe('anchorage');
  });

  it.each([
    'BRANI TERMINAL BERTH 2',
    'PASIR PANJANG BERTH 09',
    'PASIR PANJANG P12',
    'P12',
    'TANJONG PAGAR TERMINAL',
    'SEMBAWANG WHARVES',
    'JURONG PORT WHARF',
    'KEPPEL DOCK',
    'TUAS DOCKS',
    'HORIZON JETTY 3',
    'VOPAK JETTIES',
  ])('%s is a berth', (place) => {
    expect(readPlaceZone(place)).toBe('berth');
  });

  it.each(['SHELL BUKOM', 'KEPPEL SHIPYARD', 'GROUP P', 'EASTERN BUOY', 'SEATRIUM', ''])(
    '%j is unknown',
    (place) => {
      expect(readPlaceZone(place)).toBeUndefined();
    },
  );
});
