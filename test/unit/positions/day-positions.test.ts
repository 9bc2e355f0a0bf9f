/** Which rows of a day file are read: all of the vessels that count, two an hour of every other. */
import { describe, expect, it } from '@jest/globals';
import { dayPositions, NOAA_LAYOUT } from '../../../core/positions/decoders/csv-positions.ts';

const HEADER = 'mmsi,base_date_time,longitude,latitude,sog,heading,imo,vessel_type,status\n';
const [CARGO, FERRY, TUG, UNKNOWN] = ['70', '60', '52', ''];

function read(rows: readonly (readonly [mmsi: number, time: string, type: string | undefined])[]) {
  const taken: [number, string][] = [];
  const reader = dayPositions(NOAA_LAYOUT, ({ mmsi, time }) => {
    taken.push([mmsi, new Date(time * 1000).toISOString().slice(11, 16)]);
  });
  const lines = rows.map(
    ([mmsi, time, type]) => `${mmsi},2026-01-05 ${time}:00,-118.2,33.7,0.0,90,,${type},5\n`,
  );
  reader.push(new TextEncoder().encode(`${HEADER}${lines.join('')}`));
  return { taken, decoded: reader.end() };
}

describe('rows of a day file', () => {
  it.each([
    ['a cargo vessel', CARGO],
    ['a ferry', FERRY],
    ['a vessel of unknown type', UNKNOWN],
  ])('are all read of %s', (_name, type) => {
    const times = ['03:00', '03:01', '03:02', '04:00'];
    const { taken, decoded } = read(times.map((time) => [205_000_001, time, type]));
    expect(taken).toEqual(times.map((time) => [205_000_001, time]));
    expect(decoded).toEqual({ fixes: 4, others: 0, broken: 0 });
  });

  it('are read twice an hour of any other vessel, and the others counted', () => {
    const [tug, cargo] = [205_000_001, 205_000_002];
    const { taken, decoded } = read([
      [tug, '03:00', TUG],
      [tug, '03:01', TUG],
      [cargo, '03:02', CARGO],
      [tug, '03:03', TUG],
      [tug, '03:59', TUG],
      [cargo, '04:00', CARGO],
      [tug, '04:01', TUG],
      [tug, '04:02', TUG],
      [tug, '04:03', TUG],
    ]);
    expect(taken).toEqual([
      [tug, '03:00'],
      [tug, '03:01'],
      [cargo, '03:02'],
      [cargo, '04:00'],
      [tug, '04:01'],
      [tug, '04:02'],
    ]);
    expect(decoded).toEqual({ fixes: 6, others: 3, broken: 0 });
  });

  it('are all read of a cargo vessel whose type is garbled now and then', () => {
    const types = [CARGO, TUG, CARGO, CARGO, TUG, UNKNOWN, TUG, CARGO];
    const rows = types.map((type, minute) => [205_000_001, `03:0${minute}`, type] as const);
    expect(read(rows).decoded).toEqual({ fixes: 8, others: 0, broken: 0 });
  });

  it('are read often enough to notice the next hour where no vessel that counts is received', () => {
    const times = Array.from(
      { length: 600 },
      (_, i) => `0${Math.floor(i / 60)}:${String(i % 60).padStart(2, '0')}`,
    );
    const { taken } = read(times.map((time) => [205_000_001, time, TUG]));
    expect(new Set(taken.map(([, time]) => time.slice(0, 2))).size).toBe(10);
    expect(taken.length).toBeLessThan(40);
  });

  it('are never left out for another vessel whose MMSI ends in the same bits', () => {
    const [tug, cargo] = [205_000_001, 205_000_001 + 0x10000];
    const { taken } = read([
      [tug, '03:00', TUG],
      [tug, '03:01', TUG],
      [tug, '03:02', TUG],
      [cargo, '03:03', CARGO],
      [cargo, '03:04', CARGO],
    ]);
    expect(taken).toEqual([
      [tug, '03:00'],
      [tug, '03:01'],
      [cargo, '03:03'],
      [cargo, '03:04'],
    ]);
  });

  it('with an MMSI of zeros are read, for the gate to count', () => {
    expect(read([[0, '03:00', TUG]]).decoded).toEqual({ fixes: 1, others: 0, broken: 0 });
  });
});
