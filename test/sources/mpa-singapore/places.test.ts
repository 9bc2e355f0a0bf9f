/** What the location names of Singapore stand for; most of them are of real due lists of 2020. */
import { expect, it } from '@jest/globals';
import { readPlaceZone } from '../../../core/sources/mpa-singapore/parse.ts';

const NAMES = {
  /** Passed under way, or of another port. */
  moving: [
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
    'BATAM',
    'KARIMUN',
    'TANJONG PELEPAS',
    'KARIMUN ANCHORAGE',
    'TANJONG PELEPAS BERTH 2',
  ],
  anchorage: [
    'EASTERN ANCHORAGE',
    'SUDONG SP PURP ANCH',
    'SUDONG PETRO HLDG ANCH',
    'EASTERN PETROL ANCH B',
    'RAFFLES PETRO ANCH',
    'WESTERN QUAR IMM ANCH',
    'ANCHORAGE OFF SHELL TERMINAL',
  ],
  berth: [
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
  ],
  unknown: ['SHELL BUKOM', 'KEPPEL SHIPYARD', 'GROUP P', 'EASTERN BUOY', 'SEATRIUM', ''],
};

it.each(Object.entries(NAMES).flatMap(([zone, names]) => names.map((name) => [name, zone] as const)))(
  '%j is %s',
  (name, zone) => {
    expect(readPlaceZone(name) ?? 'unknown').toBe(zone);
  },
);
