/**
 * The fast path through rows whose columns come in the order that NOAA and our own cuts use and whose fields are plain:
 * digits, signs and points, no quotes, no words. A row of any other kind is left to the general reader, and both read
 * every row alike.
 */
import { type Fix, UNKNOWN } from '../fix.ts';

const [LF, CR, BLANK, QUOTE, COMMA, MINUS, DOT, ZERO] = [10, 13, 32, 34, 44, 45, 46, 48];
const [NINE, COLON, LETTER_I, LETTER_M, LETTER_O, LETTER_T] = [57, 58, 73, 77, 79, 84];

/** What a column is for. */
export const KIND = {
  none: 0,
  mmsi: 1,
  time: 2,
  latitude: 3,
  longitude: 4,
  speed: 5,
  heading: 6,
  type: 7,
  status: 8,
  imo: 9,
} as const;

/** What became of a row. */
export const ROW = { notPlain: 0, fix: 1, skipped: 2 } as const;
export type RowOutcome = (typeof ROW)[keyof typeof ROW];

const MMSI_DIGITS = 9;
const IMO_DIGITS = 7;
const SIGN = 1 << 31;
/** A longer whole part is left to the general reader, so that five decimals still fit 30 bits. */
const WHOLE_DIGITS = 4;
/** Bytes of a date, and of a date with its time. */
const DATE_BYTES = 10;
const TIME_BYTES = 19;

/** In place of a number, which always fits 30 bits: the field is empty, or not plain. */
const EMPTY = -0x4000_0001;
const NOT_PLAIN = -0x4000_0002;

/** The columns in one letter each; the digits stand for the columns between, which are passed over. */
const ORDER = /^mt(yx|xy)v(0*)h(0*)i(0*)ps/;
const LETTERS = '0mtyxvhpsi';

export class PlainRows {
  /** Start of the row after the last one that was read. */
  next = 0;
  private at = 0;
  private readonly date = new Uint8Array(DATE_BYTES);
  private midnight = 0;

  private constructor(
    private readonly fix: Fix,
    private readonly skips: (mmsi: number) => boolean,
    /** Unix seconds of the start of the day whose date starts at an offset; `NaN` for anything else. */
    private readonly midnightOf: (bytes: Uint8Array, at: number) => number,
    private readonly isLongitudeFirst: boolean,
    /** Columns that are passed over before the heading, the IMO number and the type. */
    private readonly beforeHeading: number,
    private readonly beforeImo: number,
    private readonly beforeType: number,
  ) {}

  /** A reader that writes into `fix`; undefined where the columns come in another order. */
  static of(
    kinds: Uint8Array,
    fix: Fix,
    skips: (mmsi: number) => boolean,
    midnightOf: (bytes: Uint8Array, at: number) => number,
  ): PlainRows | undefined {
    const order = ORDER.exec(Array.from(kinds, (kind) => LETTERS[kind]).join(''));
    if (order === null) return undefined;
    const [, position, ...passed] = order;
    const [heading = 0, imo = 0, type = 0] = passed.map((columns) => columns.length);
    return new PlainRows(fix, skips, midnightOf, position === 'xy', heading, imo, type);
  }

  /** Reads the row at `from` into the fix. `bytes` have a line end at or behind `from`. */
  read(bytes: Buffer, from: number): RowOutcome {
    const high = threeDigits(bytes, from);
    const middle = threeDigits(bytes, from + 3);
    const low = threeDigits(bytes, from + 6);
    let at = from + MMSI_DIGITS;
    // One of them is negative where a byte is no digit.
    if ((high | middle | low) < 0 || bytes[at] !== COMMA) return ROW.notPlain;
    const mmsi = high * 1_000_000 + middle * 1000 + low;
    if (this.skips(mmsi)) {
      this.next = bytes.indexOf(LF, at) + 1;
      return ROW.skipped;
    }
    at += 1;
    const time = this.timeAt(bytes, at);
    if (time === NOT_PLAIN) return ROW.notPlain;
    this.at = at + TIME_BYTES + 1;

    const first = this.coordinate(bytes);
    const second = this.coordinate(bytes);
    const speed = this.number(bytes, 1);
    if (first <= EMPTY || second <= EMPTY || speed === NOT_PLAIN) return ROW.notPlain;
    if (!this.pass(bytes, this.beforeHeading)) return ROW.notPlain;
    const heading = this.number(bytes, 0);
    if (heading === NOT_PLAIN || !this.pass(bytes, this.beforeImo)) return ROW.notPlain;
    const imo = this.imo(bytes);
    if (imo === NOT_PLAIN || !this.pass(bytes, this.beforeType)) return ROW.notPlain;
    const type = this.number(bytes, 0);
    const status = this.number(bytes, 0);
    if (type === NOT_PLAIN || status === NOT_PLAIN) return ROW.notPlain;

    const { fix } = this;
    fix.mmsi = mmsi;
    fix.time = time;
    fix.latitude = this.isLongitudeFirst ? second : first;
    fix.longitude = this.isLongitudeFirst ? first : second;
    fix.speed = speed === EMPTY ? UNKNOWN : speed;
    fix.heading = heading === EMPTY ? UNKNOWN : heading;
    fix.imo = imo;
    fix.vesselType = type === EMPTY ? 0 : type;
    fix.status = status === EMPTY ? UNKNOWN : status;
    at = this.at - 1;
    while (bytes[at] !== LF) at += 1;
    this.next = at + 1;
    return ROW.fix;
  }

  /** As `number` with five decimals, read without a branch for each digit where the text is dd.ddddd or ddd.ddddd. */
  private coordinate(bytes: Buffer): number {
    const isNegative = bytes[this.at] === MINUS;
    const from = isNegative ? this.at + 1 : this.at;
    const isTwo = bytes[from + 2] === DOT;
    const dot = isTwo ? from + 2 : from + 3;
    const whole = isTwo ? twoDigits(bytes, from) : threeDigits(bytes, from);
    const high = threeDigits(bytes, dot + 1);
    const low = twoDigits(bytes, dot + 4);
    if ((whole | high | low) < 0 || bytes[dot] !== DOT || bytes[dot + 6] !== COMMA)
      return this.number(bytes, 5);
    this.at = dot + 7;
    const value = whole * 100_000 + high * 100 + low;
    return isNegative ? 0 - value : value;
  }

  /** The number at `this.at` times ten to `decimals`, rounded. Moves `this.at` behind the comma or line end after it. */
  private number(bytes: Buffer, decimals: number): number {
    let { at } = this;
    let byte = bytes[at] as number;
    const isNegative = byte === MINUS;
    if (isNegative) {
      at += 1;
      byte = bytes[at] as number;
    }
    const begin = at;
    let value = 0;
    while (byte >= ZERO && byte <= NINE) {
      value = value * 10 + byte - ZERO;
      at += 1;
      byte = bytes[at] as number;
      if (at - begin > WHOLE_DIGITS) return NOT_PLAIN;
    }
    const isEmpty = at === begin;
    if (isEmpty && isNegative) return NOT_PLAIN;
    let missing = decimals;
    if (byte === DOT) {
      if (isEmpty) return NOT_PLAIN;
      at += 1;
      byte = bytes[at] as number;
      for (; missing > 0 && byte >= ZERO && byte <= NINE; missing -= 1) {
        value = value * 10 + byte - ZERO;
        at += 1;
        byte = bytes[at] as number;
      }
      if (byte >= ZERO && byte <= NINE) {
        if (byte >= ZERO + 5) value += 1;
        do {
          at += 1;
          byte = bytes[at] as number;
        } while (byte >= ZERO && byte <= NINE);
      }
    }
    if (byte !== COMMA && byte !== LF && byte !== CR) return NOT_PLAIN;
    this.at = at + 1;
    if (isEmpty) return EMPTY;
    for (; missing > 0; missing -= 1) value *= 10;
    return isNegative ? 0 - value : value;
  }

  /** Moves `this.at` behind so many fields; false when a line end or a quote comes first. */
  private pass(bytes: Buffer, columns: number): boolean {
    let { at } = this;
    // The field before ended with the line.
    if (bytes[at - 1] !== COMMA) return false;
    for (let left = columns; left > 0; at += 1) {
      const byte = bytes[at] as number;
      // Digits and letters come after all three.
      if (byte > COMMA) continue;
      if (byte === COMMA) left -= 1;
      else if (byte === LF || byte === QUOTE) return false;
    }
    this.at = at;
    return true;
  }

  /** `IMO9307839`, `9307839`, or 0 for an empty field. Moves `this.at` behind the comma. */
  private imo(bytes: Buffer): number {
    let { at } = this;
    if (bytes[at] === COMMA) {
      this.at = at + 1;
      return 0;
    }
    if (bytes[at] === LETTER_I && bytes[at + 1] === LETTER_M && bytes[at + 2] === LETTER_O) at += 3;
    let value = 0;
    for (const end = at + IMO_DIGITS; at < end; at += 1) {
      const byte = bytes[at] as number;
      if (byte < ZERO || byte > NINE) return NOT_PLAIN;
      value = value * 10 + byte - ZERO;
    }
    if (bytes[at] !== COMMA) return NOT_PLAIN;
    this.at = at + 1;
    return value;
  }

  /** Unix seconds of the date and time at an offset, which end with a comma. */
  private timeAt(bytes: Buffer, at: number): number {
    const { date } = this;
    for (let i = DATE_BYTES - 1; i >= 0; i -= 1) {
      if (bytes[at + i] === date[i]) continue;
      if (bytes[at + 4] !== MINUS || bytes[at + 7] !== MINUS) return NOT_PLAIN;
      const midnight = this.midnightOf(bytes, at);
      if (Number.isNaN(midnight)) return NOT_PLAIN;
      // A small integer where it is one, which needs no memory of its own in each fix.
      this.midnight = (midnight | 0) === midnight ? midnight | 0 : midnight;
      date.set(bytes.subarray(at, at + DATE_BYTES));
      break;
    }
    const letter = bytes[at + DATE_BYTES];
    if (letter !== LETTER_T && letter !== BLANK) return NOT_PLAIN;
    if (bytes[at + 13] !== COLON || bytes[at + 16] !== COLON || bytes[at + TIME_BYTES] !== COMMA)
      return NOT_PLAIN;
    const hour = twoDigits(bytes, at + 11);
    const minute = twoDigits(bytes, at + 14);
    const second = twoDigits(bytes, at + 17);
    const areDigits = (hour | minute | second) >= 0;
    return areDigits && hour < 24 && minute < 60 && second < 61
      ? this.midnight + hour * 3600 + minute * 60 + second
      : NOT_PLAIN;
  }
}

/** Three digits as a number; negative where one of them is none. */
function threeDigits(bytes: Buffer, at: number): number {
  const a = (bytes[at] as number) - ZERO;
  const b = (bytes[at + 1] as number) - ZERO;
  const c = (bytes[at + 2] as number) - ZERO;
  // No carry to the sign bit but from a value that is negative or above nine.
  return ((a | b | c | (9 - a) | (9 - b) | (9 - c)) & SIGN) | (a * 100 + b * 10 + c);
}

/** Two digits as a number; negative where one of them is none. */
function twoDigits(bytes: Buffer, at: number): number {
  const tens = (bytes[at] as number) - ZERO;
  const ones = (bytes[at + 1] as number) - ZERO;
  return ((tens | ones | (9 - tens) | (9 - ones)) & SIGN) | (tens * 10 + ones);
}
