/**
 * Daily position files, read in chunks of any size without making a string a row. Columns are found from the header,
 * numbers are read from the bytes, and a row of a vessel that is not followed is left at its MMSI.
 */
import { blankFix, type Fix, UNKNOWN } from '../fix.ts';
import type { Column, CsvLayout } from './csv-layouts.ts';
import { type Decoded, type FixSink, nothingDecoded, UnreadablePositions } from './decoded.ts';
import { KIND, PlainRows, ROW } from './plain-rows.ts';

const [LF, CR, QUOTE, COMMA, DOT, MINUS, ZERO, NINE] = [10, 13, 34, 44, 46, 45, 48, 57];
/** Bytes of a line that is longer than any row can be. */
const MAX_LINE = 65_536;
const NEEDED: readonly Column[] = ['mmsi', 'time', 'latitude', 'longitude'];
const NOTHING = new Uint8Array(0);
const POSITION_DECIMALS = 5;
const SPEED_DECIMALS = 1;

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

const decoder = new TextDecoder();
const readWord = (bytes: Uint8Array, from: number, to: number): string =>
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
  return isNegative ? 0 - value : value;
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
  private rest: Uint8Array = NOTHING;
  /** What each column is for, 0 where it is passed over; empty before the header. */
  private kinds = new Uint8Array(0);
  /** Undefined where the columns come in another order, or the layout has words in every row. */
  private plain: PlainRows | undefined;

  constructor(
    private readonly layout: CsvLayout,
    private readonly take: FixSink,
    private readonly skips: (mmsi: number) => boolean,
  ) {}

  push(chunk: Uint8Array): void {
    let from = 0;
    if (this.rest.length > 0) {
      const end = chunk.indexOf(LF);
      const line = joined(this.rest, end < 0 ? chunk : chunk.subarray(0, end));
      this.rest = end < 0 ? line : NOTHING;
      if (end >= 0) this.line(line, 0, line.length);
      from = end < 0 ? chunk.length : end + 1;
    }
    // A buffer finds a line end several times as fast as a plain byte array.
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    const stop = bytes.lastIndexOf(LF) + 1;
    while (from < stop) from = this.readPlainRows(bytes, from, stop) ?? this.readLine(bytes, from);
    if (from < chunk.length) this.rest = chunk.slice(from);
    if (this.rest.length > MAX_LINE) throw new UnreadablePositions(`a line is longer than ${MAX_LINE} bytes`);
  }

  /** Reads rows from `from` as long as they are plain, and gives where they end; undefined when the first is not. */
  private readPlainRows(bytes: Buffer, from: number, stop: number): number | undefined {
    const { plain, decoded } = this;
    if (plain === undefined) return undefined;
    let at = from;
    while (at < stop) {
      const outcome = plain.read(bytes, at);
      if (outcome === ROW.notPlain) return at === from ? undefined : at;
      at = plain.next;
      if (outcome === ROW.fix) {
        decoded.fixes += 1;
        this.take(this.fix);
      } else decoded.others += 1;
    }
    return at;
  }

  private readLine(bytes: Uint8Array, from: number): number {
    const end = bytes.indexOf(LF, from);
    this.line(bytes, from, end);
    return end + 1;
  }

  /** What a row states that lacks the columns that it may lack. */
  private clearFix(): void {
    const { fix } = this;
    fix.speed = UNKNOWN;
    fix.heading = UNKNOWN;
    fix.status = UNKNOWN;
    fix.vesselType = 0;
    fix.imo = 0;
  }

  end(): Decoded {
    if (this.rest.length > 0) this.line(this.rest, 0, this.rest.length);
    this.rest = NOTHING;
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
    const names = readWord(bytes, from, to)
      .replace(/^\uFEFF/, '')
      .split(',');
    const columns = names.map((name) => this.layout.columns[name.trim().replaceAll('"', '')]);
    const missing = NEEDED.filter((column) => !columns.includes(column));
    if (missing.length > 0)
      throw new UnreadablePositions(
        `no column for ${missing.join(', ')}: the header is not that of ${this.layout.name}`,
      );
    const last = columns.findLastIndex((column) => column !== undefined);
    this.kinds = Uint8Array.from(columns.slice(0, last + 1), (column) => KIND[column ?? 'none']);
    if (Object.keys(this.layout.statuses).length === 0)
      this.plain = PlainRows.of(this.kinds, this.fix, this.skips, (line, at) => this.midnightOf(line, at));
  }

  /** Reads a row into the fix; false, and counted, when it is broken or of a vessel that is not followed. */
  private readRow(bytes: Uint8Array, from: number, to: number): boolean {
    const { kinds } = this;
    this.clearFix();
    let at = from;
    let column = 0;
    for (; column < kinds.length && at <= to; column += 1) {
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
      const kind = kinds[column] ?? KIND.none;
      if (kind !== KIND.none && !this.readField(kind, bytes, begin, end)) return false;
      at += 1;
    }
    const isWhole = column === kinds.length;
    if (!isWhole) this.decoded.broken += 1;
    return isWhole;
  }

  /** False when the row is not to be read on. */
  private readField(kind: number, bytes: Uint8Array, from: number, to: number): boolean {
    const { fix } = this;
    let value: number;
    switch (kind) {
      case KIND.mmsi:
        value = digits(bytes, from, to - from);
        if (this.skips(value)) {
          this.decoded.others += 1;
          return false;
        }
        fix.mmsi = value;
        break;
      case KIND.time:
        value = this.timeOf(bytes, from, to);
        fix.time = value;
        break;
      case KIND.latitude:
        value = decimal(bytes, from, to, POSITION_DECIMALS);
        fix.latitude = value;
        break;
      case KIND.longitude:
        value = decimal(bytes, from, to, POSITION_DECIMALS);
        fix.longitude = value;
        break;
      case KIND.speed:
        value = decimal(bytes, from, to, SPEED_DECIMALS);
        fix.speed = Number.isNaN(value) ? UNKNOWN : value;
        return true;
      case KIND.heading:
        value = decimal(bytes, from, to, 0);
        fix.heading = Number.isNaN(value) ? UNKNOWN : value;
        return true;
      case KIND.type:
        fix.vesselType = this.codeOf(this.layout.types, bytes, from, to, 0);
        return true;
      case KIND.status:
        fix.status = this.codeOf(this.layout.statuses, bytes, from, to, UNKNOWN);
        return true;
      default:
        fix.imo = imo(bytes, from, to);
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
    return Number.isNaN(value) ? (words[readWord(bytes, from, to)] ?? unknown) : value;
  }

  private timeOf(bytes: Uint8Array, from: number, to: number): number {
    if (to - from < 19) return Number.NaN;
    const midnight = this.midnightOf(bytes, from);
    const hour = digits(bytes, from + 11, 2);
    const minute = digits(bytes, from + 14, 2);
    const second = digits(bytes, from + 17, 2);
    return hour < 24 && minute < 60 && second < 61
      ? midnight + hour * 3600 + minute * 60 + second
      : Number.NaN;
  }

  private midnightOf(bytes: Uint8Array, from: number): number {
    const isIso = this.layout.time === 'iso';
    const year = digits(bytes, isIso ? from : from + 6, 4);
    const month = digits(bytes, isIso ? from + 5 : from + 3, 2);
    const day = digits(bytes, isIso ? from + 8 : from, 2);
    return Date.UTC(year, month - 1, day) / 1000;
  }
}

/** `IMO9307839`, `9307839`, or 0 for anything else. */
function imo(bytes: Uint8Array, from: number, to: number): number {
  const value = to - from >= 7 ? digits(bytes, to - 7, 7) : Number.NaN;
  return Number.isNaN(value) ? 0 : value;
}

/** A reader of one file; `skips` says which vessels' rows are left at their MMSI. */
export const csvPositions = (
  layout: CsvLayout,
  take: FixSink,
  skips: (mmsi: number) => boolean = () => false,
): CsvPositions => new PositionReader(layout, take, skips);
