/** Real rows of New York, cut from NOAA's files: all are readable, and none of the files can stand for a day. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { DayCut } from '../../../core/positions/day-files.ts';
import { FILE_NAME, NOAA_FORMAT } from '../../../core/sources/noaa-marinecadastre-ais/source.ts';
import { RECORDINGS } from '../../builders/recordings.ts';

const FOLDER = join(RECORDINGS, 'noaa-new-york');

function outcomeOf(file: string): string {
  const cut = new DayCut({ day: FILE_NAME.exec(file)?.[1] ?? '', file, version: '' }, NOAA_FORMAT);
  try {
    cut.push(readFileSync(join(FOLDER, file)));
    cut.end();
    return 'taken';
  } catch (refused) {
    return (refused as Error).message;
  }
}

it('refuses an hour as a day, and a day whose rows lack vessel types instead of showing empty ports', () => {
  const files = readdirSync(FOLDER).filter((file) => FILE_NAME.test(file));
  const refused = Object.fromEntries(files.map((file) => [file.slice(4, 14), outcomeOf(file)]));
  const untyped = (day: string) =>
    `ais-${day}.csv.zst: no row states a vessel type, so no vessel would count`;
  const days = ['01', '02', '03', '04', '05', '06', '07'].map((day) => `2020-12-${day}`);
  expect(refused).toEqual({
    '2020-06-30': 'ais-2020-06-30.csv.zst ends at 2020-06-30T00:59:59Z',
    ...Object.fromEntries(days.map((day) => [day, untyped(day)])),
  });
});
