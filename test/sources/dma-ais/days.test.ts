/** Danish day files: the listing, the zip archive, and words in the place of numbers. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { zipSync } from 'fflate';
import { DANISH_FORMAT, source } from '../../../core/sources/dma-ais/source.ts';
import type { HttpClient } from '../../../core/upstream/http-client.ts';
import { bytesOf, clientOf, fetchContext, memoryPast, reply } from '../../builders/source-replies.ts';
import { cutOf, noteIn, rowsIn, TIMES } from '../noaa-marinecadastre-ais/day-texts.ts';

const DAY = '2026-01-05';
const HEADER =
  '# Timestamp,Type of mobile,MMSI,Latitude,Longitude,Navigational status,ROT,SOG,COG,Heading,IMO,Callsign,Name,Ship type,Cargo type,Width,Length,Type of position fixing device,Draught,Destination,ETA,Data source type,A,B,C,D';

function rowText(at: string, { mmsi = '219000001', type = 'Cargo', latitude = '56.150000' } = {}): string {
  return `05/01/2026 ${at},Class A,${mmsi},${latitude},10.220000,Moored,,0.1,12.0,180,9074729,OX1,EXAMPLE,${type},,20,120,GPS,6.1,AARHUS,,AIS,60,60,10,10`;
}

const base =
  '05/01/2026 00:00:00,Base Station,2190047,56.4,10.9,Unknown value,,,,,Unknown,Unknown,,Undefined,,,,GPS,,Unknown,,AIS,,,,';
const text = [
  HEADER,
  base,
  rowText('00:00:00', { mmsi: '219000002', latitude: '91.000000' }),
  rowText('00:00:00', { mmsi: '219000003', type: 'Fishing' }),
  rowText('00:00:00', { mmsi: '219000004', type: 'Undefined' }),
  ...TIMES.map((at) => rowText(at)),
].join('\r\n');
const file = zipSync({ [`aisdk-${DAY}.csv`]: bytesOf(text) });

it('a day is cut to the vessels that may count, with words read as their numbers', () => {
  const files = cutOf(file, { format: DANISH_FORMAT, day: DAY, file: `aisdk-${DAY}.zip` });
  const rows = rowsIn(files, 'denmark');
  expect(rows).toHaveLength(145);
  expect(rows[0]).toBe('219000004,2026-01-05T00:00:00,10.22000,56.15000,0.1,180,IMO9074729,,5');
  expect(rows[1]).toBe('219000001,2026-01-05T00:00:00,10.22000,56.15000,0.1,180,IMO9074729,70,5');
  const { heard, refusals } = noteIn(files);
  expect([heard.DKAAR, heard.DKCPH]).toEqual([26, 0]);
  expect(refusals.map(({ reason, detail }) => `${reason} ${detail}`)).toEqual([
    `impossible-fix aisdk-${DAY}.zip: 2 rows without a vessel or a position that can be`,
  ]);
});

describe('92 real rows of half an hour', () => {
  const rows = readFileSync(
    new URL('../../unit/positions/samples/aisdk-2026-09-05_92rows.csv', import.meta.url),
    'utf8',
  );
  const cut = (text: string) =>
    cutOf(zipSync({ 'aisdk-2026-09-05.csv': bytesOf(text) }), {
      format: DANISH_FORMAT,
      day: '2026-09-05',
      file: 'aisdk-2026-09-05.zip',
    });

  it('are refused when they do not reach the end of the day', () => {
    expect(() => cut(rows)).toThrow('aisdk-2026-09-05.zip ends at 2026-09-05T00:30:08Z');
  });

  it('lose the 22 without a vessel or a position, counted by hand', () => {
    const last = rowText('23:59:50').replace('05/01/2026', '05/09/2026');
    const { refusals } = noteIn(cut(`${rows.trimEnd()}\n${last}\n`));
    expect(refusals.map(({ detail }) => detail)).toEqual([
      'aisdk-2026-09-05.zip: 22 rows without a vessel or a position that can be',
    ]);
  });
});

it.each(['WIG', 'Reserved', 'Spare 1', 'Medical'])('a vessel of the type %s does not count', (type) => {
  const rows = [
    HEADER,
    rowText('12:00:00', { type }),
    ...TIMES.map((at) => rowText(at, { mmsi: '219000009' })),
  ];
  const zip = zipSync({ [`aisdk-${DAY}.csv`]: bytesOf(rows.join('\n')) });
  const cut = rowsIn(cutOf(zip, { format: DANISH_FORMAT, day: DAY, file: `aisdk-${DAY}.zip` }), 'denmark');
  expect(cut.filter((row) => row.startsWith('219000001'))).toEqual([]);
});

describe('a fetch', () => {
  const contents = (key: string, etag: string): string =>
    `<Contents><Key>${key}</Key><LastModified>2026-01-08T05:00:00.000Z</LastModified><ETag>&quot;${etag}&quot;</ETag><Size>640000000</Size></Contents>`;
  const asked: string[] = [];
  const codings: (string | undefined)[] = [];
  const http: HttpClient = {
    get: async (url, headers, read) => {
      asked.push(url);
      codings.push(headers?.['accept-encoding']);
      const head = { status: 200, headers: {} };
      if (url.endsWith('prefix=aisdk-2026-'))
        return {
          ...head,
          body: bytesOf(`<ListBucketResult>${contents(`aisdk-${DAY}.zip`, 'a')}</ListBucketResult>`),
        };
      if (url.includes('prefix=')) return { ...head, body: bytesOf('<ListBucketResult></ListBucketResult>') };
      await read?.(
        (async function* () {
          yield file;
        })(),
        head,
      );
      return { ...head, body: new Uint8Array() };
    },
  };

  it('takes the listed day from the bucket, and reads a day of the past once', async () => {
    const now = () => Date.parse('2026-01-09T00:00:00Z');
    const files = await source.fetch(
      fetchContext(http, { now, lastFetchAt: Date.parse('2026-01-05T00:00:00Z') }),
    );
    expect(noteIn(files)).toMatchObject({ day: DAY, version: '"a"', upTo: '2026-01-05T00:00:00Z' });
    expect(source.days?.dayOf(files)).toBe(DAY);
    expect(asked.at(-1)).toBe(`https://s3.eu-central-1.amazonaws.com/aisdata.ais.dk/aisdk-${DAY}.zip`);
    // A compressed reply that ends early would look whole.
    expect(codings.at(-1)).toBe('identity');
    const past = memoryPast();
    await source.history?.fetchDay(http, past, DAY, { now, outOfTime: () => false });
    expect([...past.written.keys()]).toEqual([Date.parse('2026-01-06T00:00:00Z')]);
  });

  it('takes the newest day from a listing of several pages', async () => {
    const page = (day: string, more: string): string =>
      `<ListBucketResult><KeyCount>1</KeyCount>${more}${contents(`aisdk-${day}.zip`, 'a')}</ListBucketResult>`;
    const paged: HttpClient = {
      get: (url, headers, read) => {
        const next = '<IsTruncated>true</IsTruncated><NextContinuationToken>a+b=</NextContinuationToken>';
        if (url.includes('continuation-token=a%2Bb%3D'))
          return Promise.resolve(reply(200, page(DAY, '<IsTruncated>false</IsTruncated>')));
        if (url.includes('prefix=aisdk-2026-')) return Promise.resolve(reply(200, page('2026-01-04', next)));
        return http.get(url, headers, read);
      },
    };
    const now = () => Date.parse('2026-01-09T00:00:00Z');
    expect(noteIn(await source.fetch(fetchContext(paged, { now })))).toMatchObject({ day: DAY });
  });

  it.each([
    ['a web page', '<!doctype html><html></html>', 'html'],
    ['an error document', '<Error><Code>NoSuchBucket</Code></Error>', 'malformed'],
    ['half a listing', '<ListBucketResult><Contents>', 'malformed'],
    ['shorter than it states', '<ListBucketResult><KeyCount>1</KeyCount></ListBucketResult>', 'incomplete'],
    [
      'cut, without its next page',
      '<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>',
      'incomplete',
    ],
    [
      'without an end',
      '<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>a</NextContinuationToken></ListBucketResult>',
      'malformed',
    ],
  ])('fails when the listing is %s', async (_name, listing, reason) => {
    const { http: broken } = clientOf(() => reply(200, listing));
    await expect(source.fetch(fetchContext(broken))).rejects.toMatchObject({ reason });
  });
});
