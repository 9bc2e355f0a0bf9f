/** The Danish day files of positions as a source: port calls of Danish ports, three days late. */

import { type DayFormat, dayFetcher, type ListedDay, listingIn } from '../../positions/day-files.ts';
import { DANISH_LAYOUT } from '../../positions/decoders/csv-positions.ts';
import { dayReader } from '../../positions/steps.ts';
import { isDay } from '../../reference/time.ts';
import { WHOLE_NUMBER } from '../../upstream/fields.ts';
import { isXmlElement, readXml, xmlRow } from '../../upstream/files/text.ts';
import { type HttpClient, UpstreamFailure } from '../../upstream/http-client.ts';
import { type DaySource, RefusedReply } from '../../upstream/source.ts';
import { DANISH_REGIONS, dmaAisDeclaration as declaration } from './declaration.ts';

/** Path-style address: no certificate covers the dots in the bucket's name. */
const BUCKET = 'https://s3.eu-central-1.amazonaws.com/aisdata.ais.dk';
const GIGABYTE = 1_000_000_000;

const FILE_NAME = /^aisdk-(\d{4}-\d{2}-\d{2})\.(?:zip|csv)$/;
/** Files of closed years lie in a folder of the year. */
const KEY = /^(?:\d{4}\/)?(aisdk-(\d{4}-\d{2}-\d{2})\.zip)$/;

/** A page has up to a thousand objects, and a year fewer days. */
const MAX_PAGES = 10;

export const DANISH_FORMAT: DayFormat = {
  layout: DANISH_LAYOUT,
  regions: DANISH_REGIONS,
  // North Sea to Bornholm.
  area: { south: 52, west: -2, north: 61, east: 20 },
  // A day is about 640 MB, 3 GB of text.
  limits: { compressedBytes: 2 * GIGABYTE, bytes: 16 * GIGABYTE },
};

/** One page of a listing; `next` is the token of the page after it, '' where it is the last. */
function readPage(text: string): { readonly files: ListedDay[]; readonly next: string } {
  const { root, content } = readXml('the listing', text, ['Contents']);
  if (root !== 'ListBucketResult') throw new RefusedReply('malformed', `the listing is a ${root}`);
  const { Contents, KeyCount, IsTruncated, NextContinuationToken } = isXmlElement(content) ? content : {};
  const list = Array.isArray(Contents) ? Contents : [];
  const stated = typeof KeyCount === 'string' ? WHOLE_NUMBER.read(KeyCount) : undefined;
  if (stated !== undefined && stated !== list.length)
    throw new RefusedReply('incomplete', `the listing states ${stated} files and has ${list.length}`);
  const next = IsTruncated === 'true' ? NextContinuationToken : '';
  if (typeof next !== 'string')
    throw new RefusedReply('incomplete', 'the listing is cut, and does not say where it goes on');
  const files = list.flatMap((entry): ListedDay[] => {
    const row = xmlRow(entry);
    const key = row.get('Key') ?? '';
    const [, file = '', day = ''] = KEY.exec(key) ?? [];
    const version = row.get('ETag') ?? row.get('LastModified') ?? '';
    return isDay(day) ? [{ day, file, version, address: `${BUCKET}/${key}` }] : [];
  });
  return { files, next };
}

async function listPrefix(http: HttpClient, prefix: string): Promise<readonly ListedDay[]> {
  const files: ListedDay[] = [];
  let next = '';
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const from = next === '' ? '' : `&continuation-token=${encodeURIComponent(next)}`;
    const reply = await http.get(`${BUCKET}?list-type=2&prefix=${prefix}${from}`);
    const listed = listingIn(prefix, reply, declaration.maxReplyBytes, readPage);
    files.push(...listed.files);
    next = listed.next;
    if (next === '') return files;
  }
  throw new UpstreamFailure('malformed', `the listing of ${prefix} has no end`);
}

/** A year may be listed at the top, in its folder, or partly in both; the folder's file is the later one. */
async function listYear(http: HttpClient, year: number): Promise<readonly ListedDay[]> {
  const top = await listPrefix(http, `aisdk-${year}-`);
  const folder = await listPrefix(http, `${year}/aisdk-${year}-`);
  return [...new Map([...top, ...folder].map((file) => [file.day, file])).values()];
}

export const source: DaySource = {
  declaration,
  ...dayFetcher({ format: DANISH_FORMAT, list: listYear }, declaration.hosts),
  ...dayReader({ format: DANISH_FORMAT, fileName: FILE_NAME }),
};
