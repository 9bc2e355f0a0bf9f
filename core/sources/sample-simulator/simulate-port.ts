/** The discrete-event simulation of one port: vessels arrive, queue, go alongside, shift and leave. */
import type { Locode } from '../../reference/locode.ts';
import { DAY_MS, type Instant } from '../../reference/time.ts';
import { nextArrival } from './arrivals.ts';
import { type PortProfile, profileOf } from './port-profile.ts';
import { type RandomStream, randomStream } from './random.ts';
import { berthsAtWork, nextCapacityChange, type Scenario, scenarioOf } from './scenario.ts';
import type { SimulatedCall, SimulatedTraffic } from './simulated-call.ts';
import { createTerminal, type Terminal } from './terminal.ts';
import { createVessel, finishedCall, goAlongside, type VesselUnderWay } from './vessel-under-way.ts';

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

function tradesOf(profile: PortProfile, beganAt: Instant, seed: number, scenario: Scenario): Trade[] {
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
  scenario: Scenario = scenarioOf(port),
): SimulatedCall[] {
  const profile = { ...profileOf(port), ...scenario.profile, port };
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

  const trades = tradesOf(profile, beganAt, seed, scenario);
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
