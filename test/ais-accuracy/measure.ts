/** One run of the engine over a generated world, scored: what the bars of the tests and the study are measured by. */
import { DEFAULT_PARAMETERS, type EngineParameters } from '../../core/ais/parameters.ts';
import type { PlaceTable } from '../../core/ais/places.ts';
import { DAY_MS, HOUR_MS } from '../../core/reference/time.ts';
import { dailyOutages, knownOutages, receivedFixes } from './daily-outages.ts';
import { foundStays, placesFrom, runEngine, stayParts } from './engine-run.ts';
import { type FoundStay, type Score, scoreStays } from './scoring.ts';
import type { GenerateWorld, TrueStay, WorldOptions } from './world-types.ts';

export interface Scores {
  /** Vessels with an MMSI of their own, and those that share one. */
  readonly own: Score;
  readonly shared: Score;
  /** Share of right kinds without learned places. */
  readonly kindAlone: number;
  /** Share of berths within an hour of another berth of the vessel that were found. */
  readonly shifts: number;
  readonly averageWait: AverageWait;
  readonly atAnchor: AtAnchor;
}

/** Vessels at anchor of a port at one time, as found and as true: how often they differ by one at most. */
interface AtAnchor {
  readonly within: number;
  readonly counts: number;
  readonly largest: number;
}

/** Mean hours of the waits that lie within the data, as found and as true, and how far the ports are off. */
interface AverageWait {
  readonly found: number;
  readonly truth: number;
  /** Mean and largest absolute difference over the ports with five such waits or more, in hours. */
  readonly meanError: number;
  readonly largestError: number;
  /** Those ports, and how many of them are off by a tenth of the truth at most. */
  readonly ports: number;
  readonly portsWithin: number;
}

const MIN_WAITS = 5;
/** Part of the true mean wait of a port that the found one may be off by. */
const WAIT_TOLERANCE = 0.1;
const COUNT_EVERY_MS = 6 * HOUR_MS;

const mean = (values: readonly number[]): number =>
  values.reduce((sum, each) => sum + each, 0) / values.length;

export function averageWait(
  truth: readonly TrueStay[],
  found: readonly FoundStay[],
  window: { readonly startAt: number; readonly endAt: number },
): AverageWait {
  const hours = (stays: readonly (TrueStay | FoundStay)[], port?: string): number[] =>
    stays
      .filter(
        (stay) =>
          stay.kind === 'wait' &&
          (port === undefined || stay.port === port) &&
          stay.startAt > window.startAt + HOUR_MS &&
          stay.endAt < window.endAt - HOUR_MS,
      )
      .map(({ startAt, endAt }) => (endAt - startAt) / HOUR_MS);
  const ports = [...new Set(truth.map(({ port }) => port))].filter(
    (port) => hours(truth, port).length >= MIN_WAITS,
  );
  const errors = ports.map((port) => Math.abs(mean(hours(found, port)) - mean(hours(truth, port))));
  return {
    found: mean(hours(found)),
    truth: mean(hours(truth)),
    meanError: mean(errors),
    largestError: Math.max(...errors),
    ports: ports.length,
    portsWithin: ports.filter((port, i) => (errors[i] ?? 0) <= WAIT_TOLERANCE * mean(hours(truth, port)))
      .length,
  };
}

/** The vessels at anchor of each port every six hours, in the second half of the data, when the queues have formed. */
export function atAnchorCounts(
  truth: readonly TrueStay[],
  found: readonly FoundStay[],
  { startAt, endAt }: { readonly startAt: number; readonly endAt: number },
): AtAnchor {
  const atAnchor = (stays: readonly (TrueStay | FoundStay)[], port: string, at: number): number =>
    stays.filter(
      (stay) => stay.kind === 'wait' && stay.port === port && stay.startAt <= at && at < stay.endAt,
    ).length;
  const errors: number[] = [];
  for (const port of new Set(truth.map((stay) => stay.port)))
    for (let at = (startAt + endAt) / 2; at < endAt; at += COUNT_EVERY_MS)
      errors.push(Math.abs(atAnchor(found, port, at) - atAnchor(truth, port, at)));
  return {
    within: errors.filter((error) => error <= 1).length,
    counts: errors.length,
    largest: Math.max(...errors),
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

/** Places learned from what the engine finds in a world by spread, heading and status alone. */
export function learnedFrom(generate: GenerateWorld, options: WorldOptions): PlaceTable {
  const { ports, fixes } = generate(options);
  return placesFrom(runEngine(fixes, options.startAt + options.days * DAY_MS), stayParts(ports));
}

/**
 * Runs the engine with `changes` to its parameters over the world that `generate` makes of `options`, with as many hours
 * a day without reception as stated. Places are learned from the same run unless `places` are given.
 */
export function measure(
  generate: GenerateWorld,
  options: WorldOptions,
  changes: Partial<EngineParameters> = {},
  places?: PlaceTable,
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
  const alone = { ...stayParts(ports, parameters), outages };
  const learned = { ...stayParts(ports, parameters, places ?? placesFrom(run, alone)), outages };
  const found = foundStays(run, learned, window.endAt);
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
    kindAlone: scoreOf(foundStays(run, alone, window.endAt), false).kind,
    shifts: scoreStays(shiftsOf(truth), found, window).recall,
    averageWait: averageWait(truth, found, window),
    atAnchor: atAnchorCounts(truth, found, window),
  };
}

/** Minutes that borders may be off, by the seconds between two fixes. */
const borderBar = (fixSeconds: number): number =>
  fixSeconds <= 180 ? 3 : fixSeconds <= 300 ? 5 : fixSeconds <= 600 ? 10 : 30;
/** Fewer stays of shared MMSIs give no share. */
const MIN_SHARED = 5;

/** Of stays, by the time that was received, with hours of each day without reception. */
const OUTAGE_BAR = 0.93;

/** What of a run is below the bar, by name; empty when it passes. */
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
