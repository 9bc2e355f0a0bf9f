/** Waits before the berth: their average, and the share of calls that were delayed. */
import {
  anchoredMsBefore,
  berthingAt,
  type Coverage,
  dayCoverage,
  firstBerthAt,
  isBerthWait,
  LAID_UP_MS,
  leftAt,
  type PortCall,
} from '../calls/port-call.ts';
import { VESSEL_CLASSES, type VesselClass } from '../reference/figure-names.ts';
import {
  FRACTION_DECIMALS,
  HOURS_DECIMALS,
  mean,
  quantile,
  round,
  STAY_HOURS_DECIMALS,
  sum,
  WAIT_HOURS_DECIMALS,
} from '../reference/statistics.ts';
import {
  addDays,
  DAY_MS,
  type Day,
  endOfDay,
  HOUR_MS,
  type Instant,
  type Interval,
  startOfDay,
} from '../reference/time.ts';
import type { WaitBasis, WaitDay, WaitFigures } from './figures.ts';
import { delayedShare } from './score.ts';

// Port calls indexed for the metrics: the vessels in port on a day, and first berths by time.

/** Hours of one call at anchor, and its class where the source states it. */
export interface Wait {
  readonly waitHours: number;
  readonly vesselClass?: VesselClass;
}

/** A first berth with a known wait, of 0 hours where the vessel went straight to the berth. */
export interface Berthing extends Wait {
  readonly berthedAt: Instant;
}

/** The part of a call that counts: until the vessel leaves port waters or is laid up. */
export interface Presence extends Interval {
  readonly call: PortCall;
  readonly cargo: boolean;
  /** Spans at anchor within it, oldest first. */
  readonly anchored: readonly Interval[];
}

/** Built once over the calls of one port. Linear in the calls and in the days that each lasts. */
export class CallIndex {
  readonly #presences: Presence[] = [];
  readonly #byDay = new Map<number, Presence[]>();
  readonly #cargoCalls: PortCall[] = [];
  readonly #berthings: Berthing[] = [];
  readonly #longBerthings: Berthing[] = [];
  readonly #firstBerthAts: Instant[] = [];
  readonly #unknownBerthedAts: Instant[] = [];

  /**
   * Calls after `asOfAt`, the newest observation, and calls that count in no figure are left out. What happened before
   * `observedFromAt` is known only in part.
   */
  constructor(
    calls: Iterable<PortCall>,
    readonly asOfAt: Instant,
    readonly observedFromAt: Instant = Number.NEGATIVE_INFINITY,
  ) {
    for (const call of calls) {
      if (call.ataAt > asOfAt || call.traffic === 'ferry') continue;
      this.#addPresence(call, asOfAt);
      this.#addBerthing(call);
      if (call.traffic === 'cargo') this.#cargoCalls.push(call);
    }
    this.#cargoCalls.sort((a, b) => a.ataAt - b.ataAt);
    this.#firstBerthAts.sort((a, b) => a - b);
    for (const berthings of [this.#berthings, this.#longBerthings])
      berthings.sort((a, b) => a.berthedAt - b.berthedAt);
  }

  /** Presences on the UTC day that begins at `dayAt`, for any part of it. */
  presentOn(dayAt: Instant): readonly Presence[] {
    return this.#byDay.get(dayAt / DAY_MS) ?? [];
  }

  presences(): readonly Presence[] {
    return this.#presences;
  }

  /** Cargo calls that arrived in `[fromAt, toAt)`, oldest first. */
  cargoCallsIn(fromAt: Instant, toAt: Instant): readonly PortCall[] {
    return between(this.#cargoCalls, ({ ataAt }) => ataAt, fromAt, toAt);
  }

  /** Times of the first berths of all cargo calls in `[fromAt, toAt)`, whatever is known of the wait, oldest first. */
  firstBerthsIn(fromAt: Instant, toAt: Instant): readonly Instant[] {
    return between(this.#firstBerthAts, (at) => at, fromAt, toAt);
  }

  /** First berths of cargo calls with a known wait for a berth in `[fromAt, toAt)`, oldest first. */
  berthingsIn(fromAt: Instant, toAt: Instant): readonly Berthing[] {
    return between(this.#berthings, timeOfBerthing, fromAt, toAt);
  }

  /** The same for waits too long to be for a berth. */
  longBerthingsIn(fromAt: Instant, toAt: Instant): readonly Berthing[] {
    return between(this.#longBerthings, timeOfBerthing, fromAt, toAt);
  }

  /** Number of first berths in `[fromAt, toAt)` of calls of vessels whose type the source does not state. */
  unknownBerthingsIn(fromAt: Instant, toAt: Instant): number {
    return this.#unknownBerthedAts.filter((at) => fromAt <= at && at < toAt).length;
  }

  #addPresence(call: PortCall, asOfAt: Instant): void {
    // The instant at which the sixty days are complete still counts, and intervals exclude their end.
    const toAt = Math.min(leftAt(call) ?? Number.POSITIVE_INFINITY, call.ataAt + LAID_UP_MS + 1);
    const anchored: Interval[] = [];
    for (const { zone, startAt, endAt = toAt } of call.legs) {
      if (zone === 'anchorage' && startAt < toAt)
        anchored.push({ fromAt: startAt, toAt: Math.min(endAt, toAt) });
    }
    const presence = { call, cargo: call.traffic === 'cargo', fromAt: call.ataAt, toAt, anchored };
    this.#presences.push(presence);
    const lastDay = Math.floor(Math.min(toAt, asOfAt) / DAY_MS);
    for (let day = Math.floor(call.ataAt / DAY_MS); day <= lastDay; day += 1) {
      const bucket = this.#byDay.get(day);
      if (bucket) bucket.push(presence);
      else this.#byDay.set(day, [presence]);
    }
  }

  #addBerthing(call: PortCall): void {
    const berthedAt = firstBerthAt(call);
    if (berthedAt === undefined || berthedAt - call.ataAt > LAID_UP_MS) return;
    if (call.traffic === 'unknown') this.#unknownBerthedAts.push(berthedAt);
    if (call.traffic !== 'cargo') return;
    const at = berthingAt(call);
    if (at !== undefined) this.#firstBerthAts.push(at);
    if (!call.waitKnown) return;
    const waitHours = anchoredMsBefore(call, berthedAt) / HOUR_MS;
    const berthings = isBerthWait(waitHours) ? this.#berthings : this.#longBerthings;
    berthings.push({ berthedAt, waitHours, vesselClass: call.vesselClass });
  }
}

const timeOfBerthing = ({ berthedAt }: Berthing): Instant => berthedAt;

/** The items of `[fromAt, toAt)`, of `items` in ascending order of time. */
function between<Item>(
  items: readonly Item[],
  timeOf: (item: Item) => Instant,
  fromAt: Instant,
  toAt: Instant,
): readonly Item[] {
  const firstFrom = (at: Instant): number => {
    let low = 0;
    let high = items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const item = items[middle];
      if (item !== undefined && timeOf(item) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return items.slice(firstFrom(fromAt), firstFrom(toAt));
}

/** A wait of this many hours or more is a delay. */
export const DELAYED_HOURS = 3;
/** The average is over the berthings of 7 days; with too few of them, of the next longer window. */
export const WINDOWS_DAYS = [7, 14, 28] as const;
const [WEEK_DAYS, , MONTH_DAYS] = WINDOWS_DAYS;
export const MAX_WINDOW_DAYS = MONTH_DAYS;
/** A window with fewer berthings than this is too short, and a day with fewer in 28 days has no average. */
export const MIN_BERTHINGS = 3;
/** Weight of the mean over berthed and open waits, in arrivals: one more arrival moves it by at most a seventh. */
const PRIOR_ARRIVALS = 6;
/** With this many berthings in 28 days the average does not include open waits. */
const ENOUGH_BERTHINGS = 20;

const waitHoursOf = (waits: readonly Wait[]): number[] => waits.map(({ waitHours }) => waitHours);

/** Berthings of the `days` UTC days that end with `day`, before `untilAt`. */
const berthingsInDays = (index: CallIndex, day: Day, days: number, untilAt: Instant): readonly Berthing[] =>
  index.berthingsIn(startOfDay(addDays(day, 1 - days)), untilAt);

/** Berthings of the shortest window with enough of them; of 28 days when none has enough. */
export function berthingsForAverage(index: CallIndex, day: Day, untilAt: Instant): readonly Berthing[] {
  const windows = WINDOWS_DAYS.map((days) => berthingsInDays(index, day, days, untilAt));
  return windows.find((berthings) => berthings.length >= MIN_BERTHINGS) ?? windows.at(-1) ?? [];
}

/** Whether the call's wait had begun before `untilAt` and neither a berth nor a departure had ended it. */
function isWaiting(call: PortCall, untilAt: Instant): boolean {
  const hasAnchored = call.legs.some(({ zone, startAt }) => zone === 'anchorage' && startAt < untilAt);
  const endedAt = Math.min(firstBerthAt(call) ?? untilAt, call.atdAt ?? untilAt);
  return hasAnchored && endedAt >= untilAt;
}

/** Every open wait just before `untilAt`, of cargo calls, however long it has lasted; `known` where its beginning is. */
function allOpenWaits(index: CallIndex, day: Day, untilAt: Instant): (Wait & { known: boolean })[] {
  return index
    .presentOn(startOfDay(day))
    .filter(({ call, cargo, toAt }) => cargo && toAt >= untilAt && isWaiting(call, untilAt))
    .map(({ call }) => ({
      waitHours: anchoredMsBefore(call, Math.min(untilAt, index.asOfAt)) / HOUR_MS,
      vesselClass: call.vesselClass,
      known: call.waitKnown,
    }));
}

/** Number of cargo vessels that wait for a berth just before `untilAt`, including those whose start is unknown. */
export const waitingVessels = (index: CallIndex, day: Day, untilAt: Instant): number =>
  allOpenWaits(index, day, untilAt).filter(({ waitHours }) => isBerthWait(waitHours)).length;

/**
 * Open waits for a berth just before `untilAt`, of cargo calls whose wait is known. A vessel that has left the
 * anchorage for its berth still counts, so that the average does not dip meanwhile.
 */
export const openWaits = (index: CallIndex, day: Day, untilAt: Instant): Wait[] =>
  allOpenWaits(index, day, untilAt).filter(({ known, waitHours }) => known && isBerthWait(waitHours));

/** The hours of waits together, 4 decimals. */
export const totalHours = (waits: readonly Wait[]): number =>
  round(sum(waitHoursOf(waits)), WAIT_HOURS_DECIMALS);

/** Waits too long to be for a berth: of the calls that berthed on the part of `day` before `untilAt`, and open ones. */
const excludedWaits = (index: CallIndex, day: Day, untilAt: Instant): readonly Wait[] => [
  ...index.longBerthingsIn(startOfDay(day), untilAt),
  ...allOpenWaits(index, day, untilAt).filter(({ known, waitHours }) => known && !isBerthWait(waitHours)),
];

/** A call's share of the waiting in a window: its hours at anchor in it, and whether it arrived in it. */
interface Waiting extends Wait {
  readonly arrived: boolean;
}

/**
 * The waiting in the observed part of the 28 days up to `day`, before `untilAt`, of cargo calls with a known wait that
 * had not left without a berth and did not wait too long for one.
 */
function recentWaiting(index: CallIndex, day: Day, untilAt: Instant): Waiting[] {
  const fromAt = Math.max(startOfDay(addDays(day, 1 - MONTH_DAYS)), index.observedFromAt);
  const newestAt = Math.min(untilAt, index.asOfAt);
  const waiting: Waiting[] = [];
  for (const call of index.cargoCallsIn(fromAt - LAID_UP_MS, untilAt)) {
    const berthedAt = firstBerthAt(call) ?? Number.POSITIVE_INFINITY;
    const endAt = Math.min(newestAt, berthedAt);
    // Most calls of the sixty days before the window.
    if (!call.waitKnown || endAt < fromAt) continue;
    if (call.atdAt !== undefined && call.atdAt < untilAt && berthedAt >= untilAt) continue;
    const waitMs = anchoredMsBefore(call, endAt);
    if (!isBerthWait(waitMs / HOUR_MS)) continue;
    const waitHours = (waitMs - anchoredMsBefore(call, Math.min(fromAt, endAt))) / HOUR_MS;
    waiting.push({ waitHours, arrived: call.ataAt >= fromAt, vesselClass: call.vesselClass });
  }
  return waiting;
}

/**
 * Mean wait with the open waits, in hours: over the berthed and the open waits, or where it is smaller what was waited
 * in 28 days over the calls that arrived in them (Little 1961). The mean is biased at a young port, where a long wait
 * is seen more often than a short one; the ratio is uncertain while few have arrived, so the mean counts in it as
 * `PRIOR_ARRIVALS`.
 */
function fewBerthingsWait(index: CallIndex, day: Day, untilAt: Instant, open: readonly Wait[]): number {
  const waiting = recentWaiting(index, day, untilAt);
  const arrivals = waiting.filter(({ arrived }) => arrived).length;
  const prior = mean(waitHoursOf([...berthingsInDays(index, day, MONTH_DAYS, untilAt), ...open]));
  return Math.min(prior, (sum(waitHoursOf(waiting)) + PRIOR_ARRIVALS * prior) / (arrivals + PRIOR_ARRIVALS));
}

/**
 * `avg_wait_hours` however few calls there are: the mean wait of the berthings before `untilAt` in the window up to
 * `day`; with fewer than twenty in 28 days the open waits count too, alone up to three berthings and then with a weight
 * that falls linearly to 0 at twenty. Undefined with neither a berthing nor an open wait.
 */
export function averageWait(
  index: CallIndex,
  day: Day,
  untilAt: Instant,
): { readonly hours: number; readonly basis: WaitBasis } | undefined {
  const inMonth = berthingsInDays(index, day, MONTH_DAYS, untilAt).length;
  const open = inMonth < ENOUGH_BERTHINGS ? openWaits(index, day, untilAt) : [];
  if (inMonth + open.length === 0) return undefined;
  const berthedMean = mean(waitHoursOf(berthingsForAverage(index, day, untilAt)));
  if (open.length === 0) return { hours: round(berthedMean, HOURS_DECIMALS), basis: 'berthed' };
  const weight = Math.min(1, (ENOUGH_BERTHINGS - inMonth) / (ENOUGH_BERTHINGS - MIN_BERTHINGS));
  const openMean = fewBerthingsWait(index, day, untilAt, open);
  const hours = weight === 1 ? openMean : weight * openMean + (1 - weight) * berthedMean;
  return { hours: round(hours, HOURS_DECIMALS), basis: inMonth === 0 ? 'open' : 'mixed' };
}

/** The average wait of a day: undefined with fewer than three berthings in 28 days. */
export function dayAverageWait(index: CallIndex, day: Day, untilAt: Instant): number | undefined {
  const isTooFew = berthingsInDays(index, day, MONTH_DAYS, untilAt).length < MIN_BERTHINGS;
  return isTooFew ? undefined : averageWait(index, day, untilAt)?.hours;
}

/** Mean wait of these berthings alone, hours, 1 decimal; undefined when there is none. */
export const dailyMean = (berthings: readonly Berthing[]): number | undefined =>
  berthings.length === 0 ? undefined : round(mean(waitHoursOf(berthings)), HOURS_DECIMALS);

/** Delayed share of these berthings, 0 to 1. */
export const delayedShareOf = (berthings: readonly Berthing[]): number =>
  delayedShare(berthings.filter(({ waitHours }) => waitHours >= DELAYED_HOURS).length, berthings.length);

/** Delayed share of the seven days that end with `day`. */
export const weekDelayedShare = (index: CallIndex, day: Day, untilAt: Instant): number =>
  delayedShareOf(berthingsInDays(index, day, WEEK_DAYS, untilAt));

// The wait of the score: the average of the berthings, and the least that the vessels still waiting will add.

/** The oldest berthings of a week fade: those of the seventh day count a third, of the sixth two thirds. */
const FADING_STEPS = 3;

/** A wait that is over: its hours, and how much it counts, above 0 to 1. */
export interface CountedWait {
  readonly hours: number;
  readonly weight: number;
}

/**
 * Greatest mean of all of `closed` and any of `open`, where every wait counts once: what the mean would be if these vessels
 * berthed at once, and more waiting never lowers it. Hours; 0 when nothing is closed.
 */
export function meanWithOpen(closed: readonly CountedWait[], open: readonly number[]): number {
  if (closed.length === 0) return 0;
  let total = sum(closed.map(({ hours, weight }) => weight * hours));
  let count = sum(closed.map(({ weight }) => weight));
  for (const hours of [...open].sort((a, b) => b - a)) {
    if (hours * count <= total) break;
    total += hours;
    count += 1;
  }
  return total / count;
}

/**
 * The berthings of the average. Those of the two oldest days of seven count less, so that a long wait leaves the score
 * in three steps; where seven days are too few, all count alike.
 */
function closedWaits(index: CallIndex, day: Day, untilAt: Instant): CountedWait[] {
  const weekAt = startOfDay(addDays(day, 1 - WEEK_DAYS));
  const isTooFew = index.berthingsIn(weekAt, untilAt).length < MIN_BERTHINGS;
  return berthingsForAverage(index, day, untilAt).map(({ waitHours, berthedAt }) => {
    const dayOfWeek = Math.floor((berthedAt - weekAt) / DAY_MS) + 1;
    return { hours: waitHours, weight: isTooFew ? 1 : Math.min(1, dayOfWeek / FADING_STEPS) };
  });
}

/**
 * Wait of the wait term, hours, 1 decimal: the mean of the berthings with the open waits; with fewer than twenty
 * berthings in 28 days the served average, which then already includes them.
 */
export function scoreWait(index: CallIndex, day: Day, untilAt: Instant, avgWaitHours: number): number {
  if (berthingsInDays(index, day, MONTH_DAYS, untilAt).length < ENOUGH_BERTHINGS) return avgWaitHours;
  const open = waitHoursOf(openWaits(index, day, untilAt));
  return round(meanWithOpen(closedWaits(index, day, untilAt), open), HOURS_DECIMALS);
}

// Waits of single UTC days, unsmoothed, so that callers can aggregate them: of all calls, and by vessel class.

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
