/** One run of the engine over a generated world, scored: what the bars of the tests and the study are measured by. */
import { fixedDegrees, metresBetween } from '../../../core/positions/geometry.ts';
import { DEFAULT_PARAMETERS, type EngineParameters } from '../../../core/positions/parameters.ts';
import type { PlaceTable } from '../../../core/positions/places.ts';
import { DAY_MS, HOUR_MS } from '../../../core/reference/time.ts';
import { dailyOutages, knownOutages, receivedFixes } from './daily-outages.ts';
import { foundStays, placesFrom, runEngine, stayParts } from './engine-run.ts';
import { type FoundStay, groupedByMmsi, type Score, scoreStays } from './scoring.ts';
import type { GenerateWorld, TrueStay, WorldOptions, WorldPort } from './world-types.ts';

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
  /** Ports that share their anchorages counted together. */
  readonly atAnchorOfRoadsteads: AtAnchor;
}

/** Counts of vessels at anchor: how often the found ones differ from the true ones by one at most. */
interface AtAnchor {
  readonly within: number;
  readonly counts: number;
  readonly largest: number;
}

/** Mean hours of the waits that lie within the data, as found and as true, and how far the ports are off. */
interface AverageWait {
  readonly found: number;
  readonly truth: number;
  /** Mean and largest absolute difference over the ports with five berthings or more, in hours before a berth. */
  readonly meanError: number;
  readonly largestError: number;
  /** Those ports, and how many of them are off by a tenth of the truth at most. */
  readonly ports: number;
  readonly portsWithin: number;
}

type AnyStay = TrueStay | FoundStay;
type Window = { readonly startAt: number; readonly endAt: number };

const MIN_BERTHINGS = 5;
/** Permitted error of a port's mean wait, as a part of the true one. */
const WAIT_TOLERANCE = 0.1;
const COUNT_EVERY_MS = 6 * HOUR_MS;
/** A berth so soon after another one at the port, without a wait, is a shift. */
const SHIFT_MS = 12 * HOUR_MS;
/** Ports so near to each other share their anchorages. */
const ROADSTEAD_METRES = 56_000;

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
  const ports = [...waitsForBerths(truth, window)]
    .filter(([, hours]) => hours.length >= MIN_BERTHINGS)
    .map(([port, hours]) => {
      const error = Math.abs(mean(foundWaits.get(port) ?? [0]) - mean(hours));
      return { error, isWithin: error <= WAIT_TOLERANCE * mean(hours) };
    });
  return {
    found: meanHours(found),
    truth: meanHours(truth),
    meanError: mean(ports.map(({ error }) => error)),
    largestError: Math.max(...ports.map(({ error }) => error)),
    ports: ports.length,
    portsWithin: ports.filter(({ isWithin }) => isWithin).length,
  };
}

/** The first of the ports with which a port shares its anchorages. */
function roadsteads(ports: readonly WorldPort[]): (locode: string | undefined) => string | undefined {
  const firsts = new Map(
    ports.map((port) => [
      port.locode,
      ports.find(
        (other) =>
          metresBetween(
            fixedDegrees(port.latitude),
            fixedDegrees(port.longitude),
            fixedDegrees(other.latitude),
            fixedDegrees(other.longitude),
          ) < ROADSTEAD_METRES,
      )?.locode,
    ]),
  );
  return (locode) => firsts.get(locode ?? '');
}

/** The vessels at anchor of each port (or what `group` makes of it) every six hours of the second half, when the queues have formed. */
function atAnchorCounts(
  truth: readonly TrueStay[],
  found: readonly FoundStay[],
  { startAt, endAt }: Window,
  group: (port: string | undefined) => string | undefined = (port) => port,
): AtAnchor {
  const atAnchor = (stays: readonly AnyStay[], port: string | undefined, at: number): number =>
    stays.filter(
      (stay) => stay.kind === 'wait' && group(stay.port) === port && stay.startAt <= at && at < stay.endAt,
    ).length;
  const errors: number[] = [];
  for (const port of new Set(truth.map((stay) => group(stay.port))))
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
    averageWait: averageWait(
      truth.filter((stay) => !stay.shared),
      found.filter(({ mmsi }) => !shared.has(mmsi)),
      window,
    ),
    atAnchor: atAnchorCounts(truth, found, window),
    atAnchorOfRoadsteads: atAnchorCounts(truth, found, window, roadsteads(ports)),
  };
}

/** Minutes that borders may be off, by the seconds between two fixes. */
const borderBar = (fixSeconds: number): number =>
  fixSeconds <= 180 ? 3 : fixSeconds <= 300 ? 5 : fixSeconds <= 600 ? 10 : 30;
/** Fewer stays of shared MMSIs give no share. */
const MIN_SHARED = 5;

/** Of stays, by the time that was received, with hours of each day without reception. */
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
