/** Day files for the tests: a cargo vessel at Oakland all day, a tug, and whatever a test adds. */

import { gunzipSync } from 'node:zlib';
import { cutName, DayCut, type DayFormat } from '../../../core/positions/day-files.ts';
import { NOAA_FORMAT } from '../../../core/sources/noaa-marinecadastre-ais/source.ts';
import { readDayNote } from '../../../core/upstream/files/notes.ts';
import type { FetchedFiles } from '../../../core/upstream/source.ts';

export const DAY = '2026-01-05';
const FILE = `ais-${DAY}.csv.zst`;

export interface MadeRow {
  readonly mmsi?: number;
  /** `HH:MM:SS`. */
  readonly at?: string;
  readonly day?: string;
  readonly latitude?: number;
  readonly longitude?: number;
  readonly speed?: number;
  readonly type?: number | '';
}

export const HEADERS = {
  '2024':
    'MMSI,BaseDateTime,LAT,LON,SOG,COG,Heading,VesselName,IMO,CallSign,VesselType,Status,Length,Width,Draft,Cargo,TransceiverClass',
  '2025':
    'mmsi,base_date_time,longitude,latitude,sog,cog,heading,vessel_name,imo,call_sign,vessel_type,status,length,width,draft,cargo,transceiver',
} as const;

export function rowText(layout: keyof typeof HEADERS, row: MadeRow = {}): string {
  const { mmsi = 367_000_001, at = '12:00:00', day = DAY, latitude = 37.8, longitude = -122.3 } = row;
  const { speed = 0, type = 70 } = row;
  const rest = `${speed},0,90,"MV, ONE",IMO9074729,WDX1,${type},5,180,28,9.5,70,A`;
  return layout === '2024'
    ? `${mmsi},${day}T${at},${latitude},${longitude},${rest}`
    : `${mmsi},${day} ${at},${longitude},${latitude},${rest}`;
}

const two = (value: number): string => String(value).padStart(2, '0');
/** One row every ten minutes. */
export const TIMES = Array.from(
  { length: 144 },
  (_, index) => `${two(Math.floor(index / 6))}:${two((index % 6) * 10)}:00`,
);

/** A whole day of the vessel at berth, one row every ten minutes, and the rows given. */
export const dayText = (
  layout: keyof typeof HEADERS = '2025',
  more: readonly MadeRow[] = [],
  all: MadeRow = {},
): string =>
  [
    HEADERS[layout],
    ...TIMES.map((at) => rowText(layout, { ...all, at })),
    ...more.map((row) => rowText(layout, row)),
  ].join('\n');

/** The cut of a file given in chunks of `chunkBytes`. */
export function cutOf(
  bytes: Uint8Array,
  {
    chunkBytes = 1000,
    format = NOAA_FORMAT,
    day = DAY,
    file = FILE,
  }: {
    chunkBytes?: number;
    format?: DayFormat;
    day?: string;
    file?: string;
  } = {},
): FetchedFiles {
  const cut = new DayCut({ day, file, version: '"0x1"' }, format);
  for (let at = 0; at < bytes.length; at += chunkBytes) cut.push(bytes.subarray(at, at + chunkBytes));
  return cut.end();
}

/** Rows of one region of a cut, without the header. */
export const rowsIn = (files: FetchedFiles, region: string): string[] =>
  gunzipSync(files.get(cutName(region)) ?? new Uint8Array())
    .toString()
    .trim()
    .split('\n')
    .slice(1);

export const noteIn = (files: FetchedFiles) => {
  const note = readDayNote(files);
  if (note === undefined) throw new Error('no note');
  return note;
};
