/** Real tracks of `tracktable-data`; the package's own files are skipped where they are absent (TRACKTABLE names their folder). */
import { existsSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { readTracks, studyTracks } from './tracktable-study.ts';

const folder = process.env.TRACKTABLE ?? '';
const isThere = folder !== '' && existsSync(folder);

it('a file of tracks gives its rows by time', () => {
  const text = `*T*,b,terrestrial,2,0,*P*,terrestrial,2,1,1,0,311000001,2020-06-30 02:07:55,-118.18221,33.84278,311000001,2020-06-30 02:09:26,-118.1,33.8
*T*,a,terrestrial,1,0,*P*,terrestrial,2,1,1,0,367000001,2020-06-30 02:08:00,-72.5,40
`;
  expect(readTracks(text)).toEqual([
    { mmsi: 311000001, at: Date.parse('2020-06-30T02:07:55Z'), longitude: -118.18221, latitude: 33.84278 },
    { mmsi: 367000001, at: Date.parse('2020-06-30T02:08:00Z'), longitude: -72.5, latitude: 40 },
    { mmsi: 311000001, at: Date.parse('2020-06-30T02:09:26Z'), longitude: -118.1, latitude: 33.8 },
  ]);
  expect(() => readTracks(text.replace('02:08:00', 'noon'))).toThrow(RangeError);
});

(isThere ? it : it.skip)(
  'every stay of a foreign-flag vessel off Norfolk is judged, and the merchant one is right',
  () => {
    const { stays } = studyTracks(folder, 'VirginiaBeach_2020_06_04_to_06_filtered.traj');
    expect(stays.filter(({ judged }) => judged === undefined)).toEqual([]);
    const merchants = stays.filter(({ judged }) => judged?.counts);
    expect(merchants).toMatchObject([
      {
        found: {
          kind: 'berth',
          port: 'USORF',
          startAt: expect.closeTo(Date.parse('2020-06-04T09:38Z'), -6),
          endAt: expect.closeTo(Date.parse('2020-06-05T01:45Z'), -6),
        },
      },
    ]);
  },
);
