/** Waits of single UTC days, unsmoothed, so that callers can aggregate them: of all calls, and by vessel class. */
import { type Coverage, dayCoverage } from '../calls/coverage.ts';
import { VESSEL_CLASSES, type VesselClass } from '../reference/figure-names.ts';
import { FRACTION_DECIMALS, round, STAY_HOURS_DECIMALS, WAIT_HOURS_DECIMALS } from '../reference/rounding.ts';
import { quantile, sum } from '../reference/statistics.ts';
import { addDays, type Day, endOfDay, startOfDay } from '../reference/time.ts';
import type { CallIndex, Wait } from './call-index.ts';
import type { WaitDay, WaitFigures } from './figures.ts';
import {
  DELAYED_HOURS,
  excludedWaits,
  MAX_WINDOW_DAYS,
  openWaits,
  recentWaiting,
  totalHours,
  waitHoursOf,
} from './waits.ts';

const P90 = 0.9;

/** The waits of a day: berthed and excluded ones, and where the day is covered the open ones and those of the last 28 days. */
interface DayWaits {
  readonly berthed: readonly Wait[];
  readonly excluded: readonly Wait[];
  readonly covered?: { readonly open: readonly Wait[]; readonly recent: ReturnType<typeof recentWaiting> };
}

function figures({ berthed, excluded, covered }: DayWaits): WaitFigures {
  const hours = Float64Array.from(waitHoursOf(berthed)).sort();
  const delayed = hours.filter((wait) => wait >= DELAYED_HOURS).length;
  const inHours = (value: number): number => round(value, STAY_HOURS_DECIMALS);
  return {
    berthed: hours.length,
    waits: Array.from(
      hours.filter((wait) => wait > 0),
      (wait) => round(wait, WAIT_HOURS_DECIMALS),
    ),
    ...(hours.length > 0 && {
      delayedShare: round(delayed / hours.length, FRACTION_DECIMALS),
      meanHours: inHours(sum(hours) / hours.length),
      medianHours: inHours(quantile(hours, 0.5)),
      p90Hours: inHours(quantile(hours, P90)),
      maxHours: inHours(hours.at(-1) ?? 0),
    }),
    ...(covered && {
      waiting: covered.open.length,
      waitingHours: totalHours(covered.open),
      recentArrivals: covered.recent.filter(({ arrived }) => arrived).length,
      recentWaitHours: totalHours(covered.recent),
    }),
    excluded: excluded.length,
  };
}

function classWaits({ berthed, excluded, covered }: DayWaits, wanted: VesselClass): DayWaits {
  const isOf = ({ vesselClass }: Wait): boolean => vesselClass === wanted;
  return {
    berthed: berthed.filter(isOf),
    excluded: excluded.filter(isOf),
    ...(covered && { covered: { open: covered.open.filter(isOf), recent: covered.recent.filter(isOf) } }),
  };
}

/** The day's figures; undefined for a day without coverage and without a berthing. */
function waitDay(day: Day, index: CallIndex, coverage: Coverage): WaitDay | undefined {
  const untilAt = Math.min(endOfDay(day), index.asOfAt + 1);
  const berthed = index.berthingsIn(startOfDay(day), untilAt);
  const covered = round(dayCoverage(coverage, day, endOfDay(day)), FRACTION_DECIMALS);
  if (covered === 0 && berthed.length === 0) return undefined;
  const waits: DayWaits = {
    berthed,
    excluded: excludedWaits(index, day, untilAt),
    ...(covered > 0 && {
      covered: { open: openWaits(index, day, untilAt), recent: recentWaiting(index, day, untilAt) },
    }),
  };
  const isClassKnown = [...berthed, ...(waits.covered?.open ?? [])].some(
    ({ vesselClass }) => vesselClass !== undefined,
  );
  return {
    day,
    coverage: covered,
    all: { ...figures(waits), unknownType: index.unknownBerthingsIn(startOfDay(day), untilAt) },
    ...(isClassKnown &&
      Object.fromEntries(VESSEL_CLASSES.map((name) => [name, figures(classWaits(waits, name))]))),
  };
}

/** The days of `days` with any data. */
export const waitDays = (days: readonly Day[], index: CallIndex, coverage: Coverage): WaitDay[] =>
  days.flatMap((day) => waitDay(day, index, coverage) ?? []);

/**
 * The first day whose waits a change from `firstDay` on can affect. The first covered day looks back on berthings
 * before it, which records may state.
 */
export function firstWaitDay(firstDay: Day, coverage: Coverage): Day {
  const firstAt = coverage[0]?.fromAt ?? Number.POSITIVE_INFINITY;
  return firstAt < startOfDay(firstDay) ? firstDay : addDays(firstDay, 1 - MAX_WINDOW_DAYS);
}
