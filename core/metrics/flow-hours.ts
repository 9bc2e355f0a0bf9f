/** Berthings and arrivals of a port by hour, and their sums over windows: the input of the closure rule. */
import { type Coverage, coveredShare, MIN_DAY_COVERAGE } from '../calls/coverage.ts';
import { DAY_MS, HOUR_MS, type Instant, startOfDay } from '../reference/time.ts';
import type { CallIndex } from './call-index.ts';
import type { DailyMetrics, HourCounts } from './figures.ts';

export const DAY_HOURS = 24;
/** One digit an hour of this base, so that a day is a short text in its row; more in an hour count as the largest digit. */
const BASE = 36;
const UNKNOWN = '.';
const COUNTS = new Map(Array.from({ length: BASE }, (_, count) => [count.toString(BASE), count]));

const pack = (counts: readonly (number | undefined)[]): string =>
  counts.map((count) => (count === undefined ? UNKNOWN : Math.min(count, BASE - 1).toString(BASE))).join('');

/** The hours of the day that begins at `dayAt`. Those not over, or covered by less than 80 %, are unknown. */
export function hourCounts(index: CallIndex, dayAt: Instant, coverage: Coverage): HourCounts {
  const known = Array.from({ length: DAY_HOURS }, (_, hour) => {
    const span = { fromAt: dayAt + hour * HOUR_MS, toAt: dayAt + (hour + 1) * HOUR_MS };
    return span.toAt <= index.asOfAt && coveredShare(coverage, span) >= MIN_DAY_COVERAGE;
  });
  const countsOf = (instants: readonly Instant[]): string => {
    const counts = new Uint32Array(DAY_HOURS);
    for (const at of instants) {
      const hour = Math.floor((at - dayAt) / HOUR_MS);
      counts[hour] = (counts[hour] ?? 0) + 1;
    }
    return pack(Array.from(counts, (count, hour) => (known[hour] ? count : undefined)));
  };
  const toAt = dayAt + DAY_MS;
  return {
    hourBerthings: countsOf(index.firstBerthsIn(dayAt, toAt)),
    hourArrivals: countsOf(index.cargoCallsIn(dayAt, toAt).map(({ ataAt }) => ataAt)),
  };
}

/** Sums over the hours from a first one on; windows are named by their length and the number of hours up to their end. */
export class HourSums {
  private readonly sums: Int32Array;
  private readonly unknown: Int32Array;

  constructor(digits: string) {
    this.sums = new Int32Array(digits.length + 1);
    this.unknown = new Int32Array(digits.length + 1);
    for (let hour = 0; hour < digits.length; hour += 1) {
      const count = COUNTS.get(digits[hour] ?? UNKNOWN);
      this.sums[hour + 1] = (this.sums[hour] ?? 0) + (count ?? 0);
      this.unknown[hour + 1] = (this.unknown[hour] ?? 0) + Number(count === undefined);
    }
  }

  /** Undefined where an hour of the window is unknown. */
  in(hours: number, window: number): number | undefined {
    const from = hours - window;
    if (from < 0 || hours >= this.sums.length || this.unknown[hours] !== this.unknown[from]) return undefined;
    return (this.sums[hours] ?? 0) - (this.sums[from] ?? 0);
  }

  /** Whether the median of the same window over the `days` days before can reach `least`. */
  isMedianPossible(hours: number, window: number, { least, days }: { least: number; days: number }): boolean {
    let [known, below] = [0, 0];
    for (let ago = 1; ago <= days; ago += 1) {
      const end = hours - ago * DAY_HOURS;
      const begin = end - window;
      if (begin < 0) break;
      if (this.unknown[end] !== this.unknown[begin]) continue;
      known += 1;
      if ((this.sums[end] ?? 0) - (this.sums[begin] ?? 0) < least) below += 1;
      if (2 * below > days) return false;
    }
    return 2 * below <= known;
  }
}

/** Hours of the days of some rows, numbered from the first: hour `n` ends at `endOf(n)`. */
export class FlowHours {
  readonly #fromAt: Instant;
  readonly #length: number;
  readonly berthings: HourSums;
  readonly arrivals: HourSums;

  /** `rows` are oldest first and may have gaps. */
  constructor(rows: readonly Pick<DailyMetrics, 'day' | keyof HourCounts>[]) {
    this.#fromAt = rows[0] === undefined ? 0 : startOfDay(rows[0].day);
    const nothing = UNKNOWN.repeat(DAY_HOURS);
    let [berthings, arrivals] = ['', ''];
    for (const { day, hourBerthings = nothing, hourArrivals = nothing } of rows) {
      const gap = UNKNOWN.repeat((startOfDay(day) - this.#fromAt) / HOUR_MS - berthings.length);
      berthings += gap + hourBerthings;
      arrivals += gap + hourArrivals;
    }
    this.#length = berthings.length;
    this.berthings = new HourSums(berthings);
    this.arrivals = new HourSums(arrivals);
  }

  until(at: Instant): number {
    return Math.min(this.#length, Math.floor((at - this.#fromAt) / HOUR_MS));
  }

  endOf(hours: number): Instant {
    return this.#fromAt + hours * HOUR_MS;
  }
}
