/**
 * The engine on real tracks of PyPI's package `tracktable-data` (BSD-2-Clause; rows of NOAA, public domain): time, position and MMSI
 * alone, and few rows of vessels at rest. Each stay found of a foreign-flag vessel stands beside a judgement by hand.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEngine } from '../core/ais/engine.ts';
import { blankFix, fixedDegrees } from '../core/ais/fix.ts';
import { parseInstant } from '../core/reference/time.ts';
import { type FoundStay, staysIn } from './new-york-study.ts';
import { JUDGED_TRACKS, type JudgedTrack } from './tracktable-judged.ts';

/** The files of vessels that the recordings of New York do not have. */
export const TRACK_FILES = [
  'US_coastal_2020_06_30.traj',
  'VirginiaBeach_2020_06_04_to_06_filtered.traj',
  'NYHarbor_2020_12_08.traj',
] as const;

const CARGO = 70;
/** Nine digits with a country of its own, and not that of the United States or Canada, whose craft are mostly small. */
const FOREIGN = /^(?!303|316|338|36[6-9])[2-7]\d{8}$/;
/** Values of a row: MMSI, time, longitude, latitude. */
const ROW = 4;
/** The word before the six that describe the rows of a track. */
const [HEADER, HEADER_WORDS] = ['*P*', 6];

interface Position {
  readonly mmsi: number;
  readonly at: number;
  readonly latitude: number;
  readonly longitude: number;
}

/** The rows of a file of tracks, by time. @throws RangeError for a row that cannot be read. */
export function readTracks(text: string): Position[] {
  const positions = text
    .trim()
    .split('\n')
    .flatMap((line) => {
      const words = line.split(',');
      const rows = words.slice(words.indexOf(HEADER) + HEADER_WORDS);
      return Array.from({ length: rows.length / ROW }, (_, i): Position => {
        const [mmsi, time = '', longitude, latitude] = rows.slice(ROW * i, ROW * (i + 1));
        const at = parseInstant(`${time.replace(' ', 'T')}Z`);
        if (at === undefined) throw new RangeError(`row ${i + 1} of ${words[1]} has the time ${time}`);
        return { mmsi: Number(mmsi), at, latitude: Number(latitude), longitude: Number(longitude) };
      });
    });
  return positions.sort((a, b) => a.at - b.at);
}

/** A stay that was found, and what a reader of its rows makes of it. */
export interface JudgedStay {
  readonly found: FoundStay;
  /** Undefined for a stay that nobody has judged. */
  readonly judged: JudgedTrack | undefined;
}

export interface TrackStudy {
  readonly file: string;
  readonly rows: number;
  readonly vessels: number;
  readonly foreign: number;
  /** Stays of foreign-flag vessels, and the number of those of others, whose type nobody knows. */
  readonly stays: readonly JudgedStay[];
  readonly others: number;
}

const isForeign = (mmsi: number): boolean => FOREIGN.test(String(mmsi));

/** Runs the engine over one file of `folder`. Merchant vessels by hand are given a cargo type, all others state none. */
export function studyTracks(folder: string, file: (typeof TRACK_FILES)[number]): TrackStudy {
  const positions = readTracks(readFileSync(join(folder, file), 'utf8'));
  const endAt = positions.at(-1)?.at ?? 0;
  const engine = createEngine({ latest: endAt / 1000 });
  const merchants = new Set(JUDGED_TRACKS.filter(({ counts }) => counts).map(({ mmsi }) => mmsi));
  for (const { mmsi, at, latitude, longitude } of positions)
    engine.push({
      ...blankFix(),
      mmsi,
      time: at / 1000,
      latitude: fixedDegrees(latitude),
      longitude: fixedDegrees(longitude),
      vesselType: merchants.has(mmsi) ? CARGO : 0,
    });
  engine.flush();
  const found = staysIn(engine, endAt / 1000);
  const vessels = new Set(positions.map(({ mmsi }) => mmsi));
  const stays = found
    .filter(({ mmsi }) => isForeign(mmsi))
    .toSorted((a, b) => a.startAt - b.startAt)
    .map((stay) => ({
      found: stay,
      judged: JUDGED_TRACKS.find(({ mmsi, from }) => mmsi === stay.mmsi && stay.startAt >= Date.parse(from)),
    }));
  return {
    file,
    rows: positions.length,
    vessels: vessels.size,
    foreign: [...vessels].filter(isForeign).length,
    stays,
    others: found.length - stays.length,
  };
}
