/** A vessel in the middle of its simulated call: its completed legs and the remaining berth stages. */

import { formatInstant, HOUR_MS, type Instant, SECOND_MS } from '../../reference/time.ts';
import type { PortProfile } from './port-profile.ts';
import { logNormal, type RandomStream, uniform } from './random.ts';
import type { SimulatedTraffic } from './simulated-call.ts';
import { anchoredHoursBeforeBerth, type SimulatedCall, type SimulatedLeg } from './simulated-call.ts';

/** A berth still to be visited: the way there and the work alongside. */
interface Stage {
  readonly transitMs: number;
  readonly berthMs: number;
}

export interface VesselUnderWay {
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
export function createVessel(
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
export function goAlongside(vessel: VesselUnderWay, berth: string, at: Instant): Instant {
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
export function finishedCall(vessel: VesselUnderWay): SimulatedCall {
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
