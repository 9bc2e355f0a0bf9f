/** The discrete-event simulation of one port: vessels arrive, queue, go alongside, shift and leave. */
import type { Locode } from '../../core/reference/codes.ts';
import {
  DAY_MS,
  formatInstant,
  HOUR_MS,
  type Instant,
  SECOND_MS,
  wholeSecond,
} from '../../core/reference/time.ts';
import {
  exponential,
  logNormal,
  type RandomStream,
  randomStream,
  uniform,
} from '../../core/sources/sample-simulator/source.ts';
import { type PortProfile, portProfile } from './port-profile.ts';
import { berthsAtWork, findScenario, nextCapacityChange, type Scenario } from './scenario.ts';
import {
  anchoredHoursBeforeBerth,
  type SimulatedCall,
  type SimulatedLeg,
  type SimulatedTraffic,
} from './simulated-call.ts';

// A vessel in the middle of its simulated call: its completed legs and the remaining berth stages.

/** A berth still to be visited: the way there and the work alongside. */
interface Stage {
  readonly transitMs: number;
  readonly berthMs: number;
}

interface VesselUnderWay {
  readonly profile: PortProfile;
  readonly callId: string;
  readonly vesselId: string;
  readonly traffic: SimulatedTraffic;
  readonly ataAt: Instant;
  readonly legs: SimulatedLeg[];
  readonly stages: Stage[];
}

/** Number of vessels of one trade, which call in turn; fewer ferries than cargo vessels. */
const FLEET_SIZE = { cargo: 700, ferry: 24 } as const;
const TRANSIT_HOURS = { cargo: [0.7, 1.6], ferry: [0.3, 0.5] } as const;
const BERTH_HOURS_SPREAD = { cargo: 0.45, ferry: 0.25 } as const;
/** A second berth is for the rest of the cargo, bunkers or repairs. */
const SECOND_BERTH_SHARE = 0.5;
const MIN_BERTH_HOURS = 1;

const hoursToMs = (hours: number): number => Math.round((hours * HOUR_MS) / SECOND_MS) * SECOND_MS;

/** The `ordinal`-th arrival of its trade; all random numbers of the call are drawn here. */
function createVessel(
  profile: PortProfile,
  traffic: SimulatedTraffic,
  ordinal: number,
  ataAt: Instant,
  random: RandomStream,
): VesselUnderWay {
  const [shortest, longest] = TRANSIT_HOURS[traffic];
  const medianHours = traffic === 'ferry' ? profile.ferryBerthHours : profile.berthHours;
  const stage = (share: number): Stage => ({
    transitMs: hoursToMs(uniform(random, shortest, longest)),
    berthMs: hoursToMs(
      Math.max(MIN_BERTH_HOURS, share * logNormal(random, medianHours, BERTH_HOURS_SPREAD[traffic])),
    ),
  });
  const first = stage(1);
  const shifts = traffic === 'cargo' && random() < profile.shiftShare;
  const stages = shifts ? [first, stage(SECOND_BERTH_SHARE)] : [first];
  const stamp = formatInstant(ataAt).replaceAll(/[-:]/g, '');
  const vessel = String(ordinal % FLEET_SIZE[traffic]).padStart(4, '0');
  return {
    profile,
    callId: `${profile.port}-${traffic}-${stamp}`,
    vesselId: `SIM-${profile.port}-${traffic}-${vessel}`,
    traffic,
    ataAt,
    legs: [],
    stages,
  };
}

/**
 * Sends the vessel, admitted at `at`, to `berth`: the time since its last leg was spent at anchor. Returns when it
 * will leave that berth. A berth belongs to a vessel from its admission, not from its mooring.
 */
function goAlongside(vessel: VesselUnderWay, berth: string, at: Instant): Instant {
  const stage = vessel.stages.shift();
  if (!stage) throw new RangeError(`${vessel.callId} asks for no further berth`);
  const { anchorage } = vessel.profile;
  const freeAt = vessel.legs.at(-1)?.endAt ?? vessel.ataAt;
  const mooredAt = at + stage.transitMs;
  const leaveAt = mooredAt + stage.berthMs;
  if (at > freeAt) vessel.legs.push({ zone: 'anchorage', place: anchorage, startAt: freeAt, endAt: at });
  vessel.legs.push({ zone: 'moving', place: 'Fairway', startAt: at, endAt: mooredAt });
  vessel.legs.push({ zone: 'berth', place: berth, startAt: mooredAt, endAt: leaveAt });
  return leaveAt;
}

/** The call of a vessel that has left its last berth. */
function finishedCall(vessel: VesselUnderWay): SimulatedCall {
  const { callId, vesselId, traffic, ataAt, legs } = vessel;
  const first = legs.find((leg) => leg.zone === 'berth');
  const last = legs.at(-1);
  if (!first || !last) throw new RangeError(`${callId} has not been alongside`);
  return {
    callId,
    port: vessel.profile.port,
    vesselId,
    traffic,
    ataAt,
    atbAt: first.startAt,
    atdAt: last.endAt,
    waitHours: anchoredHoursBeforeBerth(legs),
    legs,
  };
}

// A terminal: its berths and their one queue, first come, first served.

/** A vessel that asks for a berth. */
interface Terminal<Vessel> {
  /** Joins the end of the queue. */
  join(vessel: Vessel): void;
  /** The head of the queue and the berth that it gets now; undefined while no vessel waits or no berth works. */
  admit(berthsAtWork: number): { readonly vessel: Vessel; readonly berth: string } | undefined;
  /** The vessel at `berth` has left it. */
  release(berth: string): void;
}

/**
 * `berths` in the order in which they are first filled. A vessel gets the free berth that has been empty
 * longest; when fewer berths work than are occupied, no vessel has to leave and none is admitted.
 */
function createTerminal<Vessel>(berths: readonly string[]): Terminal<Vessel> {
  const free = [...berths];
  const queue: Vessel[] = [];
  return {
    join: (vessel) => {
      queue.push(vessel);
    },
    admit: (berthsAtWork) => {
      const taken = berths.length - free.length;
      const [vessel, berth] = [queue[0], free[0]];
      if (vessel === undefined || berth === undefined || taken >= berthsAtWork) return undefined;
      queue.shift();
      free.shift();
      return { vessel, berth };
    },
    release: (berth) => {
      free.push(berth);
    },
  };
}

// Arrivals: a Poisson process whose rate follows the hours of the day and the days of the week.

/** Monday first; the mean is 1. Liner schedules aim at the start of the working week. */
const WEEKDAY_FACTORS = [1.12, 1.08, 1.04, 1.0, 0.97, 0.92, 0.87];
const DAILY_SWING = 0.25;
const PEAK_LOCAL_HOUR = 6;
const MAX_FACTOR = Math.max(...WEEKDAY_FACTORS) * (1 + DAILY_SWING);
/** 1970-01-01 was a Thursday, the fourth day of a week that begins on Monday. */
const EPOCH_WEEKDAY = 3;

/** The rate at `at` over the mean rate; its mean over a week is 1. */
function rhythm(at: Instant, utcOffsetHours: number): number {
  const localHours = at / HOUR_MS + utcOffsetHours;
  const weekday = (((Math.floor(localHours / 24) + EPOCH_WEEKDAY) % 7) + 7) % 7;
  const swing = Math.cos(((localHours - PEAK_LOCAL_HOUR) / 24) * 2 * Math.PI);
  return (WEEKDAY_FACTORS[weekday] ?? 1) * (1 + DAILY_SWING * swing);
}

/** The first arrival after `at`, by thinning a faster process (Lewis and Shedler, 1979); at least a second later. */
function nextArrival(random: RandomStream, at: Instant, perDay: number, utcOffsetHours: number): Instant {
  const meanMs = (24 * HOUR_MS) / (perDay * MAX_FACTOR);
  let candidateAt: number = at;
  do candidateAt += exponential(random, meanMs);
  while (random() * MAX_FACTOR > rhythm(candidateAt, utcOffsetHours));
  return Math.max(wholeSecond(candidateAt), at + SECOND_MS);
}

/** Warm-up: the simulation begins empty this long before its first day. */
const WARM_UP_MS = 21 * DAY_MS;

interface Trade {
  readonly traffic: SimulatedTraffic;
  readonly perDay: number;
  readonly random: RandomStream;
  readonly terminal: Terminal<VesselUnderWay>;
  readonly berthsAtWork: (at: Instant) => number;
  arrivals: number;
}

const berthNames = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${prefix} ${i + 1}`);

function listTrades(profile: PortProfile, beganAt: Instant, seed: number, scenario: Scenario): Trade[] {
  const most = Math.max(profile.berths, ...(scenario.capacity ?? []).map((step) => step.berths));
  const trade = (
    traffic: SimulatedTraffic,
    perDay: number,
    berths: string[],
    atWork: Trade['berthsAtWork'],
  ): Trade => ({
    traffic,
    perDay,
    random: randomStream(seed, profile.port, traffic, beganAt),
    terminal: createTerminal(berths),
    berthsAtWork: atWork,
    arrivals: 0,
  });
  const cargo = trade('cargo', profile.cargoPerDay, berthNames(profile.berthPrefix, most), (at) =>
    berthsAtWork(scenario, profile.berths, beganAt, at),
  );
  const ferryBerths = berthNames(`${profile.berthPrefix} ferry`, profile.ferryBerths);
  const ferry = trade('ferry', profile.ferriesPerDay, ferryBerths, () => ferryBerths.length);
  return profile.ferriesPerDay > 0 ? [cargo, ferry] : [cargo];
}

/**
 * The event queue: earliest first, ties in the order of insertion. A sorted array, because a port's queue has only some
 * dozens of events. `next` returns undefined when nothing is left.
 */
function createEventQueue<Happening>() {
  const agenda: { readonly at: Instant; readonly happening: Happening }[] = [];
  return {
    add(at: Instant, happening: Happening): void {
      const before = agenda.findLastIndex((entry) => entry.at <= at);
      agenda.splice(before + 1, 0, { at, happening });
    },
    next: () => agenda.shift(),
  };
}

/**
 * Every call that was in `port` at some time of `[beganAt, toAt)`, by arrival, each complete to its end.
 * A pure function; a later `toAt` adds calls and changes none. All times are whole seconds. `scenario` defaults to
 * that of the port. Throws `RangeError` for a port that is not simulated.
 */
export function simulatePort(
  port: Locode,
  beganAt: Instant,
  toAt: Instant,
  seed: number,
  scenario: Scenario = findScenario(port),
): SimulatedCall[] {
  const profile = { ...portProfile(port), ...scenario.profile, port };
  const agenda = createEventQueue<(at: Instant) => void>();
  const calls: SimulatedCall[] = [];
  let arrivedInTime = 0;

  const serveQueue = (trade: Trade, at: Instant): void => {
    const admitted = trade.terminal.admit(trade.berthsAtWork(at));
    if (!admitted) return;
    const { vessel, berth } = admitted;
    agenda.add(goAlongside(vessel, berth, at), (leaveAt) => {
      trade.terminal.release(berth);
      if (vessel.stages.length > 0) trade.terminal.join(vessel);
      else if (vessel.ataAt < toAt) calls.push(finishedCall(vessel));
      serveQueue(trade, leaveAt);
    });
    serveQueue(trade, at);
  };

  const arrive = (trade: Trade, at: Instant): void => {
    trade.arrivals += 1;
    if (at < toAt) arrivedInTime += 1;
    trade.terminal.join(createVessel(profile, trade.traffic, trade.arrivals, at, trade.random));
    serveQueue(trade, at);
    scheduleArrival(trade, at);
  };

  const scheduleArrival = (trade: Trade, at: Instant): void => {
    const arrivalAt = nextArrival(trade.random, at, trade.perDay, profile.utcOffsetHours);
    agenda.add(arrivalAt, () => arrive(trade, arrivalAt));
  };

  const scheduleCapacityChange = (trades: readonly Trade[], at: Instant): void => {
    const changeAt = nextCapacityChange(scenario, beganAt, at);
    if (changeAt === undefined) return;
    agenda.add(changeAt, () => {
      for (const trade of trades) serveQueue(trade, changeAt);
      scheduleCapacityChange(trades, changeAt);
    });
  };

  const trades = listTrades(profile, beganAt, seed, scenario);
  for (const trade of trades) scheduleArrival(trade, beganAt - WARM_UP_MS);
  scheduleCapacityChange(trades, beganAt - WARM_UP_MS);
  // Runs beyond `toAt`, with arrivals, until the last vessel that arrived before it has left.
  for (let entry = agenda.next(); entry; entry = agenda.next()) {
    if (entry.at >= toAt && calls.length === arrivedInTime) break;
    entry.happening(entry.at);
  }
  return calls
    .filter((call) => call.atdAt > beganAt)
    .sort((a, b) => a.ataAt - b.ataAt || (a.callId < b.callId ? -1 : 1));
}
