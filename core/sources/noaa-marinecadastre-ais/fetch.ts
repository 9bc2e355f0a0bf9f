/** NOAA's listing of day files, one blob a day, and the layout of a file. */
import { NOAA_LAYOUT } from '../../ais/decoders/csv-layouts.ts';
import { isDay } from '../../reference/time.ts';
import type { DayFormat } from '../day-cut.ts';
import type { DayPublisher, ListedDay } from '../day-fetch.ts';
import { type HttpClient, UpstreamFailure } from '../http-client.ts';
import { replyText } from '../reply-text.ts';
import { isXmlElement, readXml, xmlRow } from '../reply-xml.ts';
import { RefusedReply } from '../source.ts';
import { noaaMarinecadastreAisDeclaration as declaration } from './declaration.ts';
import { NOAA_REGIONS } from './ports.ts';

const CONTAINER = 'https://noaaocm.blob.core.windows.net/ais';
const GIGABYTE = 1_000_000_000;
const [OK, NOT_FOUND] = [200, 404];
/** More pages than a listing of one year can have. */
const MOST_PAGES = 20;

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

function blobsOf(text: string): { readonly files: ListedDay[]; readonly marker: string } {
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
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const from = marker === '' ? '' : `&marker=${encodeURIComponent(marker)}`;
    const query = `restype=container&comp=list&prefix=csv2/csv${year}/&maxresults=5000${from}`;
    const { status, body } = await http.get(`${CONTAINER}?${query}`);
    if (status === NOT_FOUND) return files;
    if (status !== OK) throw new UpstreamFailure('refused', `the listing of ${year}: status ${status}`);
    try {
      const listed = blobsOf(replyText('the listing', body, declaration.largestReplyBytes));
      files.push(...listed.files);
      marker = listed.marker;
    } catch (error) {
      if (!(error instanceof RefusedReply)) throw error;
      throw new UpstreamFailure(error.reason, error.message);
    }
    if (marker === '') return files;
  }
  throw new UpstreamFailure('malformed', `the listing of ${year} has no end`);
}

export const NOAA: DayPublisher = { format: NOAA_FORMAT, list: listYear };
