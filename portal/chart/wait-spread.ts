/** What an average wait is based on: the number of berthings and the spread of their waits. */
import type { WaitDay } from '../../core/contracts/waits.ts';

export type SpreadDay = Pick<WaitDay, 'date' | 'berthed' | 'waits'>;

export interface WaitSpread {
  /** Days of the window: seven, and more where too few vessels berthed. */
  readonly days: number;
  readonly berthings: number;
  /** Of the waits of these berthings, zeros included; null without a berthing. */
  readonly medianHours: number | null;
  readonly p90Hours: number | null;
}

/** Windows of the methodology, and the berthings that a window needs. */
const WINDOW_DAYS = [7, 14, 28] as const;
export const MAX_WINDOW_DAYS = 28;
const MIN_BERTHINGS = 3;
const DAY_MS = 86_400_000;

/** Linear interpolation between order statistics, Hyndman and Fan type 7. */
function quantile(ascending: readonly number[], share: number): number | null {
  const position = (ascending.length - 1) * share;
  const [below, above] = [ascending[Math.floor(position)], ascending[Math.ceil(position)]];
  return below === undefined || above === undefined ? null : below + (above - below) * (position % 1);
}

function spreadOver(window: readonly SpreadDay[], days: number): WaitSpread {
  const berthings = window.reduce((sum, { berthed }) => sum + berthed, 0);
  const waits = window.flatMap((day) => day.waits);
  const straight = Array.from({ length: berthings - waits.length }, () => 0);
  const ascending = [...straight, ...waits].toSorted((a, b) => a - b);
  return { days, berthings, medianHours: quantile(ascending, 0.5), p90Hours: quantile(ascending, 0.9) };
}

/** The spread behind the average of `day`, from the wait days of at least the 28 days up to it. */
export function waitSpread(waitDays: readonly SpreadDay[], day: string): WaitSpread {
  const lastAt = Date.parse(day);
  const windows = WINDOW_DAYS.map((days) =>
    spreadOver(
      waitDays.filter(({ date }) => date <= day && lastAt - Date.parse(date) < days * DAY_MS),
      days,
    ),
  );
  return windows.find(({ berthings }) => berthings >= MIN_BERTHINGS) ?? (windows.at(-1) as WaitSpread);
}

/** The spread as a sentence. */
export function spreadText({ days, berthings, medianHours, p90Hours }: WaitSpread, day: string): string {
  if (medianHours === null || p90Hours === null) return `No vessel berthed in the ${days} days up to ${day}.`;
  const vessels = berthings === 1 ? '1 berthing' : `${berthings} berthings`;
  return `The average of ${day} is based on ${vessels} in ${days} days: half of them waited at most ${medianHours.toFixed(1)} h, nine in ten at most ${p90Hours.toFixed(1)} h.`;
}
