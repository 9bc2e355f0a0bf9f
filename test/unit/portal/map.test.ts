/** The map: where places lie, which ports are one mark, which labels have room. */
import { describe, expect, it } from '@jest/globals';
import { geoEqualEarth } from 'd3-geo';
import fc from 'fast-check';
import { portsRoute } from '../../../core/contracts/ports.ts';
import { createClusters, type MapPort } from '../../../portal/map/clusters.ts';
import { placeLabels } from '../../../portal/map/port-marks.ts';
import { PROJECTION, project } from '../../../portal/map/projection.ts';

const port = (code: string, latitude: number, longitude: number, in_port = 1, score = 0.2): MapPort => ({
  ...portsRoute.example[0],
  sources: [],
  port: code,
  name: code,
  latitude,
  longitude,
  congestion_score: score,
  congestion_score_change: null,
  at_anchor: 2,
  in_port,
  stopped_since: code === 'MYPGU' ? '2026-11-19T02:00:00Z' : null,
  absence: undefined,
  isSeason: false,
  dated: undefined,
});

describe('a place', () => {
  it('lies where the land of the build puts it', () => {
    const projection = geoEqualEarth()
      .scale(PROJECTION.scale)
      .translate([...PROJECTION.translate]);
    fc.assert(
      fc.property(
        fc.integer({ min: -179, max: 179 }),
        fc.integer({ min: -85, max: 85 }),
        (longitude, latitude) => {
          const [x = 0, y = 0] = projection([longitude, latitude]) ?? [];
          const point = project({ longitude, latitude });
          expect(Math.hypot(point.x - x, point.y - y)).toBeLessThan(0.01);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('ports that would lie over each other', () => {
  const ports = [
    port('SGSIN', 1.28, 103.84, 90, 0.3),
    port('MYPGU', 1.44, 103.9, 10, 0.7),
    port('NLRTM', 51.9, 4.4),
  ];

  it('are one mark, with the worst score, all vessels and the name of the largest, until the map is wide', () => {
    const clusters = createClusters(ports);
    const marks = clusters.at(900);
    expect(marks).toHaveLength(2);
    const crowd = marks.find((mark) => 'cluster' in mark);
    expect(crowd).toMatchObject({
      point_count: 2,
      congestion_score: 0.7,
      at_anchor: 4,
      in_port: 100,
      name: 'SGSIN',
      stopped_since: '2026-11-19T02:00:00Z',
    });
    const width = clusters.splitWidth(crowd && 'cluster' in crowd ? crowd.cluster_id : -1);
    expect(width).toBeGreaterThan(900);
    expect(clusters.at(1.02 * width)).toHaveLength(3);
  });

  it('are none of them lost, however wide the map', () => {
    const places = fc.tuple(fc.integer({ min: -60, max: 70 }), fc.integer({ min: -179, max: 179 }));
    fc.assert(
      fc.property(
        fc.array(places, { maxLength: 30 }),
        fc.integer({ min: 200, max: 90_000 }),
        (given, width) => {
          const all = given.map(([latitude, longitude], i) => port(`P${i}`, latitude, longitude));
          const counts = createClusters(all)
            .at(width)
            .map((mark) => ('cluster' in mark ? mark.point_count : 1));
          expect(counts.reduce((sum, count) => sum + count, 0)).toBe(all.length);
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('labels', () => {
  it('stand at the right, else at the left, else nowhere', () => {
    const at = (label: string, x: number, radius = 5) => ({ label, x, y: 100, radius });
    expect(placeLabels([at('Oslo', 100)], 960)).toEqual(['right']);
    expect(placeLabels([at('Suva', 950)], 960)).toEqual(['left']);
    const crowd = Array.from({ length: 5 }, () => at('Helsinki', 100));
    expect(placeLabels(crowd, 960).filter((side) => side !== undefined).length).toBeLessThan(5);
    // The circle of a neighbour takes room too.
    expect(placeLabels([at('Oslo', 100), at('', 140, 20)], 960)[0]).toBe('left');
    // That of a season may stand below, within the map.
    const season = { ...at('Kaohsiung 0.15, Jan to Oct 2025', 930), isSeason: true };
    expect(placeLabels([season, at('', 900, 15)], 960)[0]).toBe('below');
    expect(placeLabels([{ ...season, isSeason: false }, at('', 900, 15)], 960)[0]).toBeUndefined();
    // The buttons take room as well.
    const buttons = { left: 130, right: 180, top: 80, bottom: 110 };
    expect(placeLabels([at('Oslo', 100)], 960, [buttons])).toEqual(['left']);
  });
});
