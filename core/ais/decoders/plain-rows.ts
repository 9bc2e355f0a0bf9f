/**
 * The quick way through rows whose fields are plain: digits, signs and points, no quotes, no words. A row of any other
 * kind is left to the general reader, so both together read every file, and alike.
 */
import { type Fix, UNKNOWN } from '../fix.ts';

const [LF, CR, QUOTE, COMMA, MINUS, DOT, ZERO] = [10, 13, 34, 44, 45, 46, 48];

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

/** Decimals that are read of each kind of number, by its code. */
export const DECIMALS = Uint8Array.of(0, 0, 0, 5, 5, 1, 0, 0, 0, 0);
const TENS = Int32Array.of(1, 10, 100, 1000, 10_000, 100_000);

/** What became of a row. */
export const ROW = { notPlain: 0, fix: 1, skipped: 2 } as const;
export type RowOutcome = (typeof ROW)[keyof typeof ROW];

/** Bytes of a date, and of a date with its time. */
const DATE_BYTES = 10;
const TIME_BYTES = 19;

export class PlainRows {
  /** Where the row after the last one that was read begins. */
  next = 0;
  private readonly date = new Uint8Array(DATE_BYTES);
  private midnight = Number.NaN;

  constructor(
    private readonly kinds: Uint8Array,
    private readonly fix: Fix,
    private readonly skips: (mmsi: number) => boolean,
    /** Unix seconds of the begin of the day whose date stands at an offset; `NaN` where none does. */
    private readonly midnightOf: (bytes: Uint8Array, at: number) => number,
  ) {}

  /** Reads the row at `from` into the fix; `bytes` have a line end at or behind `from`. */
  read(bytes: Uint8Array, from: number): RowOutcome {
    const { kinds, fix } = this;
    const columns = kinds.length;
    let at = from;
    let byte = COMMA;
    for (let column = 0; column < columns; column += 1) {
      if (byte !== COMMA) return ROW.notPlain;
      if (column > 0) at += 1;
      const kind = kinds[column] as number;
      byte = bytes[at] as number;
      if (kind === KIND.none) {
        while (byte !== COMMA && byte !== LF) {
          if (byte === QUOTE) return ROW.notPlain;
          at += 1;
          byte = bytes[at] as number;
        }
        continue;
      }
      if (kind === KIND.time) {
        const time = this.timeAt(bytes, at);
        if (Number.isNaN(time)) return ROW.notPlain;
        fix.time = time;
        at += TIME_BYTES;
        byte = bytes[at] as number;
        continue;
      }
      const begin = at;
      if (kind === KIND.imo) {
        let digits = 0;
        let value = 0;
        for (; byte > COMMA; byte = bytes[at] as number) {
          const digit = byte - ZERO;
          if (digit >= 0 && digit <= 9) {
            digits += 1;
            value = (value * 10 + digit) % 10_000_000;
          } else digits = 0;
          at += 1;
        }
        fix.imo = digits >= 7 ? value : 0;
        continue;
      }
      const isNegative = byte === MINUS;
      if (isNegative) {
        at += 1;
        byte = bytes[at] as number;
      }
      let value = 0;
      const firstDigit = at;
      for (let digit = byte - ZERO; digit >= 0 && digit <= 9; digit = byte - ZERO) {
        value = value * 10 + digit;
        at += 1;
        byte = bytes[at] as number;
      }
      if (at === firstDigit) {
        // An empty field, where one may be empty.
        if (at !== begin || kind <= KIND.longitude || (byte !== COMMA && byte !== LF && byte !== CR))
          return ROW.notPlain;
        this.clear(kind);
        continue;
      }
      let missing = DECIMALS[kind] as number;
      if (byte === DOT) {
        if (kind === KIND.mmsi) return ROW.notPlain;
        at += 1;
        byte = bytes[at] as number;
        let digit = byte - ZERO;
        for (; missing > 0 && digit >= 0 && digit <= 9; missing -= 1) {
          value = value * 10 + digit;
          at += 1;
          byte = bytes[at] as number;
          digit = byte - ZERO;
        }
        if (digit >= 0 && digit <= 9) {
          if (digit >= 5) value += 1;
          while (digit >= 0 && digit <= 9) {
            at += 1;
            byte = bytes[at] as number;
            digit = byte - ZERO;
          }
        }
      }
      if (missing > 0) value *= TENS[missing] as number;
      if (isNegative) {
        if (kind === KIND.mmsi) return ROW.notPlain;
        value = -value;
      }
      switch (kind) {
        case KIND.mmsi:
          if (byte === COMMA && this.skips(value)) {
            this.next = bytes.indexOf(LF, at) + 1;
            return ROW.skipped;
          }
          fix.mmsi = value;
          break;
        case KIND.latitude:
          fix.latitude = value;
          break;
        case KIND.longitude:
          fix.longitude = value;
          break;
        case KIND.speed:
          fix.speed = value;
          break;
        case KIND.heading:
          fix.heading = value;
          break;
        case KIND.type:
          fix.vesselType = value;
          break;
        default:
          fix.status = value;
      }
    }
    if (byte !== COMMA && byte !== LF && byte !== CR) return ROW.notPlain;
    while (byte !== LF) {
      at += 1;
      byte = bytes[at] as number;
    }
    this.next = at + 1;
    return ROW.fix;
  }

  /** What a field that is left empty states. */
  private clear(kind: number): void {
    const { fix } = this;
    if (kind === KIND.speed) fix.speed = UNKNOWN;
    else if (kind === KIND.heading) fix.heading = UNKNOWN;
    else if (kind === KIND.type) fix.vesselType = 0;
    else fix.status = UNKNOWN;
  }

  /** Unix seconds of the date and time at an offset; `NaN` where none stands there. */
  private timeAt(bytes: Uint8Array, at: number): number {
    const { date } = this;
    if (at + TIME_BYTES >= bytes.length) return Number.NaN;
    for (let i = DATE_BYTES - 1; i >= 0; i -= 1) {
      if (bytes[at + i] !== date[i]) {
        this.midnight = this.midnightOf(bytes, at);
        date.set(bytes.subarray(at, at + DATE_BYTES));
        break;
      }
    }
    const hour = twoDigits(bytes, at + 11);
    const minute = twoDigits(bytes, at + 14);
    const second = twoDigits(bytes, at + 17);
    return hour < 24 && minute < 60 && second < 61
      ? this.midnight + hour * 3600 + minute * 60 + second
      : Number.NaN;
  }
}

/** Two digits as a number; 100 where one of them is none. */
function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = (bytes[at] as number) - ZERO;
  const ones = (bytes[at + 1] as number) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : 100;
}
