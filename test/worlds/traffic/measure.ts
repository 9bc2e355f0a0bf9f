/** One run of the engine over a generated world, scored: what the bars of the tests and the study are measured by. */
import { DEFAULT_PARAMETERS, type EngineParameters } from '../../../core/positions/fix.ts';
import { DAY_MS, HOUR_MS } from '../../../core/reference/time.ts';
import { dailyOutages, knownOutages, receivedFixes } from './daily-outages.ts';
import { foundStays, runEngine, stayParts } from './engine-run.ts';
import { type FoundStay, groupedByMmsi, type Score, scoreStays } from './scoring.ts';
import type { GenerateWorld, TrueStay, WorldOptions } from './world-types.ts';

export interface Scores {
  /** Vessels with an MMSI of their own, and those that share one. */
  readonly own: Score;
  readonly shared: Score;
  /** Share of berths within an hour of another berth of the vessel that were found. */
  readonly shifts: number;
  readonly averageWait: AverageWait;
}

/** Mean hours of the waits that lie within the data, as found and as true, and how far the ports are off. */
interface AverageWait {
  readonly found: number;
  readonly truth: number;
  /** Mean and largest absolute difference over the ports with five berthings or more, in hours before a berth. */
  readonly meanError: number;
  readonly largestError: number;
}

type AnyStay = TrueStay | FoundStay;
type Window = { readonly startAt: number; readonly endAt: number };

const MIN_BERTHINGS = 5;
/** A berth so soon after another one at the port, without a wait, is a shift. */
const SHIFT_MS = 12 * HOUR_MS;

const mean = (values: readonly number[]): number =>
  values.reduce((sum, each) => sum + each, 0) / values.length;

const hoursOf = ({ startAt, endAt }: AnyStay): number => (endAt - startAt) / HOUR_MS;

/** Hours waited before each berthing of the data, by port: what `avg_wait_hours` averages. */
function waitsForBerths(stays: readonly AnyStay[], { startAt, endAt }: Window): Map<string, number[]> {
  const waits = new Map<string, number[]>();
  for (const vessel of groupedByMmsi(stays).values()) {
    let hours = 0;
    let isWhole = true;
    let before: AnyStay | undefined;
    for (const stay of vessel.sort((a, b) => a.startAt - b.startAt)) {
      isWhole &&= stay.startAt > startAt + HOUR_MS;
      if (stay.kind === 'wait') {
        hours += hoursOf(stay);
        continue;
      }
      const isShift =
        hours === 0 &&
        before !== undefined &&
        before.port === stay.port &&
        stay.startAt - before.endAt < SHIFT_MS;
      if (isWhole && !isShift && stay.port !== undefined && stay.startAt < endAt - HOUR_MS)
        waits.set(stay.port, [...(waits.get(stay.port) ?? []), hours]);
      [hours, isWhole, before] = [0, true, stay];
    }
  }
  return waits;
}

/** `truth` and `found` of vessels with an MMSI of their own. */
function averageWait(truth: readonly TrueStay[], found: readonly FoundStay[], window: Window): AverageWait {
  const meanHours = (stays: readonly AnyStay[]): number =>
    mean(
      stays
        .filter(
          ({ kind, startAt, endAt }) =>
            kind === 'wait' && startAt > window.startAt + HOUR_MS && endAt < window.endAt - HOUR_MS,
        )
        .map(hoursOf),
    );
  const foundWaits = waitsForBerths(found, window);
  const errors = [...waitsForBerths(truth, window)]
    .filter(([, hours]) => hours.length >= MIN_BERTHINGS)
    .map(([port, hours]) => Math.abs(mean(foundWaits.get(port) ?? [0]) - mean(hours)));
  return {
    found: meanHours(found),
    truth: meanHours(truth),
    meanError: mean(errors),
    largestError: Math.max(...errors),
  };
}

/** Stays that begin within an hour of the end of another berth of the vessel. */
function shiftsOf(truth: readonly TrueStay[]): TrueStay[] {
  const berths = truth.filter(({ kind, shared }) => kind === 'berth' && !shared);
  return berths.filter((stay) =>
    berths.some(
      ({ vessel, endAt }) => vessel === stay.vessel && endAt < stay.startAt && stay.startAt - endAt < HOUR_MS,
    ),
  );
}

/**
 * Runs the engine with `changes` to its parameters over the world that `generate` makes of `options`, with as many hours
 * a day without reception as stated.
 */
export function measure(
  generate: GenerateWorld,
  options: WorldOptions,
  changes: Partial<EngineParameters> = {},
  outageHours = 0,
): Scores {
  const { ports, truth, fixes } = generate(options);
  const spans = dailyOutages(options, outageHours);
  const outages = knownOutages(spans);
  const window = {
    startAt: options.startAt,
    endAt: options.startAt + options.days * DAY_MS,
    outages: spans,
  };
  const parameters = { ...DEFAULT_PARAMETERS, ...changes };
  const run = runEngine(receivedFixes(fixes, spans), window.endAt, parameters, outages);
  const found = foundStays(run, { ...stayParts(ports, parameters), outages }, window.endAt);
  const shared = new Set(truth.filter((stay) => stay.shared).map(({ mmsi }) => mmsi));
  const scoreOf = (stays: readonly FoundStay[], isShared: boolean): Score =>
    scoreStays(
      truth.filter((stay) => stay.shared === isShared),
      stays.filter(({ mmsi }) => shared.has(mmsi) === isShared),
      window,
    );
  return {
    own: scoreOf(found, false),
    shared: scoreOf(found, true),
    shifts: scoreStays(shiftsOf(truth), found, window).recall,
    averageWait: averageWait(
      truth.filter((stay) => !stay.shared),
      found.filter(({ mmsi }) => !shared.has(mmsi)),
      window,
    ),
  };
}

/** Minutes that borders may be off, by the seconds between two fixes. */
const borderBar = (fixSeconds: number): number =>
  fixSeconds <= 180 ? 3 : fixSeconds <= 300 ? 5 : fixSeconds <= 600 ? 10 : 30;
/** Fewer stays of shared MMSIs give no share. */
const MIN_SHARED = 5;

/** Least share of the stays to find, by received time, in worlds with hours of each day without reception. */
const OUTAGE_BAR = 0.93;

/** Names of the scores of a run that are below the bar; empty when it passes. */
export function shortfalls({ own, shared, shifts }: Scores, fixSeconds = 60, outageHours = 0): string[] {
  if (outageHours > 0) return (['recall', 'precision'] as const).filter((name) => own[name] < OUTAGE_BAR);
  const border = borderBar(fixSeconds);
  const bars: [string, boolean][] = [
    ['recall', own.recall >= (fixSeconds <= 300 ? 0.98 : 0.95)],
    ['precision', own.precision >= 0.98],
    ['kind', own.kind >= (fixSeconds <= 300 ? 0.99 : 0.98)],
    ['start', own.startP95 <= border],
    ['end', own.endP95 <= border],
    ['port of berthed waits', own.berthedWaitPort >= 0.96],
    // A shift may be shorter than ten minutes.
    ['berths after a shift', fixSeconds > 300 || shifts >= 0.8],
    ['recall of shared MMSIs', shared.truth < MIN_SHARED || shared.recall >= 0.85],
  ];
  return bars.filter(([, passed]) => !passed).map(([name]) => name);
}
