/** Daily position files, read in chunks. A row of a vessel that is not followed is left at its MMSI. */
import { parse } from 'csv-parse/sync';
import {
  blankFix,
  type Decoded,
  type Fix,
  type FixSink,
  nothingDecoded,
  UNKNOWN,
  UnreadablePositions,
  vesselClass,
} from '../fix.ts';

// The layouts of daily position files: their columns, and how each publisher writes the values.

/** What a column is for; columns of any other name are passed over. */
export type Column =
  | 'mmsi'
  | 'time'
  | 'latitude'
  | 'longitude'
  | 'speed'
  | 'heading'
  | 'type'
  | 'status'
  | 'imo';

export interface CsvLayout {
  readonly name: string;
  /** Column names of the header, in lower case. */
  readonly columns: Readonly<Record<string, Column>>;
  /** `iso`: `YYYY-MM-DD`, a T or a blank, `HH:MM:SS`; `danish`: `DD/MM/YYYY HH:MM:SS`. All are UTC. */
  readonly time: 'iso' | 'danish';
  /** Codes of words, in lower case, where a column has words instead of numbers. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly types: Readonly<Record<string, number>>;
}

/** NOAA up to 2024: `MMSI,BaseDateTime,LAT,LON,SOG,COG,Heading,VesselName,IMO,…`; from 2025 lower case, longitude first. */
export const NOAA_LAYOUT: CsvLayout = {
  name: 'NOAA MarineCadastre',
  columns: {
    mmsi: 'mmsi',
    basedatetime: 'time',
    base_date_time: 'time',
    lat: 'latitude',
    latitude: 'latitude',
    lon: 'longitude',
    longitude: 'longitude',
    sog: 'speed',
    heading: 'heading',
    vesseltype: 'type',
    vessel_type: 'type',
    status: 'status',
    imo: 'imo',
  },
  time: 'iso',
  statuses: {},
  types: {},
};

/** The Danish Maritime Authority: words for status and type, "Unknown" for unknown values. */
export const DANISH_LAYOUT: CsvLayout = {
  name: 'Danish Maritime Authority',
  columns: {
    '# timestamp': 'time',
    timestamp: 'time',
    mmsi: 'mmsi',
    latitude: 'latitude',
    longitude: 'longitude',
    'navigational status': 'status',
    sog: 'speed',
    heading: 'heading',
    imo: 'imo',
    'ship type': 'type',
  },
  time: 'danish',
  statuses: {
    'under way using engine': 0,
    'at anchor': 1,
    'not under command': 2,
    'restricted maneuverability': 3,
    'constrained by her draught': 4,
    moored: 5,
    aground: 6,
    'engaged in fishing': 7,
    'under way sailing': 8,
  },
  types: {
    wig: 20,
    fishing: 30,
    towing: 31,
    'towing long/wide': 32,
    dredging: 33,
    diving: 34,
    military: 35,
    sailing: 36,
    pleasure: 37,
    reserved: 38,
    hsc: 40,
    pilot: 50,
    sar: 51,
    tug: 52,
    'port tender': 53,
    'anti-pollution': 54,
    'law enforcement': 55,
    'spare 1': 56,
    'spare 2': 57,
    medical: 58,
    passenger: 60,
    cargo: 70,
    tanker: 80,
    other: 90,
  },
};

/** Ignore lines longer than this. */
const MAX_LINE = 65_536;
const NEEDED: readonly Column[] = ['mmsi', 'time', 'latitude', 'longitude'];
const POSITION_DECIMALS = 5;
const SPEED_DECIMALS = 1;
const [LF, CR, QUOTE, COMMA, MINUS, DOT, ZERO, NINE] = [10, 13, 34, 44, 45, 46, 48, 57];

/** Digits of `text` from `from`, as many as there are up to `count`; `NaN` where one is not a digit. */
function digits(text: string, from: number, count: number): number {
  let value = 0;
  for (let at = from; at < from + count; at += 1) {
    const digit = text.charCodeAt(at) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

const wholeNumber = (text: string): number => (text === '' ? Number.NaN : digits(text, 0, text.length));

/** The number in `text` times ten to `decimals`, rounded by its digits; `NaN` for an empty field or anything else. */
function decimal(text: string, decimals: number): number {
  const isNegative = text.charCodeAt(0) === MINUS;
  let at = isNegative ? 1 : 0;
  if (at >= text.length) return Number.NaN;
  let value = 0;
  /** Decimals still to come; -1 before the point. */
  let left = -1;
  let dropped = -1;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= ZERO && code <= NINE) {
      if (left !== 0) value = value * 10 + code - ZERO;
      else if (dropped < 0) dropped = code - ZERO;
      if (left > 0) left -= 1;
    } else if (code === DOT && left < 0) left = decimals;
    else return Number.NaN;
  }
  for (let missing = left < 0 ? decimals : left; missing > 0; missing -= 1) value *= 10;
  if (dropped >= 5) value += 1;
  return isNegative ? 0 - value : value;
}

const known = (value: number): number => (Number.isNaN(value) ? UNKNOWN : value);

/** A number (`5` or `5.0`), or the code of a word. */
function readCode(text: string, words: Readonly<Record<string, number>>, unknown: number): number {
  if (text === '') return unknown;
  const value = decimal(text, 0);
  return Number.isNaN(value) ? (words[text.trim().toLowerCase()] ?? unknown) : value;
}

/** `IMO9307839`, `9307839`, or 0 for anything else. */
function readImo(text: string): number {
  const value = text.length >= 7 ? digits(text, text.length - 7, 7) : Number.NaN;
  return Number.isNaN(value) ? 0 : value;
}

/** The fields of a line whose quotes enclose whole fields and nothing else; undefined of any other. */
function enclosedFields(line: string): readonly string[] | undefined {
  const fields: string[] = [];
  for (let at = 0; ; ) {
    const isQuoted = line.charCodeAt(at) === QUOTE;
    const from = isQuoted ? at + 1 : at;
    const found = line.indexOf(isQuoted ? '"' : ',', from);
    if (isQuoted && found < 0) return undefined;
    const to = found < 0 ? line.length : found;
    const field = line.slice(from, to);
    if (!isQuoted && field.includes('"')) return undefined;
    fields.push(field);
    const end = isQuoted ? to + 1 : to;
    if (end === line.length) return fields;
    if (line.charCodeAt(end) !== COMMA) return undefined;
    at = end + 1;
  }
}

/** The fields of a line with quotes; undefined where they do not end. The parser takes thirty times as long as a look at the quotes. */
function quotedFields(line: string): readonly string[] | undefined {
  const enclosed = enclosedFields(line);
  if (enclosed !== undefined) return enclosed;
  try {
    return parse(line, { relax_quotes: true })[0];
  } catch {
    return undefined;
  }
}

const fieldAt = (fields: readonly string[], column: number | undefined): string =>
  column === undefined ? '' : (fields[column] ?? '');

/** A reader of one file; `skips` says which vessels' rows are left at their MMSI. */
export class CsvPositions {
  private readonly decoded = nothingDecoded();
  private readonly fix: Fix = blankFix();
  /** The beginning of a line whose end has not arrived. */
  private rest = Buffer.alloc(0);
  private columns: Partial<Record<Column, number>> | undefined;
  private least = 0;
  /** The date of the previous row and the Unix second of its midnight: rows of a day are in order. */
  private date = '';
  private midnight = Number.NaN;

  constructor(
    private readonly layout: CsvLayout,
    private readonly take: FixSink,
    private readonly skips: (mmsi: number) => boolean = () => false,
  ) {}

  /** Takes the next bytes of the file. Throws `UnreadablePositions` when the file does not have the layout. */
  push(chunk: Uint8Array): void {
    const bytes = Buffer.concat([this.rest, chunk]);
    let from = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, from)) {
      this.line(bytes, from, end);
      from = end + 1;
    }
    this.rest = bytes.subarray(from);
    if (this.rest.length > MAX_LINE) throw new UnreadablePositions(`a line is longer than ${MAX_LINE} bytes`);
  }

  /** Takes a last line without a line end, and gives the counts. */
  end(): Decoded {
    this.line(this.rest, 0, this.rest.length);
    this.rest = Buffer.alloc(0);
    if (this.columns === undefined) throw new UnreadablePositions('the file is empty');
    return this.decoded;
  }

  private line(bytes: Buffer, from: number, end: number): void {
    const to = end > from && bytes[end - 1] === CR ? end - 1 : end;
    if (to === from) return;
    if (this.columns === undefined) {
      this.columns = this.readHeader(bytes.toString('utf8', from, to));
      return;
    }
    // Most rows are skipped at their MMSI, where it comes first, without being parsed.
    const comma = this.columns.mmsi === 0 ? bytes.indexOf(COMMA, from) : -1;
    if (comma >= 0 && this.isSkipped(wholeNumber(bytes.toString('latin1', from, comma)))) return;
    // One byte is one character: everything read of a row is ASCII.
    this.row(bytes.toString('latin1', from, to), this.columns);
  }

  private readHeader(line: string): Partial<Record<Column, number>> {
    const names = line
      .replace(/^\uFEFF/, '')
      .toLowerCase()
      .split(',');
    const columns: Partial<Record<Column, number>> = {};
    for (const [index, name] of names.entries()) {
      const column = this.layout.columns[name.replaceAll('"', '').trim()];
      if (column !== undefined) [columns[column], this.least] = [index, index + 1];
    }
    const missing = NEEDED.filter((column) => columns[column] === undefined);
    if (missing.length > 0)
      throw new UnreadablePositions(
        `no column for ${missing.join(', ')}: the header is not that of ${this.layout.name}`,
      );
    return columns;
  }

  private row(line: string, columns: Partial<Record<Column, number>>): void {
    const { decoded, fix } = this;
    const fields = (line.includes('"') ? quotedFields(line) : line.split(',', this.least)) ?? [];
    const mmsi = fieldAt(fields, columns.mmsi);
    fix.mmsi = wholeNumber(mmsi);
    if (this.isSkipped(fix.mmsi)) return;
    fix.time = this.readTime(fieldAt(fields, columns.time));
    fix.latitude = decimal(fieldAt(fields, columns.latitude), POSITION_DECIMALS);
    fix.longitude = decimal(fieldAt(fields, columns.longitude), POSITION_DECIMALS);
    if (fields.length < this.least || Number.isNaN(fix.mmsi + fix.time + fix.latitude + fix.longitude)) {
      decoded.broken += 1;
      return;
    }
    fix.speed = known(decimal(fieldAt(fields, columns.speed), SPEED_DECIMALS));
    fix.heading = known(decimal(fieldAt(fields, columns.heading), 0));
    fix.vesselType = readCode(fieldAt(fields, columns.type), this.layout.types, 0);
    fix.status = readCode(fieldAt(fields, columns.status), this.layout.statuses, UNKNOWN);
    fix.imo = readImo(fieldAt(fields, columns.imo));
    decoded.fixes += 1;
    this.take(fix);
  }

  private isSkipped(mmsi: number): boolean {
    const isSkipped = this.skips(mmsi);
    if (isSkipped) this.decoded.others += 1;
    return isSkipped;
  }

  private readTime(text: string): number {
    if (text.length < 19) return Number.NaN;
    const date = text.slice(0, 10);
    if (date !== this.date) {
      this.date = date;
      this.midnight = this.readMidnight(date);
    }
    const [hour, minute, second] = [digits(text, 11, 2), digits(text, 14, 2), digits(text, 17, 2)];
    return hour < 24 && minute < 60 && second < 61
      ? this.midnight + hour * 3600 + minute * 60 + second
      : Number.NaN;
  }

  private readMidnight(date: string): number {
    const [year, month, day] =
      this.layout.time === 'iso'
        ? [digits(date, 0, 4), digits(date, 5, 2), digits(date, 8, 2)]
        : [digits(date, 6, 4), digits(date, 3, 2), digits(date, 0, 2)];
    return Date.UTC(year, month - 1, day) / 1000;
  }
}

// In a day file most rows are of tugs, fishing boats and yachts, which do not count. Two rows an hour of each are enough to show where
// vessels are received.

const HOUR_SECONDS = 3600;
/** Size of the table of vessels, less one. Two vessels that share a slot are read more often, never less. */
const LAST_SLOT = 0xffff;
/** Most rows skipped in a row, so that a new hour is noticed where no counted vessel is received. */
const MAX_LEFT = 50;

/** A reader of one file. Rows that are left at their MMSI are counted as others. */
export function dayPositions(layout: CsvLayout, take: FixSink): CsvPositions {
  // MMSIs by their last bits, because a set takes twice as long for each row; negative after one row, whose type may be garbled.
  const read = new Float64Array(LAST_SLOT + 1);
  let hour = 0;
  let left = 0;
  return new CsvPositions(
    layout,
    (fix) => {
      left = 0;
      const fixHour = Math.floor(fix.time / HOUR_SECONDS);
      if (fixHour !== hour) read.fill(0);
      hour = fixHour;
      const slot = fix.mmsi & LAST_SLOT;
      if (vesselClass(fix.vesselType) !== 'other') read[slot] = 0;
      else read[slot] = Math.abs(read[slot] ?? 0) === fix.mmsi ? fix.mmsi : -fix.mmsi;
      take(fix);
    },
    (mmsi) => {
      if (mmsi === 0 || read[mmsi & LAST_SLOT] !== mmsi || left === MAX_LEFT) return false;
      left += 1;
      return true;
    },
  );
}
