/** Fetches day files of positions: the next one, a corrected one, or one of a past day. */

import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { PortBox } from '../reference/port-boxes.ts';
import { addDays, type Day, dayOf, endOfDay, formatInstant, startOfDay } from '../reference/time.ts';
import { type Decompressor, decompressor, type SizeLimits } from '../upstream/files/compression.ts';
import { DAY_FILE, type DayNote, readDayNote, writeDayNote } from '../upstream/files/notes.ts';
import { replyText } from '../upstream/files/text.ts';
import { type HttpClient, type HttpReply, UpstreamFailure } from '../upstream/http-client.ts';
import {
  type FetchContext,
  type FetchedFiles,
  type PastFetches,
  type Refusal,
  RefusedReply,
  type Source,
} from '../upstream/source.ts';
import { type CsvLayout, type CsvPositions, dayPositions } from './decoders/csv-positions.ts';
import { type Fix, gateFix, UNKNOWN, UnreadablePositions, vesselClass } from './fix.ts';
import { DEGREE } from './geometry.ts';
import { DayPlausibility } from './plausibility.ts';
import { approachesTo, isInside } from './port-areas.ts';

// A country's day of positions has up to 3 GB of text. The cut, which is archived, has the rows that the ports need.

/** Boxes of a country, by region: each region has an engine state of its own. */
type RegionBoxes = Readonly<Record<string, readonly PortBox[]>>;

export interface DayFormat {
  readonly layout: CsvLayout;
  readonly regions: RegionBoxes;
  /** Area that the publisher's receivers reach, in degrees; positions outside it are misplaced. */
  readonly area: Pick<PortBox, 'south' | 'west' | 'north' | 'east'>;
  readonly limits: SizeLimits;
}

export interface DayFile {
  readonly day: Day;
  readonly file: string;
  readonly version: string;
}

/** Largest shares of the rows of a day file that are unreadable, late, of other days, or outside the publisher's area. */
const MAX_SHARES = { broken: 0.01, late: 0.01, otherDay: 0.01, misplaced: 0.5 } as const;
const LATE_SECONDS = 600;
/** A whole day has rows in its last ten minutes. */
const LAST_SECONDS = 600;
const HOUR_SECONDS = 3600;

/** Columns of NOAA's layout since 2025. */
const HEADER = 'mmsi,base_date_time,longitude,latitude,sog,heading,imo,vessel_type,status\n';

const optional = (value: number): string => (value === UNKNOWN ? '' : String(value));

function csvLine(fix: Fix, time: string): string {
  const speed = fix.speed === UNKNOWN ? '' : (fix.speed / 10).toFixed(1);
  const position = `${(fix.longitude / DEGREE).toFixed(5)},${(fix.latitude / DEGREE).toFixed(5)}`;
  const identity = `${fix.imo === 0 ? '' : `IMO${fix.imo}`},${fix.vesselType === 0 ? '' : fix.vesselType}`;
  return `${fix.mmsi},${time},${position},${speed},${optional(fix.heading)},${identity},${optional(fix.status)}\n`;
}

const PIECE_BYTES = 1024 * 1024;
const MAX_ROW = 256;

/** Rows of one region, compressed piece by piece into members of one gzip file, so that a day's text is not in memory at once. */
class RegionRows {
  private readonly pieces: Uint8Array[] = [];
  /** Bytes, not strings: strings that wait for compression outlive the collector's young generation. */
  private readonly piece = Buffer.allocUnsafe(PIECE_BYTES);
  private bytes = this.piece.write(HEADER, 'latin1');

  add(row: string): void {
    if (this.bytes > PIECE_BYTES - MAX_ROW) this.flush();
    this.bytes += this.piece.write(row, this.bytes, 'latin1');
  }

  private flush(): void {
    this.pieces.push(gzipSync(this.piece.subarray(0, this.bytes)));
    this.bytes = 0;
  }

  compressed(): Uint8Array {
    this.flush();
    return Buffer.concat(this.pieces);
  }
}

interface RegionBox {
  readonly region: RegionRows;
  readonly box: PortBox;
  readonly hours: readonly Set<number>[];
}

const DAY_HOURS = 24;

/** Returns the boxes and the approaches of their ports, which do not count towards the reception of a port. */
function readAreas(boxes: readonly PortBox[]): PortBox[] {
  const approaches = approachesTo(boxes.flatMap(({ ports }) => ports));
  return [...boxes, ...approaches.map((area) => ({ ...area, ports: [], neighbours: [] }))];
}

/** Boxes by whole degree: every row of a country is looked up. */
class BoxIndex {
  private readonly cells = new Map<number, RegionBox[]>();

  constructor(boxes: readonly RegionBox[]) {
    for (const regionBox of boxes) {
      const { south, west, north, east } = regionBox.box;
      for (let latitude = Math.floor(south); latitude <= north; latitude += 1)
        for (let longitude = Math.floor(west); longitude <= east; longitude += 1) {
          const cell = latitude * 1000 + longitude;
          this.cells.set(cell, [...(this.cells.get(cell) ?? []), regionBox]);
        }
    }
  }

  near({ latitude, longitude }: Fix): readonly RegionBox[] | undefined {
    return this.cells.get(Math.floor(latitude / DEGREE) * 1000 + Math.floor(longitude / DEGREE));
  }
}

export const cutName = (region: string): string => `positions-${region}.csv.gz`;

/** Cuts one file, which is pushed in chunks of any size. */
export class DayCut {
  private readonly regions: ReadonlyMap<string, RegionRows>;
  private readonly boxes: readonly RegionBox[];
  private readonly index: BoxIndex;
  private readonly reader: CsvPositions;
  /** Decompresses a file that is pushed in chunks; a file that is read whole has its own. */
  private decompressor: Decompressor | undefined;
  private readonly hash = createHash('sha256');
  private readonly newestByVessel = new Map<number, number>();
  private readonly startSecond: number;
  private readonly endSecond: number;
  private bytes = 0;
  private rows = 0;
  private readonly plausibility = new DayPlausibility();
  private newest = 0;
  private readonly counts = { rejected: 0, misplaced: 0, otherDay: 0, late: 0 };
  /** Second of the row before and its text: rows are nearly in order of time. */
  private second = 0;
  private secondText = '';

  constructor(
    private readonly source: DayFile,
    private readonly format: DayFormat,
  ) {
    this.startSecond = startOfDay(source.day) / 1000;
    this.endSecond = endOfDay(source.day) / 1000;
    const entries = Object.entries(format.regions);
    this.regions = new Map(entries.map(([name]) => [name, new RegionRows()]));
    this.boxes = entries.flatMap(([name, boxes]) => {
      const region = this.regions.get(name) ?? new RegionRows();
      return readAreas(boxes).map(
        (box): RegionBox => ({ region, box, hours: Array.from({ length: DAY_HOURS }, () => new Set()) }),
      );
    });
    this.index = new BoxIndex(this.boxes);
    this.reader = dayPositions(format.layout, (fix) => this.take(fix));
  }

  /** Takes the next bytes of the file. Throws `RefusedReply` as soon as the file turns out to be unusable. */
  push(chunk: Uint8Array): void {
    this.bytes += chunk.length;
    this.hash.update(chunk);
    this.decompressor ??= decompressor(this.source.file, this.read, this.format.limits);
    this.decompressor.push(chunk);
  }

  private readonly read = (chunk: Uint8Array): void => this.reading(() => this.reader.push(chunk));

  /**
   * Returns the files to archive: a note and the rows of each region. Throws `RefusedReply` if the file cannot stand for the day. That is
   * also the case if no row states a type, because the ports would seem empty, or if speeds and positions contradict one another.
   */
  end(more: Partial<Pick<DayNote, 'taken' | 'upTo'>> = {}): FetchedFiles {
    this.decompressor?.end();
    if (this.bytes === 0) throw new RefusedReply('empty', `${this.source.file} is empty`);
    const { broken } = this.reading(() => this.reader.end());
    const { file, day, version } = this.source;
    const { rejected, misplaced, otherDay, late } = this.counts;
    const all = this.rows + broken;
    if (all === 0) throw new RefusedReply('empty', `${file} has no row`);
    const bounded = [
      ['broken-rows', broken, MAX_SHARES.broken, 'could not be read'],
      ['outside-area', misplaced + rejected, MAX_SHARES.misplaced, 'lie outside the area of the receivers'],
      ['other-day', otherDay, MAX_SHARES.otherDay, `are not of ${day}`],
      ['disordered', late, MAX_SHARES.late, 'come more than ten minutes after a later one of their vessel'],
    ] as const;
    for (const [reason, count, share, what] of bounded)
      if (count > share * all)
        throw new RefusedReply(reason, `${file}: ${count} of ${all} rows read ${what}`);
    const [reason, words] = this.plausibility.fault() ?? [];
    if (reason !== undefined) throw new RefusedReply(reason, `${file}: ${words}`);
    if (this.newest < this.endSecond - LAST_SECONDS)
      throw new RefusedReply('incomplete-day', `${file} ends at ${formatInstant(this.newest * 1000)}`);
    const counted = (count: number, reason: string, what: string): Refusal[] =>
      count === 0 ? [] : [{ reason, detail: `${file}: ${count} ${what}` }];
    const note = writeDayNote({
      day,
      file,
      version,
      digest: this.hash.digest('hex'),
      bytes: this.bytes,
      refusals: [
        ...counted(broken, 'broken-row', 'rows could not be read'),
        ...counted(rejected, 'impossible-fix', 'rows without a vessel or a position that can be'),
        ...counted(misplaced, 'outside-area', 'positions outside the area of the receivers'),
        ...counted(otherDay, 'other-day', `rows that are not of ${day}`),
        ...counted(late, 'late-row', 'rows more than ten minutes after a later one of their vessel'),
      ],
      heard: this.vesselHours(),
      ...more,
      taken: { ...more.taken, [day]: version },
    });
    const cuts = [...this.regions].map(([region, rows]) => [cutName(region), rows.compressed()] as const);
    return new Map([[DAY_FILE, note], ...cuts]);
  }

  private vesselHours(): Record<string, number> {
    const hours = this.boxes.flatMap(({ box, hours }) => {
      const sum = hours.reduce((total, vessels) => total + vessels.size, 0);
      return box.ports.map((port) => [port, sum] as const);
    });
    return Object.fromEntries(hours);
  }

  /** Translates the refusals of the layout into those of all sources. */
  private reading<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof UnreadablePositions)) throw error;
      throw new RefusedReply('malformed', `${this.source.file}: ${error.message}`);
    }
  }

  private take(fix: Fix): void {
    this.rows += 1;
    if (!this.isFixOfDay(fix)) return;
    this.plausibility.take(fix);
    this.noteTime(fix);
    const near = this.index.near(fix);
    if (near !== undefined) this.write(fix, near);
    else if (!isInside(this.format.area, fix)) this.counts.misplaced += 1;
  }

  private isFixOfDay(fix: Fix): boolean {
    const isOfDay = fix.time >= this.startSecond && fix.time < this.endSecond;
    if (!isOfDay) this.counts.otherDay += 1;
    else if (gateFix(fix, this.endSecond) !== undefined) this.counts.rejected += 1;
    else return true;
    return false;
  }

  private noteTime({ mmsi, time }: Fix): void {
    if (time > this.newest) this.newest = time;
    const newest = this.newestByVessel.get(mmsi) ?? 0;
    if (time > newest) this.newestByVessel.set(mmsi, time);
    else if (newest - time > LATE_SECONDS) this.counts.late += 1;
  }

  /** Counts the vessel in the boxes that it is in, and writes the row for their regions if vessels of its type count. */
  private write(fix: Fix, near: readonly RegionBox[]): void {
    const hour = Math.floor((fix.time - this.startSecond) / HOUR_SECONDS);
    const counts = vesselClass(fix.vesselType) !== 'other';
    let written: RegionRows | undefined;
    for (const { box, region, hours } of near) {
      if (!isInside(box, fix)) continue;
      hours[hour]?.add(fix.mmsi);
      if (!counts || written === region) continue;
      written = region;
      region.add(csvLine(fix, this.timeText(fix.time)));
    }
  }

  private timeText(time: number): string {
    if (time !== this.second) {
      this.second = time;
      this.secondText = formatInstant(time * 1000).slice(0, 19);
    }
    return this.secondText;
  }
}

export interface ListedDay extends DayFile {
  readonly address: string;
}

export interface DayPublisher {
  readonly format: DayFormat;
  /** The files of a calendar year, in any order; none when the year is not listed. Throws `UpstreamFailure`. */
  list(http: HttpClient, year: number): Promise<readonly ListedDay[]>;
}

/** The content of a listing's reply. Throws `UpstreamFailure` for a status but 200, and for a listing that cannot be read. */
export function listingIn<T>(
  what: string,
  { status, body }: HttpReply,
  maxBytes: number,
  read: (text: string) => T,
): T {
  if (status !== OK) throw new UpstreamFailure('refused', `the listing of ${what}: status ${status}`);
  try {
    return read(replyText('the listing', body, maxBytes));
  } catch (error) {
    if (!(error instanceof RefusedReply)) throw error;
    throw new UpstreamFailure(error.reason, error.message);
  }
}

/** Number of days whose version is remembered. Publishers correct at most the last year. */
const REMEMBERED_DAYS = 400;
const OK = 200;

type Taken = Readonly<Record<Day, string>>;

const readYear = (day: Day): number => Number(day.slice(0, 4));

const remembered = (taken: Taken): Record<Day, string> =>
  Object.fromEntries(
    Object.entries(taken)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(-REMEMBERED_DAYS),
  );

function takenIn(files: FetchedFiles | undefined): Taken {
  try {
    return (files && readDayNote(files)?.taken) ?? {};
  } catch (error) {
    if (error instanceof RefusedReply) return {};
    throw error;
  }
}

/** Fetches a file and returns its cut. For an unusable file this is a note that says why, so that later days do not wait. Throws `UpstreamFailure`. */
async function fetchFile(
  http: HttpClient,
  format: DayFormat,
  { address, ...file }: ListedDay,
  more: { readonly taken: Taken; readonly upTo?: string },
): Promise<FetchedFiles> {
  let files: FetchedFiles | undefined;
  const { status } = await http.get(address, { 'accept-encoding': 'identity' }, async (chunks, head) => {
    if (head.status !== OK) return;
    const cut = new DayCut(file, format);
    try {
      for await (const chunk of chunks) cut.push(chunk);
      files = cut.end(more);
    } catch (error) {
      if (!(error instanceof RefusedReply)) throw error;
      const { reason, message } = error;
      const refused = { refused: { reason, detail: message }, refusals: [], heard: {} };
      const taken = { ...more.taken, [file.day]: file.version };
      files = new Map([[DAY_FILE, writeDayNote({ ...file, ...more, ...refused, taken })]]);
    }
  });
  if (files === undefined) throw new UpstreamFailure('refused', `${file.file}: status ${status}`);
  return files;
}

/**
 * Fetches the first new day; else the oldest day whose version has changed; else returns a note that nothing is new. The very first
 * fetch takes the newest day.
 */
async function fetchNextDay(
  { format, list }: DayPublisher,
  { http, now, lastFetchAt: observedUpToAt, lastFiles }: FetchContext,
): Promise<FetchedFiles> {
  const taken = remembered(takenIn(await lastFiles?.()));
  const thisYear = readYear(dayOf(now()));
  const byDay = (files: readonly ListedDay[]): ListedDay[] =>
    [...files].sort((a, b) => (a.day < b.day ? -1 : 1));
  if (observedUpToAt === undefined) {
    const newest = byDay(await list(http, thisYear)).at(-1) ?? byDay(await list(http, thisYear - 1)).at(-1);
    if (newest === undefined) throw new UpstreamFailure('empty', 'no day file is listed');
    return fetchFile(http, format, newest, { taken });
  }
  const next = dayOf(observedUpToAt);
  const upTo = formatInstant(observedUpToAt);
  const isNew = ({ day, version }: ListedDay): boolean => day >= next && taken[day] !== version;
  const listed = byDay(await list(http, readYear(next)));
  let found = listed.find(isNew);
  if (found === undefined && readYear(next) < thisYear)
    found = byDay(await list(http, readYear(next) + 1)).find(isNew);
  if (found !== undefined) return fetchFile(http, format, found, { taken, upTo });
  const older = byDay([...(await list(http, readYear(next) - 1)), ...listed]);
  const corrected = older.find(({ day, version }) => taken[day] !== undefined && taken[day] !== version);
  if (corrected !== undefined) return fetchFile(http, format, corrected, { taken, upTo });
  return new Map([[DAY_FILE, writeDayNote({ refusals: [], heard: {}, upTo, taken })]]);
}

/** Listings by year, for a back-fill that fetches many days. */
const listings = new WeakMap<HttpClient, Map<number, readonly ListedDay[]>>();

async function listedOnce(
  { list }: DayPublisher,
  http: HttpClient,
  year: number,
): Promise<readonly ListedDay[]> {
  const known = listings.get(http) ?? new Map<number, readonly ListedDay[]>();
  listings.set(http, known);
  const files = known.get(year) ?? (await list(http, year));
  known.set(year, files);
  return files;
}

/** Writes the file of one past day, as if fetched at its end. Skips a day that is not listed. */
async function fetchPastDay(
  publisher: DayPublisher,
  http: HttpClient,
  past: PastFetches,
  day: Day,
): Promise<void> {
  const fetchedAt = endOfDay(day);
  if (await past.has(fetchedAt)) return;
  const listed = (await listedOnce(publisher, http, readYear(day))).find((file) => file.day === day);
  if (listed === undefined) return;
  const taken = remembered(takenIn(await past.read?.(endOfDay(addDays(day, -1)))));
  await past.write({ fetchedAt, files: await fetchFile(http, publisher.format, listed, { taken }) });
}

/** The members of a source that fetch day files: `fetch`, and `history` over the given hosts. */
export const dayFetcher = (
  publisher: DayPublisher,
  hosts: readonly string[],
): Pick<Source, 'fetch' | 'history'> => ({
  fetch: (context) => fetchNextDay(publisher, context),
  history: { hosts, fetchDay: (http, past, day) => fetchPastDay(publisher, http, past, day) },
});
