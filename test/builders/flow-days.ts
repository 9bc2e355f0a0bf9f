/** Rows of days whose berthings and arrivals are given by the hour. */
import type { DayFigures } from '../../core/metrics/figures.ts';
import { addDays, type Day } from '../../core/reference/time.ts';

/** A Monday. */
export const FLOW_BEGINS: Day = '2026-01-05';
export const HOURS = 24;

/** Returns the number in an hour, counted from the start of the first day; undefined where it is unknown. */
export type Hourly = (hour: number) => number | undefined;

const digits = (of: Hourly, day: number): string =>
  Array.from({ length: HOURS }, (_, hour) => of(day * HOURS + hour)?.toString(36) ?? '.').join('');

/** Nothing is known from hour `until` on. */
export const flowDays = (until: number, berthings: Hourly, arrivals: Hourly = berthings): DayFigures[] =>
  Array.from({ length: Math.ceil(until / HOURS) }, (_, day) => {
    const known =
      (of: Hourly): Hourly =>
      (hour) =>
        hour < until ? of(hour) : undefined;
    return {
      day: addDays(FLOW_BEGINS, day),
      coverage: 1,
      vessels: 40,
      hourBerthings: digits(known(berthings), day),
      hourArrivals: digits(known(arrivals), day),
    };
  });
