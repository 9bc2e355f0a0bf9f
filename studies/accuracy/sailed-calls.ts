/** Recorded port calls as tracks: the position of each vessel, minute by minute, so that the positions match the record. */

import type { CallRecord } from '../../core/calls/observation.ts';
import { blankFix, type Fix, UNKNOWN } from '../../core/positions/fix.ts';
import { fixedDegrees, KNOT } from '../../core/positions/geometry.ts';
import { NAUTICAL_MILE, type PortPoint } from '../../core/positions/port-areas.ts';
import { HOUR_MS, type Instant, MINUTE_MS } from '../../core/reference/time.ts';
import { type RandomStream, randomStream, uniform } from '../../core/sources/sample-simulator/random.ts';

/** Metres east and north of the port's point. */
interface Spot {
  readonly east: number;
  readonly north: number;
}

/** A leg of a track: under way between two spots, or at rest at one. */
interface Leg {
  readonly status: 0 | 1 | 5;
  readonly fromAt: Instant;
  readonly toAt: Instant;
  readonly from: Spot;
  readonly to: Spot;
  /** Radius of the swing at anchor, metres. */
  readonly swing: number;
  readonly heading: number;
}

export interface SailedCall {
  readonly mmsi: number;
  readonly legs: readonly Leg[];
}

/** Kaohsiung's quays run along the harbour behind its two entrances; vessels wait in the roads to the west. */
const QUAYS = 30;
const SEAWARD_DEGREES = 250;
const SEA_MILES = 25;
const CRUISE_KNOTS = 12;
const APPROACH_KNOTS = 7;
/** A stay whose end the record does not state. */
const USUAL_STAY_MS = 24 * HOUR_MS;

const bearing = (degrees: number, metres: number): Spot => ({
  east: Math.sin((degrees * Math.PI) / 180) * metres,
  north: Math.cos((degrees * Math.PI) / 180) * metres,
});
const metresOf = (from: Spot, to: Spot): number => Math.hypot(to.east - from.east, to.north - from.north);
const sailingMs = (from: Spot, to: Spot, knots: number): number =>
  Math.max(MINUTE_MS, (metresOf(from, to) / (knots * KNOT)) * 1000);

const atSea = (random: RandomStream): Spot =>
  bearing(uniform(random, SEAWARD_DEGREES - 40, SEAWARD_DEGREES + 40), SEA_MILES * NAUTICAL_MILE);
const inRoads = (random: RandomStream): Spot =>
  bearing(uniform(random, SEAWARD_DEGREES - 25, SEAWARD_DEGREES + 25), uniform(random, 3, 6) * NAUTICAL_MILE);
/** A quay 200 m from the next, along a line to the south-east. */
function atQuay(random: RandomStream): Spot {
  const { east, north } = bearing(145, Math.floor(random() * QUAYS) * 200);
  return { east: east + 2500 + uniform(random, -5, 5), north: north + uniform(random, -5, 5) };
}

const rest = (status: 1 | 5, spot: Spot, fromAt: Instant, toAt: Instant, random: RandomStream): Leg => ({
  status,
  fromAt,
  toAt,
  from: spot,
  to: spot,
  swing: status === 1 ? uniform(random, 80, 300) : 0,
  heading: uniform(random, 0, 360),
});

const way = (from: Spot, to: Spot, fromAt: Instant, toAt: Instant): Leg => ({
  status: 0,
  fromAt,
  toAt,
  from,
  to,
  swing: 0,
  heading: (Math.atan2(to.east - from.east, to.north - from.north) * 180) / Math.PI,
});

/**
 * The track of one recorded call; undefined where the record states neither an anchorage nor a berth. It arrives at the
 * stated times, weighs anchor in time to reach the berth at the stated one, and leaves when the record says so.
 */
export function sailedCall(record: CallRecord, mmsi: number): SailedCall | undefined {
  const random = randomStream('sailed', record.callId);
  const stops = record.stops.filter(({ ataAt }) => ataAt !== undefined);
  const [first] = stops;
  if (first?.ataAt === undefined) return undefined;
  const legs: Leg[] = [];
  let [spot, at] = [atSea(random), 0];
  for (const [index, { zone, ataAt = 0 }] of stops.entries()) {
    const next = zone === 'berth' ? atQuay(random) : inRoads(random);
    if (index === 0) at = ataAt - sailingMs(spot, next, CRUISE_KNOTS);
    legs.push(way(spot, next, at, ataAt));
    const following = stops[index + 1]?.ataAt;
    const passage = sailingMs(next, atQuay(random), APPROACH_KNOTS);
    const leavesAt =
      following === undefined
        ? Math.max(ataAt + MINUTE_MS, record.atdAt ?? ataAt + USUAL_STAY_MS)
        : Math.max(ataAt, following - Math.min(passage, (following - ataAt) / 2));
    legs.push(rest(zone === 'berth' ? 5 : 1, next, ataAt, leavesAt, random));
    [spot, at] = [next, leavesAt];
  }
  const sea = atSea(random);
  legs.push(way(spot, sea, at, at + sailingMs(spot, sea, CRUISE_KNOTS)));
  return { mmsi, legs };
}

/** Hours in which a vessel swings once about its anchor. */
const SWING_HOURS = 9;
const METRES_A_DEGREE = 111_195;

/** The fix of a call at `at`; undefined before it begins and after it has left. */
export function toFix({ mmsi, legs }: SailedCall, point: PortPoint, at: Instant): Fix | undefined {
  const leg = legs.find(({ fromAt, toAt }) => at >= fromAt && at < toAt);
  if (leg === undefined) return undefined;
  const { from, to, fromAt, toAt, status, swing, heading } = leg;
  const share = (at - fromAt) / (toAt - fromAt);
  const angle = ((at / HOUR_MS / SWING_HOURS) * 2 + heading / 180) * Math.PI;
  const noise = randomStream('fix', mmsi, at);
  const [east, north] = [
    from.east + (to.east - from.east) * share + Math.sin(angle) * swing + uniform(noise, -8, 8),
    from.north + (to.north - from.north) * share + Math.cos(angle) * swing + uniform(noise, -8, 8),
  ];
  const width = METRES_A_DEGREE * Math.cos((point.latitude * Math.PI) / 180);
  const knots = status === 0 ? metresOf(from, to) / ((toAt - fromAt) / 1000) / KNOT : uniform(noise, 0, 0.2);
  const isSwinging = status === 1;
  return {
    ...blankFix(),
    mmsi,
    time: Math.round(at / 1000),
    latitude: fixedDegrees(point.latitude + north / METRES_A_DEGREE),
    longitude: fixedDegrees(point.longitude + east / width),
    speed: Math.round(knots * 10),
    heading:
      status === 0 ? UNKNOWN : Math.floor((isSwinging ? (angle * 180) / Math.PI + 180 : heading) % 360),
    status,
    vesselType: 70,
  };
}
