import { describe, expect, it } from '@jest/globals';
import { zipSync } from 'fflate';
import { NOAA_FORMAT } from '../../../core/sources/noaa-marinecadastre-ais/source.ts';
import { RefusedReply } from '../../../core/upstream/source.ts';
import { bytesOf } from '../../builders/source-replies.ts';
import { zstdFrame, zstdFrames } from '../../builders/zstd-frames.ts';
import { cutOf, dayText, HEADERS, type MadeRow, noteIn, rowsIn, rowText, TIMES } from './day-texts.ts';

const PACIFIC = 'us-pacific';
/** A Zstandard frame that is to be passed over. */
const SKIPPABLE = Uint8Array.of(0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3);
const tug: MadeRow = { mmsi: 367_000_002, type: 52 };
const elsewhere: MadeRow = { mmsi: 367_000_003, latitude: 35, longitude: -125 };
const good = bytesOf(dayText('2025', [tug, elsewhere]));

const reasonOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof RefusedReply) return `${error.reason}: ${error.message}`;
    throw error;
  }
  return 'taken';
};

describe('a day file', () => {
  it('is cut to the rows of cargo vessels in the boxes, and notes what was received there', () => {
    const files = cutOf(good);
    const rows = rowsIn(files, PACIFIC);
    expect(rows).toHaveLength(144);
    expect(rows[0]).toBe('367000001,2026-01-05T00:00:00,-122.30000,37.80000,0.0,90,IMO9074729,70,5');
    expect(rowsIn(files, 'us-gulf')).toEqual([]);
    const { heard, refusals, day, version, taken, bytes } = noteIn(files);
    // A vessel in each of 24 hours, and the tug in one.
    expect([heard.USOAK, heard.USRCH, heard.USSEA]).toEqual([25, 25, 0]);
    expect([day, version, bytes, taken]).toEqual([
      '2026-01-05',
      '"0x1"',
      good.length,
      { '2026-01-05': '"0x1"' },
    ]);
    expect(refusals).toEqual([]);
  });

  it('has rows of roadsteads outside the boxes, which do not prove reception at their ports', () => {
    const files = cutOf(bytesOf(dayText('2025', [{ latitude: 30.075, longitude: -88 }])));
    expect(rowsIn(files, 'us-gulf')).toHaveLength(1);
    const { heard } = noteIn(files);
    expect([heard.USMOB, heard.USPGL]).toEqual([0, 0]);
  });

  it('gives the same rows in the layout of 2024 and before, and read again from its own cut', () => {
    const rows = rowsIn(cutOf(good), PACIFIC);
    expect(rowsIn(cutOf(bytesOf(dayText('2024', [tug, elsewhere]))), PACIFIC)).toEqual(rows);
    const cut = ['mmsi,base_date_time,longitude,latitude,sog,heading,imo,vessel_type,status', ...rows].join(
      '\n',
    );
    expect(rowsIn(cutOf(bytesOf(cut)), PACIFIC)).toEqual(rows);
  });

  it.each([
    ['one Zstandard frame', zstdFrame(good)],
    ['two frames, where the decoder of Node stops after the first without an error', zstdFrames(good, 2)],
    ['fifty frames', zstdFrames(good, 50)],
    ['frames with a skippable one between', Buffer.concat([SKIPPABLE, zstdFrames(good, 2), SKIPPABLE])],
    ['a zip archive', zipSync({ 'read-me.txt': bytesOf('hello'), 'ais.csv': good })],
    ['a zip archive without compression', zipSync({ 'ais.csv': good }, { level: 0 })],
  ])('is read whole from %s, in chunks of any size', (_name, packed) => {
    const rows = rowsIn(cutOf(good), PACIFIC);
    for (const chunkBytes of [1, 7, 1000, 1_000_000])
      expect(rowsIn(cutOf(packed, { chunkBytes }), PACIFIC)).toEqual(rows);
  });
});

describe('a day file that cannot be used is refused whole:', () => {
  const packed = zstdFrames(good, 2);
  const deflated = zipSync({ 'ais.csv': good });
  const swapped = dayText('2025', [], { latitude: -122.3, longitude: 37.8 });
  const flipped = Uint8Array.from(deflated, (byte, index) =>
    index === deflated.length - 59 ? byte ^ 1 : byte,
  );
  const noise = (count: number): string => Array.from({ length: count }, () => 'x,y,z').join('\n');
  const early = [HEADERS['2025'], ...TIMES.slice(0, 100).map((at) => rowText('2025', { at }))].join('\n');
  const reversed = [HEADERS['2025'], ...[...TIMES].reverse().map((at) => rowText('2025', { at }))].join('\n');
  it.each([
    ['nothing', new Uint8Array(0), 'empty: F is empty'],
    ['a header alone', bytesOf(HEADERS['2025']), 'empty: F has no row'],
    ['a web page', bytesOf('<!doctype html><html>not found</html>'), 'html: F is a web page'],
    ['an error of the host', bytesOf('<?xml version="1.0"?><Error/>'), 'malformed: F is an XML document'],
    ['text of another form', bytesOf('{"error":"rate limited"}'), 'malformed: F: no column for mmsi'],
    ['half a Zstandard file', packed.subarray(0, packed.length / 3), 'truncated: F: unexpected EOF'],
    [
      'a Zstandard file that ends after a frame',
      zstdFrame(bytesOf(`${early}\n`)),
      'incomplete-day: F ends at',
    ],
    [
      'garbage between two frames',
      Buffer.concat([zstdFrame(good), bytesOf('garbage, and more of it'), zstdFrame(good)]),
      'malformed: F: invalid zstd data',
    ],
    ['half a zip archive', deflated.subarray(0, deflated.length / 2), 'truncated: F: '],
    ['a zip archive without its directory', deflated.subarray(0, deflated.length - 40), 'truncated: F: '],
    [
      'a zip archive without a CSV file',
      zipSync({ 'read-me.txt': good }),
      'malformed: the archive has no CSV file',
    ],
    ['a zip archive with another checksum', flipped, 'malformed: '],
    ['coordinates swapped', bytesOf(swapped), 'outside-area: F: '],
    [
      'yesterday once more',
      bytesOf(dayText('2025', [], { day: '2026-01-04' })),
      'other-day: F: 144 of 144 rows read are not of 2026-01-05',
    ],
    ['a day that ends in the afternoon', bytesOf(early), 'incomplete-day: F ends at 2026-01-05T16:30:00Z'],
    ['rows in no order', bytesOf(reversed), 'disordered: F: '],
    [
      'more than 1 % of rows that cannot be read',
      bytesOf(`${dayText()}\n${noise(3)}`),
      'broken-rows: F: 3 of 147 rows read',
    ],
  ])('%s', (_name, bytes, expected) => {
    expect(reasonOf(() => cutOf(bytes, { file: 'F' })).slice(0, expected.length)).toBe(expected);
  });

  it('more bytes than a day can have, packed or not', () => {
    const limits = { compressedBytes: good.length - 1, bytes: good.length - 1 };
    const format = { ...NOAA_FORMAT, limits };
    expect(reasonOf(() => cutOf(good, { format }))).toContain('too-large');
    const small = zipSync({ 'ais.csv': good });
    expect(reasonOf(() => cutOf(small, { format }))).toContain('too-large');
    expect(small.length).toBeLessThan(limits.compressedBytes);
  });
});

it('counts single rows that cannot be used, and takes the others', () => {
  const rows: MadeRow[] = [
    { mmsi: 970_000_001 },
    { latitude: 91 },
    { mmsi: 367_000_009, latitude: 5, longitude: 5 },
    { day: '2026-01-06', at: '00:00:00' },
    { at: '00:30:00' },
  ];
  const text = `${dayText('2025', rows)}\n${rowText('2025', { mmsi: 367_000_010 }).slice(0, 30)}`;
  expect(noteIn(cutOf(bytesOf(text))).refusals.map(({ reason, detail }) => `${reason}: ${detail}`)).toEqual([
    'broken-row: ais-2026-01-05.csv.zst: 1 rows could not be read',
    'impossible-fix: ais-2026-01-05.csv.zst: 2 rows without a vessel or a position that can be',
    'outside-area: ais-2026-01-05.csv.zst: 1 positions outside the area of the receivers',
    'other-day: ais-2026-01-05.csv.zst: 1 rows that are not of 2026-01-05',
    'late-row: ais-2026-01-05.csv.zst: 1 rows more than ten minutes after a later one of their vessel',
  ]);
});
