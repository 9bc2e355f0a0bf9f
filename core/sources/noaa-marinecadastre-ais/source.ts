/** NOAA's day files of positions as a source: port calls of US ports, months late. */

import { type DayFormat, dayFetcher, type ListedDay, listingIn } from '../../positions/day-files.ts';
import { NOAA_LAYOUT } from '../../positions/decoders/csv-positions.ts';
import { ANCHORAGE_AREAS } from '../../positions/port-areas.ts';
import { dayReader } from '../../positions/steps.ts';
import { isDay } from '../../reference/time.ts';
import { isXmlElement, readXml, xmlRow } from '../../upstream/files/text.ts';
import { type HttpClient, UpstreamFailure } from '../../upstream/http-client.ts';
import type { DaySource } from '../../upstream/source.ts';
import { noaaMarinecadastreAisDeclaration as declaration, NOAA_REGIONS } from './declaration.ts';

const CONTAINER = 'https://noaaocm.blob.core.windows.net/ais';
const GIGABYTE = 1_000_000_000;
const NOT_FOUND = 404;
/** More pages than a listing of one year can have. */
const MAX_PAGES = 20;

export const FILE_NAME = /^ais-(\d{4}-\d{2}-\d{2})\.csv(?:\.zst)?$/;
const BLOB_NAME = /^csv2\/csv\d{4}\/(ais-(\d{4}-\d{2}-\d{2})\.csv\.zst)$/;

export const NOAA_FORMAT: DayFormat = {
  layout: NOAA_LAYOUT,
  regions: NOAA_REGIONS,
  // Hawaii to Maine, Puerto Rico to Alaska.
  area: { south: 10, west: -180, north: 75, east: -60 },
  // A day is about 240 MB, 900 MB of text.
  limits: { compressedBytes: GIGABYTE, bytes: 8 * GIGABYTE },
};

function listBlobs(text: string): { readonly files: ListedDay[]; readonly marker: string } {
  const { content } = readXml('the listing', text, ['Blob']);
  const { Blobs: blobs, NextMarker: marker } = isXmlElement(content) ? content : {};
  const list = isXmlElement(blobs) && Array.isArray(blobs.Blob) ? blobs.Blob : [];
  const files = list.flatMap((blob): ListedDay[] => {
    const name = xmlRow(blob).get('Name') ?? '';
    const [, file = '', day = ''] = BLOB_NAME.exec(name) ?? [];
    const properties = xmlRow(isXmlElement(blob) ? blob.Properties : undefined);
    const version = properties.get('Etag') ?? properties.get('Last-Modified') ?? '';
    return isDay(day) ? [{ day, file, version, address: `${CONTAINER}/${name}` }] : [];
  });
  return { files, marker: typeof marker === 'string' ? marker : '' };
}

async function listYear(http: HttpClient, year: number): Promise<readonly ListedDay[]> {
  const files: ListedDay[] = [];
  let marker = '';
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const from = marker === '' ? '' : `&marker=${encodeURIComponent(marker)}`;
    const query = `restype=container&comp=list&prefix=csv2/csv${year}/&maxresults=5000${from}`;
    const reply = await http.get(`${CONTAINER}?${query}`);
    if (reply.status === NOT_FOUND) return files;
    const listed = listingIn(String(year), reply, declaration.maxReplyBytes, listBlobs);
    files.push(...listed.files);
    marker = listed.marker;
    if (marker === '') return files;
  }
  throw new UpstreamFailure('malformed', `the listing of ${year} has no end`);
}

export const source: DaySource = {
  declaration,
  ...dayFetcher({ format: NOAA_FORMAT, list: listYear }, declaration.hosts),
  ...dayReader({
    format: NOAA_FORMAT,
    fileName: FILE_NAME,
    anchorageAreas: ANCHORAGE_AREAS,
  }),
};
