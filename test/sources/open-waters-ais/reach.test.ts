/** What the list of ports promises: their berths and anchorages are asked for, and count for them. */
import { describe, expect, it } from '@jest/globals';
import { fixedDegrees } from '../../../core/positions/geometry.ts';
import {
  ANCHORAGE_AREAS,
  isInside,
  NAUTICAL_MILE,
  portsBehind,
  REPORTED_GROUNDS,
  stayPorts,
} from '../../../core/positions/port-areas.ts';
import { PORTS } from '../../../core/reference/ports.ts';
import {
  OPEN_WATERS_PORTS,
  POLLED_AREAS,
  PORT_APPROACHES,
  PORT_BOXES,
} from '../../../core/sources/open-waters-ais/declaration.ts';
import type { ArchivedFetch } from '../../../core/upstream/source.ts';
import { extent } from '../../builders/extent.ts';
import { collection, files } from '../../builders/geojson-feed.ts';
import { canaries, feature, stepsOver } from './polls.ts';

const ASSIGNED = stayPorts(PORTS, PORT_BOXES);
const BERTH_METRES = 20 * NAUTICAL_MILE;

type Spot = readonly [port: string, name: string, latitude: number, longitude: number];

const positionOf = ([, , latitude, longitude]: Spot) => ({
  latitude: fixedDegrees(latitude),
  longitude: fixedDegrees(longitude),
});

/** Terminals as charts and port authorities name them, to about a kilometre. */
const BERTHS: readonly Spot[] = [
  ['NLRTM', 'Maasvlakte 2', 51.955, 3.995],
  ['NLRTM', 'Europoort', 51.94, 4.13],
  ['NLRTM', 'Waalhaven', 51.885, 4.44],
  ['NLMOE', 'Moerdijk', 51.68, 4.59],
  ['BEANR', 'Deurganckdok', 51.295, 4.26],
  ['BEANR', 'Delwaidedok', 51.32, 4.33],
  ['DEHAM', 'Altenwerder', 53.503, 9.935],
  ['DEBRV', 'Container terminal 4', 53.6, 8.51],
  ['CNSGH', 'Yangshan', 30.62, 122.07],
  ['CNSGH', 'Waigaoqiao', 31.35, 121.62],
  ['CNNBO', 'Beilun', 29.935, 121.87],
  ['CNNBO', 'Meishan', 29.77, 121.98],
  ['CNNBO', 'Chuanshan', 29.89, 122.06],
  ['CNGGZ', 'Nansha', 22.64, 113.67],
  ['CNGGZ', 'Huangpu', 23.05, 113.5],
  ['CNSHK', 'Chiwan', 22.475, 113.885],
  ['CNYTN', 'Yantian', 22.57, 114.27],
  ['VNHPH', 'Lach Huyen', 20.8, 106.91],
  ['VNPHU', 'Cai Mep', 10.53, 107.03],
  ['VNSGN', 'Cat Lai', 10.76, 106.79],
  ['MYPKG', 'Westports', 2.94, 101.31],
  ['JPCHB', 'Chiba', 35.58, 140.08],
  ['JPYOK', 'Honmoku', 35.43, 139.68],
  ['JPYOK', 'Daikoku', 35.463, 139.69],
  ['JPYOK', 'Minami Honmoku', 35.405, 139.69],
  ['JPKWS', 'Higashi Ogishima', 35.49, 139.76],
  ['USHOU', 'Barbours Cut', 29.683, -94.998],
  ['USHOU', 'Bayport', 29.612, -94.997],
  ['USHOU', 'Turning Basin', 29.748, -95.288],
  ['USLAX', 'Pier 400', 33.735, -118.25],
  ['USLGB', 'Pier E', 33.757, -118.205],
  ['USNYC', 'Port Newark', 40.685, -74.155],
  ['USMSY', 'Napoleon Avenue', 29.91, -90.11],
  ['AEFJR', 'Fujairah', 25.18, 56.36],
  ['ESALG', 'Algeciras', 36.13, -5.43],
];

/** Roadsteads as the documents named beside each approach describe them. */
const ROADSTEADS: readonly Spot[] = [
  ['NLRTM', 'anchorage 4', 52.05, 3.65],
  ['NLRTM', 'anchorage 5', 52.13, 3.9],
  ['NLAMS', 'IJmuiden', 52.5, 4.3],
  ['BEANR', 'Westhinder', 51.38, 2.55],
  ['BEANR', 'Schouwenbank', 51.75, 3.3],
  ['BEANR', 'Everingen', 51.4, 3.72],
  ['DEHAM', 'deep-water roads west of Helgoland', 54.08, 7.6],
  ['DEHAM', 'Neue Weser roads', 53.9, 7.85],
  ['CNSGH', 'Yangtze mouth', 31.1, 122.5],
  ['CNNBO', 'Xiazhimen', 29.7, 122.5],
  ['CNGGZ', 'Guishan', 22.13, 113.83],
  ['VNSGN', 'Vung Tau', 10.25, 107.05],
  ['THBKK', 'Ko Sichang', 13.15, 100.78],
  ['GBIMM', 'Humber deep-water anchorage', 53.6, 0.45],
  ['GBLIV', 'Liverpool Bar', 53.53, -3.4],
  ['RULED', 'west of Kotlin', 60.0, 29.4],
  ['AUPHE', 'outer anchorages', -19.85, 118.5],
  ['USHOU', 'Bolivar Roads', 29.355, -94.76],
  ['USHOU', 'Galveston fairway anchorage', 29.17, -94.55],
  ['USMSY', 'Southwest Pass', 28.85, -89.35],
  ['USNYC', 'Ambrose anchorage', 40.5, -73.65],
  ['INBOM', 'anchorage Bravo', 18.74, 72.55],
  ['IDSUB', 'pilot anchorage', -6.929, 112.729],
];

/** Not counted, however near a box is. */
const BESIDE: readonly Spot[] = [
  ['DEWVN', 'JadeWeserPort', 53.59, 8.155],
  ['USTXT', 'Texas City', 29.376, -94.9],
  ['USGLS', 'Galveston', 29.31, -94.8],
  ['HKHKG', 'Kwai Tsing', 22.335, 114.12],
  ['SGSIN', 'Tuas', 1.24, 103.64],
];

describe('the areas of a poll', () => {
  it.each([...BERTHS, ...ROADSTEADS])('have %s %s', (...spot) => {
    const areas = POLLED_AREAS.filter((area) => isInside(area, positionOf(spot)));
    expect(areas.flatMap(({ ports }) => ports)).toContain(spot[0]);
  });

  it.each(BERTHS)('count a berth of %s for it: %s', (...spot) => {
    const { latitude, longitude } = positionOf(spot);
    expect(ASSIGNED.within(latitude, longitude, BERTH_METRES)).toBe(spot[0]);
  });

  it.each(ROADSTEADS)('count a wait for %s for it until a berth is known: %s', (...spot) => {
    const { latitude, longitude } = positionOf(spot);
    expect(portsBehind(PORT_APPROACHES, latitude, longitude)[0]).toBe(spot[0]);
  });

  it.each(BESIDE)('leave %s to itself: %s', (...spot) => {
    const { latitude, longitude } = positionOf(spot);
    const found = ASSIGNED.within(latitude, longitude, BERTH_METRES);
    expect(found).toBe(spot[0]);
    expect(OPEN_WATERS_PORTS).not.toContain(found);
  });

  it('have every corner of the anchorage areas of their ports', () => {
    const counted = new Set(OPEN_WATERS_PORTS);
    const areas = ANCHORAGE_AREAS.filter(({ ports }) => ports.some((port) => counted.has(port)));
    expect(areas.length).toBeGreaterThan(5);
    for (const { corners } of areas)
      for (const [latitude = 0, longitude = 0] of corners) {
        const position = { latitude: fixedDegrees(latitude), longitude: fixedDegrees(longitude) };
        expect(POLLED_AREAS.some((area) => isInside(area, position))).toBe(true);
      }
  });
});

describe('the approaches', () => {
  it('are of covered ports, with a reason and a source, and terminals are of one port', () => {
    expect(new Set(PORT_APPROACHES.map(({ name }) => name)).size).toBe(PORT_APPROACHES.length);
    const reported = new Set(REPORTED_GROUNDS.map(({ name }) => name));
    for (const { name, kind, ports, reason, source, reviewed, south, west, north, east } of PORT_APPROACHES) {
      expect(reviewed).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(ports.length).toBeGreaterThan(0);
      if (kind === 'terminals') expect(ports).toHaveLength(1);
      expect(reason.length).toBeGreaterThan(20);
      if (!reported.has(name))
        expect(source).toMatch(/Sailing Directions Pub\. \d{3}|Coast Pilot \d|33 CFR|\d+ FR \d+/);
      expect(north).toBeGreaterThan(south);
      expect(east).toBeGreaterThan(west);
    }
  });
});

const MINUTE = 60_000;
const STARTED_AT = Date.parse('2026-03-10T00:00:00Z');

/** Polls of one cargo vessel: at anchor, under way out of reach, and alongside; hours from the first poll. */
function* voyage(
  anchorage: readonly [number, number],
  berth: readonly [number, number],
  { sails, berths, ends }: { readonly sails: number; readonly berths: number; readonly ends: number },
): Generator<ArchivedFetch> {
  for (let minute = 0; minute <= ends * 60; minute += extent(15, 5)) {
    const fetchedAt = STARTED_AT + minute * MINUTE;
    const [isAnchored, isAlongside] = [minute < sails * 60, minute >= berths * 60];
    const angle = (minute / 60) * 1.3;
    const [north, east] = isAnchored ? anchorage : berth;
    const swing = isAnchored ? 0.002 : 0;
    const vessel = feature(fetchedAt, {
      latitude: north + swing * Math.sin(angle),
      longitude: east + swing * Math.cos(angle),
      sog: isAnchored ? 0.2 : 0,
      heading: isAnchored ? Math.round(180 + 60 * Math.sin(angle)) : 90,
      nav_status: isAnchored ? 1 : 5,
    });
    const seen = isAnchored || isAlongside ? [vessel] : [];
    yield { fetchedAt, files: files({ 'vessels-1.geojson': collection([...seen, ...canaries(fetchedAt)]) }) };
  }
}

/** The newest record of each call that was not withdrawn, as `port: zones`. */
function callsOf(polls: Iterable<ArchivedFetch>): string[] {
  const calls = new Map<string, string>();
  for (const { observations } of stepsOver(polls))
    for (const report of observations)
      if (report.kind === 'call-batch')
        for (const { callId, stops, cancelled } of report.records) {
          const key = `${report.port} ${callId}`;
          if (cancelled) calls.delete(key);
          else calls.set(key, `${report.port}: ${stops.map(({ zone }) => zone).join(' ')}`);
        }
  return [...calls.values()];
}

describe('a vessel that waits at sea', () => {
  it('is a wait of Rotterdam while it is there, and one call with its berth at the Maasvlakte', () => {
    const way = { sails: 8, berths: 10 };
    expect(callsOf(voyage([52.05, 3.65], [51.955, 4.02], { ...way, ends: 7 }))).toEqual(['NLRTM: anchorage']);
    expect(callsOf(voyage([52.05, 3.65], [51.955, 4.02], { ...way, ends: 14 }))).toEqual([
      'NLRTM: anchorage berth',
    ]);
  });

  it('in the German Bight is one of Hamburg, eight hours away up the Elbe', () => {
    const way = { sails: 8, berths: 16, ends: 20 };
    expect(callsOf(voyage([54.08, 7.6], [53.503, 9.935], way))).toEqual(['DEHAM: anchorage berth']);
  });

  it('in the German Bight is one of Bremerhaven when it berths there', () => {
    const way = { sails: 8, berths: 12, ends: 16 };
    expect(callsOf(voyage([54.08, 7.6], [53.6, 8.51], way))).toEqual(['DEBRV: anchorage berth']);
  });

  it('for a pilot of Surabaya is one of Surabaya, though nearer to Gresik', () => {
    expect(callsOf(voyage([-6.929, 112.729], [-7.2, 112.73], { sails: 5, berths: 8, ends: 4 }))).toEqual([
      'IDSUB: anchorage',
    ]);
  });

  it('off Mumbai, 25 nautical miles from its point, is one of Mumbai', () => {
    expect(callsOf(voyage([18.74, 72.55], [18.945, 72.86], { sails: 4, berths: 7, ends: 10 }))).toEqual([
      'INBOM: anchorage berth',
    ]);
  });

  it('at Galveston is one of Houston when it berths at Bayport', () => {
    const way = { sails: 8, berths: 12, ends: 16 };
    expect(callsOf(voyage([29.17, -94.55], [29.612, -94.997], way))).toEqual(['USHOU: anchorage berth']);
  });
});
