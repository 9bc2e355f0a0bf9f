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

/** From `fromDay` of a cycle on, the first `berths` berths work. */
interface BerthsAtWork {
  readonly fromDay: number;
  readonly berths: number;
}

interface PortProfile {
  /** Mean arrivals a day. */
  readonly cargoPerDay: number;
  /** Median hours at a berth; they are log-normal. */
  readonly berthHours: number;
  readonly berths: readonly BerthsAtWork[];
  readonly anchorage: string;
  readonly berthPrefix: string;
  /** Ferries have a berth each, and never wait. */
  readonly ferriesPerDay?: number;
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
    cargoPerDay: 10,
    berthHours: 27,
    berths: DISPUTE,
    anchorage: 'San Pedro Bay anchorage',
    berthPrefix: 'LA',
  },
  SGSIN: {
    cargoPerDay: 20,
    berthHours: 17,
    berths: always(18),
    anchorage: 'Eastern anchorage',
    berthPrefix: 'PSA',
  },
  NLRTM: {
    cargoPerDay: 14,
    berthHours: 22,
    berths: always(17),
    anchorage: 'Maas anchorage',
    berthPrefix: 'RTM',
  },
  HKHKG: {
    cargoPerDay: 13,
    berthHours: 14,
    berths: always(11),
    anchorage: 'Western anchorage',
    berthPrefix: 'KC',
  },
  FIHEL: {
    cargoPerDay: 5,
    berthHours: 14,
    berths: always(5),
    anchorage: 'Helsinki roads',
    berthPrefix: 'VUO',
    ferriesPerDay: 8,
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

type SimulatedTraffic = 'cargo' | 'ferry';

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
  const cycleAt = beganAt + Math.max(0, Math.floor((at - beganAt) / CYCLE_MS)) * CYCLE_MS;
  const changes = [cycleAt, cycleAt + CYCLE_MS].flatMap((startAt) =>
    berths.map((step) => ({ fromAt: startAt + step.fromDay * DAY_MS, works: berth < step.berths })),
  );
  const current = changes.findLast(({ fromAt }) => fromAt <= at);
  if (current === undefined || current.works) return at;
  return changes.find(({ fromAt, works }) => fromAt > at && works)?.fromAt ?? Number.POSITIVE_INFINITY;
}

/** When and where a vessel goes alongside. */
interface Berthing {
  readonly startAt: Instant;
  readonly berth: number;
}

/** Gives each cargo vessel the berth that is free first, in the order of the arrivals. */
function cargoBerths({ berths }: PortProfile, beganAt: Instant) {
  const freeAt = Array<Instant>(Math.max(...berths.map((step) => step.berths))).fill(0);
  return {
    next(ataAt: Instant): Berthing {
      const starts = freeAt.map((at, berth) => worksFrom(berths, berth, beganAt, Math.max(at, ataAt)));
      const startAt = Math.min(...starts);
      return { startAt: wholeSecond(startAt), berth: starts.indexOf(startAt) };
    },
    take(berth: number, untilAt: Instant): void {
      freeAt[berth] = untilAt;
    },
  };
}

/** Vessels of one kind of traffic call in turn. */
const vesselName = (port: Locode, traffic: SimulatedTraffic, ordinal: number): string =>
  `SIM-${port}-${traffic}-${String(ordinal % FLEET_SIZE).padStart(4, '0')}`;

/** A call up to its departure, `berthMs` after its vessel is all fast. */
function createCall(
  [port, profile]: readonly [Locode, PortProfile],
  traffic: SimulatedTraffic,
  vesselId: string,
  ataAt: Instant,
  { startAt, berth }: Berthing,
  [fairwayMs, berthMs]: readonly [number, number],
): SimulatedCall {
  const atbAt = wholeSecond(startAt + fairwayMs);
  const atdAt = wholeSecond(atbAt + berthMs);
  const wait = { zone: 'anchorage', place: profile.anchorage, ataAt, atdAt: startAt } as const;
  return {
    callId: `${port}-${traffic}-${formatInstant(ataAt).replaceAll(/[-:]/g, '')}`,
    vesselId,
    traffic,
    ...(traffic === 'cargo' ? { vesselClass: FLEET[Number(vesselId.at(-1))] ?? 'other' } : {}),
    recordedAt: atdAt,
    ataAt,
    atdAt,
    stops: [
      ...(startAt > ataAt ? [wait] : []),
      { zone: 'moving', place: 'Fairway', ataAt: startAt, atdAt: atbAt },
      {
        zone: 'berth',
        place: `${profile.berthPrefix}${traffic === 'ferry' ? ' ferry' : ''} ${berth + 1}`,
        ataAt: atbAt,
        atdAt,
      },
    ],
  };
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

/** All random numbers of a call are drawn when its vessel arrives. */
function simulateCargo(port: Locode, profile: PortProfile, simulation: Simulation): SimulatedCall[] {
  const random = randomStream(simulation.seed, port, 'cargo', simulation.beganAt);
  const berths = cargoBerths(profile, simulation.beganAt);
  const calls: SimulatedCall[] = [];
  for (const ataAt of arrivals(random, profile.cargoPerDay, simulation)) {
    const fairwayMs = hours(random, FAIRWAY_HOURS);
    const berthMs = Math.max(1, logNormal(random, profile.berthHours, BERTH_HOURS_SPREAD)) * HOUR_MS;
    const berthing = berths.next(ataAt);
    const vesselId = vesselName(port, 'cargo', calls.length);
    const call = createCall([port, profile], 'cargo', vesselId, ataAt, berthing, [fairwayMs, berthMs]);
    berths.take(berthing.berth, call.atdAt);
    calls.push(call);
  }
  return calls;
}

function simulateFerries(port: Locode, profile: PortProfile, simulation: Simulation): SimulatedCall[] {
  const random = randomStream(simulation.seed, port, 'ferry', simulation.beganAt);
  const calls: SimulatedCall[] = [];
  for (const ataAt of arrivals(random, profile.ferriesPerDay ?? 0, simulation)) {
    const berthing = { startAt: ataAt, berth: calls.length % FERRY_BERTHS };
    const vesselId = vesselName(port, 'ferry', calls.length);
    const spans = [hours(random, FAIRWAY_HOURS), hours(random, FERRY_HOURS)] as const;
    calls.push(createCall([port, profile], 'ferry', vesselId, ataAt, berthing, spans));
  }
  return calls;
}

interface Simulation {
  /** First instant of the simulation. */
  readonly beganAt: Instant;
  readonly toAt: Instant;
  readonly seed: number;
}

/**
 * Every call that was in `port` at some time of `[beganAt, toAt)`, each complete to its end. A pure function; a later
 * `toAt` adds calls and changes none. All times are whole seconds.
 */
export function simulateCalls(port: Locode, simulation: Simulation): SimulatedCall[] {
  const profile = PROFILES[port];
  if (profile === undefined) throw new RangeError(`${port} is not a simulated port`);
  return [...simulateCargo(port, profile, simulation), ...simulateFerries(port, profile, simulation)].filter(
    ({ atdAt }) => atdAt > simulation.beganAt,
  );
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
