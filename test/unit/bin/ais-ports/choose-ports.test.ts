/** Which ports positions are read for, and the boxes around them. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { boxesAround, choosePorts, readPortWatch } from '../../../../bin/ais-ports/choose-ports.ts';
import type { Port } from '../../../../core/reference/ports.ts';

const port = (locode: string, latitude: number, longitude: number): Port => ({
  locode,
  name: locode,
  countryCode: locode.slice(0, 2),
  latitude,
  longitude,
  timeZone: 'Etc/UTC',
});

const REFERENCE = [
  port('NLRTM', 51.9, 4.48),
  port('BEANR', 51.22, 4.4),
  port('DEHAM', 53.55, 9.93),
  port('COCTG', 10.42, -75.53),
  port('ESCAR', 37.58, -0.97),
];

const listing = (rows: readonly string[]): string =>
  ['LOCODE,portname,lat,lon,vessel_count_total,ISO3', ...rows].join('\n');

const listed = readPortWatch(
  listing([
    'NL RTM,Rotterdam,51.92,4.22,200,NLD',
    ',Antwerp,51.28,4.32,100,BEL',
    ',Cartagena,37.575,-0.945,50,ESP',
    ',Cartagena,10.335,-75.513,60,COL',
    'DEHAM,Hamburg,53.52,9.96,90,DEU',
    'XXNOW,Nowhere,0,0,70,ATL',
    ',Closed,51.9,4.4,0,NLD',
  ]),
);

describe('the list', () => {
  it('is read in the order of calls, without ports that have none', () => {
    expect(listed.map(({ name, calls }) => [name, calls])).toEqual([
      ['Rotterdam', 200],
      ['Antwerp', 100],
      ['Hamburg', 90],
      ['Nowhere', 70],
      ['Cartagena', 60],
      ['Cartagena', 50],
    ]);
    expect(listed[0]?.locode).toBe('NLRTM');
  });
});

describe('the ports that are chosen', () => {
  it('are the busiest, by their code or by the port within 20 km', () => {
    const chosen = choosePorts(listed, REFERENCE, new Set(), 3);
    expect(chosen.ports).toEqual(['BEANR', 'DEHAM', 'NLRTM']);
    expect(chosen.others).toEqual(['COCTG', 'ESCAR']);
    expect(chosen).toMatchObject({ calls: 390, allCalls: 570, unmatched: ['Nowhere'] });
  });

  it('are none that another source covers: it is a port beside them', () => {
    const chosen = choosePorts(listed, REFERENCE, new Set(['NLRTM']), 2);
    expect(chosen.ports).toEqual(['BEANR', 'DEHAM']);
    expect(chosen.others).toContain('NLRTM');
    expect(chosen.calls).toBe(190);
  });

  it('are corrected by name, and by name and country where two ports share one', () => {
    const overrides = {
      'Cartagena, COL': { ports: ['COCTG'], reason: 'its country' },
      Rotterdam: { ports: ['NLRTM', 'BEANR'], reason: 'one entry, two ports' },
      Hamburg: { ports: [], reason: 'left out' },
    };
    const chosen = choosePorts(listed, REFERENCE, new Set(), 3, overrides);
    expect(chosen.ports).toEqual(['BEANR', 'COCTG', 'NLRTM']);
    // Half of the calls of the shared entry each.
    expect(chosen.calls).toBe(200 + 100 + 60);
    expect(chosen.others).toEqual(['ESCAR']);
    expect(chosen.unmatched).toEqual(['Nowhere']);
  });
});

describe('the boxes', () => {
  it('reach the margin from each port, and are shared by ports within 0.2 degrees', () => {
    const ports = [
      port('USLAX', 33.75, -118.25),
      port('USLGB', 33.77, -118.18),
      port('USSEA', 47.6, -122.33),
    ];
    expect(boxesAround(ports, [port('USTIW', 47.28, -122.42), port('USOAK', 37.82, -122.33)], 0.5)).toEqual([
      { ports: ['USLAX', 'USLGB'], neighbours: [], south: 33.25, west: -118.75, north: 34.27, east: -117.68 },
      { ports: ['USSEA'], neighbours: ['USTIW'], south: 47.1, west: -122.83, north: 48.1, east: -121.83 },
    ]);
  });

  it('have each port once, in a box that reaches the margin around it, for any ports', () => {
    const degrees = fc.record({
      latitude: fc.integer({ min: -600, max: 600 }).map((tenths) => tenths / 10),
      longitude: fc.integer({ min: -100, max: 100 }).map((tenths) => tenths / 10),
    });
    fc.assert(
      fc.property(fc.array(degrees, { maxLength: 40 }), (places) => {
        const ports = places.map(({ latitude, longitude }, index) =>
          port(`XX${String(index).padStart(3, '0')}`, latitude, longitude),
        );
        const boxes = boxesAround(ports, [], 0.5);
        expect(boxes.flatMap((box) => box.ports).toSorted()).toEqual(ports.map(({ locode }) => locode));
        for (const { locode, latitude, longitude } of ports) {
          const box = boxes.find((one) => one.ports.includes(locode));
          expect(box?.south).toBeLessThanOrEqual(latitude - 0.5 + 0.005);
          expect(box?.north).toBeGreaterThanOrEqual(latitude + 0.5 - 0.005);
          expect(box?.west).toBeLessThanOrEqual(longitude - 0.5 + 0.005);
          expect(box?.east).toBeGreaterThanOrEqual(longitude + 0.5 - 0.005);
        }
      }),
    );
  });
});
