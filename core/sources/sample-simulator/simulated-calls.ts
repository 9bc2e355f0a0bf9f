/** Made-up calls of five ports: vessels arrive at random, take the berth that is free first, and leave. */
import type { CallRecord, VesselClass } from '../../calls/observation.ts';
import type { Locode } from '../../reference/locode.ts';
import {
  DAY_MS,
  formatInstant,
  HOUR_MS,
  type Instant,
  SECOND_MS,
  wholeSecond,
} from '../../reference/time.ts';
import { exponential, logNormal, type RandomStream, randomStream, uniform } from './random.ts';

type SimulatedTraffic = 'cargo' | 'ferry';

/** From `fromDay` of a cycle on, the first `berths` berths work. */
interface BerthsAtWork {
  readonly fromDay: number;
  readonly berths: number;
}

interface PortProfile {
  /** Mean arrivals a day. */
  readonly perDay: Readonly<Record<SimulatedTraffic, number>>;
  /** Median hours at a berth; they are log-normal. */
  readonly berthHours: number;
  readonly berths: readonly BerthsAtWork[];
  readonly anchorage: string;
  readonly prefix: string;
}

const always = (berths: number): readonly BerthsAtWork[] => [{ fromDay: 0, berths }];

/**
 * A labour dispute: few berths work and the queue builds up; then slightly fewer than the arrivals need, and it stays; then every
 * berth and lay-by berth works, and it clears within a day or two. Calm and queue are each long enough for the change-point
 * detector to report the rise and the fall of the second cycle, with which the history of a new data folder ends.
 */
const DISPUTE: readonly BerthsAtWork[] = [
  { fromDay: 0, berths: 22 },
  { fromDay: 17.7, berths: 4 },
  { fromDay: 21, berths: 11 },
  { fromDay: 35.5, berths: 60 },
  { fromDay: 38.5, berths: 22 },
];
const CYCLE_MS = 91 * DAY_MS;

const PROFILES: Readonly<Record<Locode, PortProfile>> = {
  USLAX: {
    perDay: { cargo: 10, ferry: 0 },
    berthHours: 27,
    berths: DISPUTE,
    anchorage: 'San Pedro Bay anchorage',
    prefix: 'LA',
  },
  SGSIN: {
    perDay: { cargo: 20, ferry: 0 },
    berthHours: 17,
    berths: always(18),
    anchorage: 'Eastern anchorage',
    prefix: 'PSA',
  },
  NLRTM: {
    perDay: { cargo: 14, ferry: 0 },
    berthHours: 22,
    berths: always(17),
    anchorage: 'Maas anchorage',
    prefix: 'RTM',
  },
  HKHKG: {
    perDay: { cargo: 13, ferry: 0 },
    berthHours: 14,
    berths: always(11),
    anchorage: 'Western anchorage',
    prefix: 'KC',
  },
  FIHEL: {
    perDay: { cargo: 5, ferry: 8 },
    berthHours: 14,
    berths: always(5),
    anchorage: 'Helsinki roads',
    prefix: 'VUO',
  },
};

/** The simulation begins, without vessels, this long before its first day. */
const WARM_UP_MS = 21 * DAY_MS;
const BERTH_HOURS_SPREAD = 0.45;
const FERRY_HOURS = [2, 3] as const;
const FERRY_BERTHS = 7;
const FAIRWAY_HOURS = [0.7, 1.6] as const;
/** Number of vessels that call in turn. */
const FLEET_SIZE = 700;
/** The class of a cargo vessel, by the last digit of its number. */
const FLEET: readonly VesselClass[] = [
  ...Array<VesselClass>(5).fill('container'),
  ...Array<VesselClass>(2).fill('bulk'),
  ...Array<VesselClass>(2).fill('tanker'),
  'other',
];

/** A call from its arrival to its departure. */
export interface SimulatedCall extends CallRecord {
  readonly ataAt: Instant;
  readonly atdAt: Instant;
  /** Oldest first, without a gap. */
  readonly stops: readonly (CallRecord['stops'][number] & {
    readonly ataAt: Instant;
    readonly atdAt: Instant;
  })[];
}

const hours = (random: RandomStream, [least, most]: readonly [number, number]): number =>
  uniform(random, least, most) * HOUR_MS;

/** The first instant from `at` on at which a berth works; berths are counted from 0. */
function worksFrom(berths: readonly BerthsAtWork[], berth: number, beganAt: Instant, at: Instant): Instant {
  if (at < beganAt || berths.every((step) => berth < step.berths)) return at;
  const cycleAt = beganAt + Math.floor((at - beganAt) / CYCLE_MS) * CYCLE_MS;
  const current = berths.findLast((step) => cycleAt + step.fromDay * DAY_MS <= at);
  if (current === undefined || berth < current.berths) return at;
  for (const startAt of [cycleAt, cycleAt + CYCLE_MS])
    for (const step of berths) {
      const fromAt = startAt + step.fromDay * DAY_MS;
      if (fromAt > at && berth < step.berths) return fromAt;
    }
  return Number.POSITIVE_INFINITY;
}

/** The berth that is free first for a cargo vessel; `freeAt` states until when each is taken. */
function findBerth({ berths }: PortProfile, beganAt: Instant, freeAt: readonly Instant[], ataAt: Instant) {
  const starts = freeAt.map((at, berth) => worksFrom(berths, berth, beganAt, Math.max(at, ataAt)));
  const startAt = Math.min(...starts);
  return { startAt: wholeSecond(startAt), berth: starts.indexOf(startAt) };
}

/** The arrivals of a Poisson process from the warm-up to `toAt`, at whole seconds. */
function* arrivals(random: RandomStream, perDay: number, { beganAt, toAt }: Simulation): Generator<Instant> {
  let at = beganAt - WARM_UP_MS;
  while (perDay > 0) {
    at = wholeSecond(at + SECOND_MS + exponential(random, DAY_MS / perDay));
    if (at >= toAt) return;
    yield at;
  }
}

/** Vessels of one kind of traffic call in turn. All random numbers of a call are drawn when its vessel arrives. */
function simulateTraffic(
  port: Locode,
  profile: PortProfile,
  traffic: SimulatedTraffic,
  simulation: Simulation,
) {
  const { seed, beganAt } = simulation;
  const random = randomStream(seed, port, traffic, beganAt);
  const isFerry = traffic === 'ferry';
  const freeAt = Array<Instant>(Math.max(...profile.berths.map((step) => step.berths))).fill(0);
  const calls: SimulatedCall[] = [];
  for (const ataAt of arrivals(random, profile.perDay[traffic], simulation)) {
    const fairwayMs = hours(random, FAIRWAY_HOURS);
    const berthMs = isFerry
      ? hours(random, FERRY_HOURS)
      : Math.max(1, logNormal(random, profile.berthHours, BERTH_HOURS_SPREAD)) * HOUR_MS;
    const { startAt, berth } = isFerry
      ? { startAt: ataAt, berth: calls.length % FERRY_BERTHS }
      : findBerth(profile, beganAt, freeAt, ataAt);
    const atbAt = wholeSecond(startAt + fairwayMs);
    const atdAt = wholeSecond(atbAt + berthMs);
    freeAt[berth] = atdAt;
    const vessel = String(calls.length % FLEET_SIZE).padStart(4, '0');
    const wait = { zone: 'anchorage', place: profile.anchorage, ataAt, atdAt: startAt } as const;
    const place = `${profile.prefix}${isFerry ? ' ferry' : ''} ${berth + 1}`;
    calls.push({
      callId: `${port}-${traffic}-${formatInstant(ataAt).replaceAll(/[-:]/g, '')}`,
      vesselId: `SIM-${port}-${traffic}-${vessel}`,
      traffic,
      ...(!isFerry && { vesselClass: FLEET[Number(vessel.at(-1))] ?? 'other' }),
      recordedAt: atdAt,
      ataAt,
      atdAt,
      stops: [
        ...(startAt > ataAt ? [wait] : []),
        { zone: 'moving', place: 'Fairway', ataAt: startAt, atdAt: atbAt },
        { zone: 'berth', place, ataAt: atbAt, atdAt },
      ],
    });
  }
  return calls;
}

interface Simulation {
  /** First instant of the simulation. */
  readonly beganAt: Instant;
  readonly toAt: Instant;
  readonly seed: number;
}

/** Every call in `port` at some time of `[beganAt, toAt)`, to its end, in whole seconds. A later `toAt` changes none. */
export function simulateCalls(port: Locode, simulation: Simulation): SimulatedCall[] {
  const profile = PROFILES[port];
  if (profile === undefined) throw new RangeError(`${port} is not a simulated port`);
  return (['cargo', 'ferry'] as const)
    .flatMap((traffic) => simulateTraffic(port, profile, traffic, simulation))
    .filter(({ atdAt }) => atdAt > simulation.beganAt);
}

const eventTimes = ({ stops, atdAt }: SimulatedCall): readonly Instant[] => [
  ...stops.map((stop) => stop.ataAt),
  atdAt,
];

/** Whether the call has an event in (`fromAt`, `toAt`]. */
export const changedIn = (call: SimulatedCall, fromAt: Instant, toAt: Instant): boolean =>
  eventTimes(call).some((at) => fromAt < at && at <= toAt);

/** The call as an upstream would publish it at `at`: its events up to then. Undefined before the vessel has arrived. */
export function recordAt(call: SimulatedCall, at: Instant): CallRecord | undefined {
  const recordedAt = eventTimes(call).findLast((eventAt) => eventAt <= at);
  if (recordedAt === undefined) return undefined;
  const { atdAt, ...open } = call;
  return {
    ...open,
    recordedAt,
    ...(atdAt <= at ? { atdAt } : {}),
    stops: call.stops
      .filter((stop) => stop.ataAt <= at)
      .map(({ atdAt: endAt, ...stop }) => (endAt <= at ? { ...stop, atdAt: endAt } : stop)),
  };
}
