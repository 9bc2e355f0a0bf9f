/**
 * Daily position files, read in chunks of any size without making a string a row. Columns are found from the header,
 * numbers are read from the bytes, and a row of a vessel that is not followed is left at its MMSI.
 */
import { blankFix, type Fix, UNKNOWN } from '../fix.ts';
import type { Column, CsvLayout } from './csv-layouts.ts';
import { type Decoded, type FixSink, nothingDecoded, UnreadablePositions } from './decoded.ts';

const [LF, CR, QUOTE, COMMA, DOT, MINUS, ZERO, NINE] = [10, 13, 34, 44, 46, 45, 48, 57];
/** Bytes of a line that is longer than any row can be. */
const LONGEST_LINE = 65_536;
const NEEDED: readonly Column[] = ['mmsi', 'time', 'latitude', 'longitude'];
const CODES: Readonly<Record<Column, number>> = {
  mmsi: 1,
  time: 2,
  latitude: 3,
  longitude: 4,
  speed: 5,
  heading: 6,
  type: 7,
  status: 8,
  imo: 9,
};

const decoder = new TextDecoder();
const wordOf = (bytes: Uint8Array, from: number, to: number): string =>
  decoder.decode(bytes.subarray(from, to)).trim().toLowerCase();

/** Digits of `bytes` from `from`, as many as there are up to `count`; `NaN` where one is not a digit. */
function digits(bytes: Uint8Array, from: number, count: number): number {
  let value = 0;
  for (let at = from; at < from + count; at += 1) {
    const digit = (bytes[at] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** The number in `bytes[from, to)` times ten to `decimals`, rounded; `NaN` for an empty field or anything else. */
function decimal(bytes: Uint8Array, from: number, to: number, decimals: number): number {
  let at = from;
  const isNegative = bytes[at] === MINUS;
  if (isNegative) at += 1;
  if (at >= to) return Number.NaN;
  let value = 0;
  let left = -1;
  let up = 0;
  for (; at < to; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte >= ZERO && byte <= NINE) {
      if (left < 0 || left > 0) value = value * 10 + byte - ZERO;
      else if (up === 0) up = byte - ZERO >= 5 ? 1 : 2;
      if (left > 0) left -= 1;
    } else if (byte === DOT && left < 0) left = decimals;
    else return Number.NaN;
  }
  for (let missing = left < 0 ? decimals : left; missing > 0; missing -= 1) value *= 10;
  if (up === 1) value += 1;
  return isNegative ? -value : value;
}

export interface CsvPositions {
  /** Takes the next bytes of the file. Throws `UnreadablePositions` when the file does not have the layout. */
  push(chunk: Uint8Array): void;
  /** Takes a last line without a line end, and gives the counts. */
  end(): Decoded;
}

class PositionReader implements CsvPositions {
  private readonly decoded = nothingDecoded();
  private readonly fix: Fix = blankFix();
  /** The begin of a line whose end has not come. */
  private rest: Uint8Array = new Uint8Array(0);
  /** What each column is for, 0 where it is passed over; empty before the header. */
  private kinds: readonly number[] = [];
  private lastColumn = 0;
  private date = -1;
  private midnight = 0;

  constructor(
    private readonly layout: CsvLayout,
    private readonly take: FixSink,
    private readonly skips: (mmsi: number) => boolean,
  ) {}

  push(chunk: Uint8Array): void {
    let bytes = chunk;
    if (this.rest.length > 0) {
      bytes = new Uint8Array(this.rest.length + chunk.length);
      bytes.set(this.rest);
      bytes.set(chunk, this.rest.length);
    }
    let from = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, from)) {
      this.line(bytes, from, end);
      from = end + 1;
    }
    if (bytes.length - from > LONGEST_LINE)
      throw new UnreadablePositions(`a line is longer than ${LONGEST_LINE} bytes`);
    this.rest = bytes.slice(from);
  }

  end(): Decoded {
    if (this.rest.length > 0) this.line(this.rest, 0, this.rest.length);
    this.rest = new Uint8Array(0);
    if (this.kinds.length === 0) throw new UnreadablePositions('the file is empty');
    return this.decoded;
  }

  private line(bytes: Uint8Array, from: number, end: number): void {
    const to = end > from && bytes[end - 1] === CR ? end - 1 : end;
    if (to === from) return;
    if (this.kinds.length === 0) this.readHeader(bytes, from, to);
    else if (this.readRow(bytes, from, to)) {
      this.decoded.fixes += 1;
      this.take(this.fix);
    }
  }

  private readHeader(bytes: Uint8Array, from: number, to: number): void {
    const names = wordOf(bytes, from, to)
      .replace(/^\uFEFF/, '')
      .split(',');
    const columns = names.map((name) => this.layout.columns[name.trim().replaceAll('"', '')]);
    const missing = NEEDED.filter((column) => !columns.includes(column));
    if (missing.length > 0)
      throw new UnreadablePositions(
        `no column for ${missing.join(', ')}: the header is not that of ${this.layout.name}`,
      );
    this.kinds = columns.map((column) => (column === undefined ? 0 : CODES[column]));
    this.lastColumn = this.kinds.findLastIndex((kind) => kind !== 0);
  }

  /** Reads a row into the fix; false, and counted, when it is broken or of a vessel that is not followed. */
  private readRow(bytes: Uint8Array, from: number, to: number): boolean {
    const { fix, kinds, lastColumn } = this;
    fix.speed = UNKNOWN;
    fix.heading = UNKNOWN;
    fix.status = UNKNOWN;
    fix.vesselType = 0;
    fix.imo = 0;
    let at = from;
    let column = 0;
    for (; column <= lastColumn && at <= to; column += 1) {
      let begin = at;
      let end = at;
      if (bytes[at] === QUOTE) {
        begin = at + 1;
        end = begin;
        while (end < to && bytes[end] !== QUOTE) end += 1;
        at = end + 1;
      }
      while (at < to && bytes[at] !== COMMA) at += 1;
      if (begin === end) end = at;
      const kind = kinds[column] ?? 0;
      if (kind !== 0 && !this.readField(kind, bytes, begin, end)) return false;
      at += 1;
    }
    const isWhole = column > lastColumn;
    if (!isWhole) this.decoded.broken += 1;
    return isWhole;
  }

  /** False when the row is not to be read on. */
  private readField(kind: number, bytes: Uint8Array, from: number, to: number): boolean {
    const { fix } = this;
    let value: number;
    switch (kind) {
      case 1:
        value = digits(bytes, from, to - from);
        if (this.skips(value)) {
          this.decoded.others += 1;
          return false;
        }
        fix.mmsi = value;
        break;
      case 2:
        value = this.timeOf(bytes, from, to);
        fix.time = value;
        break;
      case 3:
        value = decimal(bytes, from, to, 5);
        fix.latitude = value;
        break;
      case 4:
        value = decimal(bytes, from, to, 5);
        fix.longitude = value;
        break;
      case 5:
        value = decimal(bytes, from, to, 1);
        fix.speed = Number.isNaN(value) ? UNKNOWN : value;
        return true;
      case 6:
        value = decimal(bytes, from, to, 0);
        fix.heading = Number.isNaN(value) ? UNKNOWN : value;
        return true;
      case 7:
        fix.vesselType = this.codeOf(this.layout.types, bytes, from, to, 0);
        return true;
      case 8:
        fix.status = this.codeOf(this.layout.statuses, bytes, from, to, UNKNOWN);
        return true;
      default:
        fix.imo = imoOf(bytes, from, to);
        return true;
    }
    if (Number.isNaN(value) || to === from) {
      this.decoded.broken += 1;
      return false;
    }
    return true;
  }

  /** A number (`5` or `5.0`), or the code of a word. */
  private codeOf(
    words: Readonly<Record<string, number>>,
    bytes: Uint8Array,
    from: number,
    to: number,
    unknown: number,
  ): number {
    if (to === from) return unknown;
    const value = decimal(bytes, from, to, 0);
    return Number.isNaN(value) ? (words[wordOf(bytes, from, to)] ?? unknown) : value;
  }

  private timeOf(bytes: Uint8Array, from: number, to: number): number {
    if (to - from < 19) return Number.NaN;
    const isIso = this.layout.time === 'iso';
    const year = digits(bytes, isIso ? from : from + 6, 4);
    const month = digits(bytes, isIso ? from + 5 : from + 3, 2);
    const day = digits(bytes, isIso ? from + 8 : from, 2);
    const date = year * 10_000 + month * 100 + day;
    if (date !== this.date) {
      this.date = date;
      this.midnight = Date.UTC(year, month - 1, day) / 1000;
    }
    const hour = digits(bytes, from + 11, 2);
    const minute = digits(bytes, from + 14, 2);
    const second = digits(bytes, from + 17, 2);
    return hour < 24 && minute < 60 && second < 61
      ? this.midnight + hour * 3600 + minute * 60 + second
      : Number.NaN;
  }
}

/** `IMO9307839`, `9307839`, or 0 for anything else. */
function imoOf(bytes: Uint8Array, from: number, to: number): number {
  const value = to - from >= 7 ? digits(bytes, to - 7, 7) : Number.NaN;
  return Number.isNaN(value) ? 0 : value;
}

/** A reader of one file; `skips` says which vessels' rows are left at their MMSI. */
export const csvPositions = (
  layout: CsvLayout,
  take: FixSink,
  skips: (mmsi: number) => boolean = () => false,
): CsvPositions => new PositionReader(layout, take, skips);
