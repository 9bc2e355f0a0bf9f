/** The outages of a source by UTC day, as the bars of the status page show them. */
import { type SourceState, STATUS_DAYS } from '../../core/contracts/status.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface OutageDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** Hours of outage in it; undefined for a day before anything is known. */
  readonly outageHours: number | undefined;
}

/** Hours of the interval that lie between two times, all in epoch milliseconds. */
const sharedHours = (from: number, to: number, start: number, end: number): number =>
  Math.max(0, Math.min(to, end) - Math.max(from, start)) / HOUR_MS;

/** One entry for each of the last `STATUS_DAYS` days up to that of `time`, oldest first. */
export function outageDays(
  { known_since_iso, outages }: Pick<SourceState, 'known_since_iso' | 'outages'>,
  time: string,
): OutageDay[] {
  const nowAt = Date.parse(time);
  const todayAt = Math.floor(nowAt / DAY_MS) * DAY_MS;
  const knownAt = known_since_iso === undefined ? Infinity : Date.parse(known_since_iso);
  return Array.from({ length: STATUS_DAYS }, (_, i) => {
    const startAt = todayAt - (STATUS_DAYS - 1 - i) * DAY_MS;
    const endAt = startAt + DAY_MS;
    const hours = outages.reduce(
      (sum, { from, to = time }) => sum + sharedHours(Date.parse(from), Date.parse(to), startAt, endAt),
      0,
    );
    return {
      day: new Date(startAt).toISOString().slice(0, 'YYYY-MM-DD'.length),
      outageHours: knownAt >= endAt ? undefined : hours,
    };
  });
}

/** Hours of all outages together, those that last up to `time`. */
export const outageHoursOf = ({ outages }: Pick<SourceState, 'outages'>, time: string): number =>
  outages.reduce((sum, { from, to = time }) => sum + (Date.parse(to) - Date.parse(from)) / HOUR_MS, 0);
