/** Waits of single UTC days, unsmoothed, so that callers can aggregate them: of all calls, and by vessel class. */
import { type Coverage, dayCoverage } from '../calls/coverage.ts';
import { FRACTION_DECIMALS, round, STAY_HOURS_DECIMALS, WAIT_HOURS_DECIMALS } from '../reference/rounding.ts';
import { addDays, type Day, endOfDay, startOfDay } from '../reference/time.ts';
import type { CallIndex } from './call-index.ts';
import type { VesselClass, WaitDay, WaitFigures } from './figures.ts';
import { DELAYED_HOURS, MAX_WINDOW_DAYS, openWaits, quantile } from './waits.ts';

const CLASSES: readonly VesselClass[] = ['container', 'bulk', 'tanker', 'other'];
const P90 = 0.9;

/** One call that berthed or waits: its hours at anchor, and its class where the source states it. */
interface Wait {
  readonly waitHours: number;
  readonly vesselClass?: VesselClass;
}

/** @param open undefined on a day without coverage, because the open waits at its end are unknown */
function figuresOf(berthed: readonly Wait[], open: readonly Wait[] | undefined): WaitFigures {
  const hours = Float64Array.from(berthed, ({ waitHours }) => waitHours).sort();
  const sum = (waits: Iterable<number>): number => Array.from(waits).reduce((total, wait) => total + wait, 0);
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
    ...(open && {
      waiting: open.length,
      waitingHours: round(sum(open.map(({ waitHours }) => waitHours)), WAIT_HOURS_DECIMALS),
    }),
  };
}

/** The day's figures; undefined for a day without coverage and without a berthing. */
function waitDay(day: Day, index: CallIndex, coverage: Coverage): WaitDay | undefined {
  const untilAt = Math.min(endOfDay(day), index.asOfAt + 1);
  const berthed = index.berthingsIn(startOfDay(day), untilAt);
  const covered = round(dayCoverage(coverage, day, endOfDay(day)), FRACTION_DECIMALS);
  if (covered === 0 && berthed.length === 0) return undefined;
  const open = covered === 0 ? undefined : openWaits(index, day, untilAt);
  const ofClass = (wanted: VesselClass) => {
    const isOf = ({ vesselClass }: Wait): boolean => vesselClass === wanted;
    return figuresOf(berthed.filter(isOf), open?.filter(isOf));
  };
  const isClassKnown = [...berthed, ...(open ?? [])].some(({ vesselClass }) => vesselClass !== undefined);
  return {
    day,
    coverage: covered,
    all: figuresOf(berthed, open),
    ...(isClassKnown && Object.fromEntries(CLASSES.map((name) => [name, ofClass(name)]))),
  };
}

/** The days of `days` with any data. */
export const waitDays = (days: readonly Day[], index: CallIndex, coverage: Coverage): WaitDay[] =>
  days.flatMap((day) => waitDay(day, index, coverage) ?? []);

/**
 * The first day whose waits a change from `firstDay` on can affect. The averages of the first covered day look back
 * on berthings before it, which records from before the first fetch may state.
 */
export function firstWaitDay(firstDay: Day, coverage: Coverage): Day {
  const firstAt = coverage[0]?.fromAt ?? Number.POSITIVE_INFINITY;
  return firstAt < startOfDay(firstDay) ? firstDay : addDays(firstDay, 1 - MAX_WINDOW_DAYS);
}
