/** Every published form of a position, field by field, and files cut and spoilt in every way. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CsvPositions, DANISH_LAYOUT, NOAA_LAYOUT } from '../../../core/positions/decoders/csv-positions.ts';
import type { Fix } from '../../../core/positions/fix.ts';

const sample = (name: string): Uint8Array => readFileSync(new URL(`./samples/${name}`, import.meta.url));
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function read(
  bytes: Uint8Array,
  layout = NOAA_LAYOUT,
  cuts: readonly number[] = [],
  skips?: (mmsi: number) => boolean,
) {
  const fixes: Fix[] = [];
  const reader = new CsvPositions(layout, (fix) => fixes.push({ ...fix }), skips);
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    reader.push(bytes.subarray(from, cut));
    from = cut;
  }
  return { fixes, decoded: reader.end() };
}

const OLD =
  'MMSI,BaseDateTime,LAT,LON,SOG,COG,Heading,VesselName,IMO,CallSign,VesselType,Status,Length,Width,Draft,Cargo,TransceiverClass';
const NEW =
  'mmsi,base_date_time,longitude,latitude,sog,cog,heading,vessel_name,imo,call_sign,vessel_type,status,length,width,draft,cargo,transceiver';
const DANISH =
  '# Timestamp,Type of mobile,MMSI,Latitude,Longitude,Navigational status,ROT,SOG,COG,Heading,IMO,Callsign,Name,Ship type,Cargo type,Width,Length,Type of position fixing device,Draught,Destination,ETA,Data source type,A,B,C,D';

describe('NOAA files', () => {
  it('are read alike in the layout of 2025, longitude first, with a blank instead of the T', () => {
    const old = `${OLD}\n205000001,2025-01-02T03:04:05,33.7,-118.25,1.2,0,511,"A, B",IMO9307839,X,70,5,,,,,A\n`;
    const now = `${NEW}\n205000001,2025-01-02 03:04:05,-118.25,33.7,1.2,0,511,"A, B",IMO9307839,X,70,5.0,,,,,A\n`;
    const [a, b] = [read(bytesOf(old)), read(bytesOf(now))];
    expect(a.fixes).toEqual(b.fixes);
    expect(a.fixes[0]).toMatchObject({ latitude: 3_370_000, longitude: -11_825_000, speed: 12, status: 5 });
  });

  it.each([
    ['CRLF', `${OLD}\r\n205000001,2025-01-02T03:04:05,33.7,-118.25,1.2,0,511,N,,X,70,5,,,,,A\r\n`, 1, 0],
    [
      'no line end at the end',
      `${OLD}\n205000001,2025-01-02T03:04:05,33.7,-118.25,1.2,0,511,N,,X,70,5,,,,,A`,
      1,
      0,
    ],
    ['empty status and speed', `${OLD}\n205000001,2025-01-02T03:04:05,33.7,-118.25,,,,,,,,,,,,,\n`, 1, 0],
    ['a short row', `${OLD}\n205000001,2025-01-02T03:04:05,33.7\n`, 0, 1],
    ['no MMSI', `${OLD}\n,2025-01-02T03:04:05,33.7,-118.25,1,,,,,,,,,,,,\n`, 0, 1],
    ['no date', `${OLD}\n205000001,yesterday,33.7,-118.25,1,,,,,,,,,,,,\n`, 0, 1],
    ['a word for a latitude', `${OLD}\n205000001,2025-01-02T03:04:05,north,-118.25,1,,,,,,,,,,,,\n`, 0, 1],
  ])('with %s', (_name, text, fixes, broken) => {
    expect(read(bytesOf(text)).decoded).toEqual({ fixes, others: 0, broken });
  });

  it('have times of the day, leap seconds with them, and decimals that are rounded at the half', () => {
    const rowAt = (time: string, latitude: string) =>
      `205000001,2025-01-02 ${time},-118.25,${latitude},1,,,,,,,,,,,,\n`;
    const rows = [
      ['23:59:60', '33.712345'],
      ['24:00:00', '33.7'],
      ['10:60:00', '33.7'],
      ['10:00:61', '33.7'],
    ];
    const { fixes, decoded } = read(
      bytesOf(`${NEW}\n${rows.map(([time = '', latitude = '']) => rowAt(time, latitude)).join('')}`),
    );
    expect(fixes).toMatchObject([{ time: Date.UTC(2025, 0, 3) / 1000, latitude: 3_371_235 }]);
    expect(decoded.broken).toBe(3);
  });

  it('leave the rows of vessels that are not followed at their MMSI', () => {
    const { fixes, decoded } = read(
      sample('AIS_2024_01_01_head.csv'),
      NOAA_LAYOUT,
      [],
      (mmsi) => mmsi > 367_000_000,
    );
    expect(decoded.fixes + decoded.others).toBe(99);
    expect(fixes.every(({ mmsi }) => mmsi <= 367_000_000)).toBe(true);
  });

  it('are the same in chunks of any size', () => {
    const bytes = sample('AIS_2024_01_01_head.csv');
    const whole = read(bytes);
    fc.assert(
      fc.property(fc.array(fc.nat({ max: bytes.length }), { maxLength: 20 }), (cuts) => {
        expect(
          read(
            bytes,
            NOAA_LAYOUT,
            [...cuts].sort((a, b) => a - b),
          ),
        ).toEqual(whole);
      }),
      { numRuns: 50 },
    );
  });

  it('are read alike with and without quotes, whatever the fields', () => {
    const field = fc.oneof(
      fc.stringMatching(/^[-.0-9 :TAIMO]{1,19}$/),
      fc.constantFrom('205000001', '2024-01-01T03:04:05', '33.7', '-118.20768', 'IMO9307839'),
    );
    const row = fc.array(field, { minLength: 1, maxLength: NEW.split(',').length });
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 5 }),
        fc.constantFrom('\n', '\r\n'),
        (rows, end) => {
          const readWith = (quote: string) =>
            read(
              bytesOf(
                `${NEW}\n${rows.map((fields) => fields.map((text) => `${quote}${text}${quote}`).join(',') + end).join('')}`,
              ),
            );
          expect(readWith('"')).toEqual(readWith(''));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('are refused with another header, empty, or with a line without end', () => {
    expect(() => read(bytesOf('a,b,c\n'))).toThrow('no column for mmsi, time, latitude, longitude');
    expect(() => read(bytesOf(''))).toThrow('the file is empty');
    expect(() => read(bytesOf('x'.repeat(70_000)))).toThrow('a line is longer than');
  });
});

describe('Danish files', () => {
  it('have words for status and type, and the day first', () => {
    const row =
      '31/12/2025 23:59:58,Class A,219000001,55.123456,12.654321,At anchor,,0.1,12.3,270,9307839,OXYZ,"NAME, A",Cargo,,20,180,GPS,7.5,X,,AIS,1,2,3,4';
    expect(read(bytesOf(`${DANISH}\r\n${row}\r\n`), DANISH_LAYOUT).fixes).toEqual([
      {
        mmsi: 219_000_001,
        time: Date.UTC(2025, 11, 31, 23, 59, 58) / 1000,
        latitude: 5_512_346,
        longitude: 1_265_432,
        speed: 1,
        heading: 270,
        status: 1,
        vesselType: 70,
        imo: 9_307_839,
      },
    ]);
  });

  it('say Unknown for what is not known', () => {
    const row =
      '01/02/2026 00:00:00,Class A,219000001,91.0,0.0,Unknown value,,,,,Unknown,,,Undefined,,,,,,,,,,,,';
    expect(read(bytesOf(`${DANISH}\n${row}\n`), DANISH_LAYOUT).fixes[0]).toMatchObject({
      speed: -1,
      heading: -1,
      status: -1,
      vesselType: 0,
      imo: 0,
    });
  });
});
