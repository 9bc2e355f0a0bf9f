/** True movements: each cargo vessel's calls, one phase after another, and where it is at any instant. */
import {
  exponential,
  logNormal,
  type RandomStream,
  uniform,
} from '../../../core/sources/sample-simulator/source.ts';
import type { WorldOptions, WorldPort } from './world-types.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const METRES_A_DEGREE = 111_195;
const KNOT = 1852 / 3600;
const NAUTICAL_MILE = 1852;

/** A plane place near a port: metres east and north of it. */
interface Spot {
  readonly port: WorldPort;
  readonly east: number;
  readonly north: number;
}

/** Where a vessel is and how it lies; speed in knots, heading in degrees. */
interface Motion {
  readonly latitude: number;
  readonly longitude: number;
  readonly speed: number;
  readonly heading: number;
  /** What a correct transponder states: 0 under way, 1 at anchor, 5 moored. */
  readonly status: number;
}

export interface Phase {
  readonly kind: 'sail' | 'berth' | 'anchor' | 'drift' | 'away';
  readonly startAt: number;
  readonly endAt: number;
  readonly port: WorldPort;
  at(time: number): Motion;
}

/** How a port lies: berths in a row, two roadsteads to seaward. */
interface Harbour {
  readonly port: WorldPort;
  readonly berths: readonly Spot[];
  readonly roadsteads: readonly Spot[];
  readonly seaward: number;
}

const BERTHS = 27;

export function harbourOf(port: WorldPort, seaward: number, random: RandomStream): Harbour {
  const along = seaward + Math.PI / 2;
  const berths = Array.from({ length: BERTHS }, (_, index): Spot => {
    const metres = (index - BERTHS / 2) * 180;
    const inland = uniform(random, -300, 300);
    return {
      port,
      east: Math.sin(along) * metres - Math.sin(seaward) * inland,
      north: Math.cos(along) * metres - Math.cos(seaward) * inland,
    };
  });
  const roadsteads = [-0.5, 0.5].map((turn): Spot => {
    const [bearing, metres] = [seaward + turn, uniform(random, 6000, 12_000)];
    return { port, east: Math.sin(bearing) * metres, north: Math.cos(bearing) * metres };
  });
  return { port, berths, roadsteads, seaward };
}

function motion(
  spot: Spot,
  eastMetres: number,
  northMetres: number,
  speed: number,
  heading: number,
  status: number,
): Motion {
  const latitude = spot.port.latitude + (spot.north + northMetres) / METRES_A_DEGREE;
  const width = METRES_A_DEGREE * Math.cos((spot.port.latitude * Math.PI) / 180);
  const longitude = spot.port.longitude + (spot.east + eastMetres) / width;
  const turned = ((heading % 360) + 360) % 360;
  return { latitude, longitude, speed: Math.max(0, speed), heading: Math.floor(turned), status };
}

/** A sail between two spots of one port: speed rises from and falls to rest over the first and last miles. */
function sail(from: Spot, to: Spot, startAt: number, cruise: number): Phase {
  const [east, north] = [to.east - from.east, to.north - from.north];
  const length = Math.hypot(east, north);
  const course = (Math.atan2(east, north) * 180) / Math.PI;
  const speeds: number[] = [];
  const covered: number[] = [0];
  for (let done = 0; done < length; ) {
    const miles = Math.min(done, length - done) / NAUTICAL_MILE;
    const speed = Math.min(cruise, 0.9 + 15 * miles);
    speeds.push(speed);
    done += speed * KNOT * 60;
    covered.push(Math.min(done, length));
  }
  const endAt = startAt + speeds.length * MINUTE_MS;
  return {
    kind: 'sail',
    startAt,
    endAt,
    port: to.port,
    at(time) {
      const minutes = Math.min(speeds.length, Math.max(0, (time - startAt) / MINUTE_MS));
      const index = Math.min(speeds.length - 1, Math.floor(minutes));
      const [before = 0, after = 0] = [covered[index], covered[index + 1]];
      const share = length === 0 ? 0 : (before + (after - before) * (minutes - index)) / length;
      return motion(from, east * share, north * share, speeds[index] ?? 0, course, 0);
    },
  };
}

function alongside(spot: Spot, startAt: number, endAt: number, heading: number): Phase {
  return { kind: 'berth', startAt, endAt, port: spot.port, at: () => motion(spot, 0, 0, 0, heading, 5) };
}

/** At anchor the vessel swings about its anchor with the tide. */
function atAnchor(spot: Spot, startAt: number, endAt: number, random: RandomStream, hard: boolean): Phase {
  const radius = hard ? uniform(random, 25, 145) : uniform(random, 120, 350);
  const period = uniform(random, 5, 13) * HOUR_MS;
  const [begin, turn] = [uniform(random, 0, 2 * Math.PI), uniform(random, 0.6, Math.PI)];
  const angleAt = (time: number): number =>
    begin + turn * Math.sin((2 * Math.PI * (time - startAt)) / period);
  const [anchorEast, anchorNorth] = [-Math.sin(begin) * radius, -Math.cos(begin) * radius];
  return {
    kind: 'anchor',
    startAt,
    endAt,
    port: spot.port,
    at(time) {
      const angle = angleAt(time);
      const metres = Math.abs(angleAt(time + MINUTE_MS) - angle) * radius;
      const [east, north] = [anchorEast + Math.sin(angle) * radius, anchorNorth + Math.cos(angle) * radius];
      return motion(spot, east, north, metres / 60 / KNOT, (angle * 180) / Math.PI + 180, 1);
    },
  };
}

/** Adrift the vessel keeps its heading and moves with the wind, on a wide slow curve. */
function adrift(spot: Spot, startAt: number, endAt: number, random: RandomStream, rough: boolean): Phase {
  const speed = rough ? uniform(random, 0.5, 2) : uniform(random, 0.15, 0.55);
  const [course, lot] = [uniform(random, 0, 2 * Math.PI), uniform(random, 0, 360)];
  // In wind the vessel lies beam to it, and drifts across its heading.
  const heading = rough ? (course * 180) / Math.PI + (lot < 180 ? 60 : 240) + (lot % 180) / 3 : lot;
  const rate = uniform(random, -0.15, 0.15) / HOUR_MS;
  const turning = Math.abs(rate) < 0.01 / HOUR_MS ? 0.01 / HOUR_MS : rate;
  const metresEach = speed * KNOT * (1 / 1000);
  return {
    kind: 'drift',
    startAt,
    endAt,
    port: spot.port,
    at(time) {
      const angle = turning * (time - startAt);
      const radius = metresEach / turning;
      const east = radius * (Math.cos(course) - Math.cos(course + angle));
      const north = radius * (Math.sin(course + angle) - Math.sin(course));
      return motion(spot, east, north, speed, heading, 0);
    },
  };
}

/** Out of every receiver's reach. */
const away = (spot: Spot, startAt: number, endAt: number): Phase => ({
  kind: 'away',
  startAt,
  endAt,
  port: spot.port,
  at: () => motion(spot, 0, 0, 14, 0, 0),
});

const [ANCHOR_SHARE, DRIFT_SHARE, SHIFT_SHARE] = [0.38, 0.08, 0.12];

const pick = <Item>(items: readonly Item[], random: RandomStream): Item => {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new RangeError('nothing to pick from');
  return item;
};

function near(spot: Spot, metres: number, random: RandomStream): Spot {
  const [bearing, distance] = [uniform(random, 0, 2 * Math.PI), metres * Math.sqrt(random())];
  return {
    port: spot.port,
    east: spot.east + Math.sin(bearing) * distance,
    north: spot.north + Math.cos(bearing) * distance,
  };
}

function atSea({ port, seaward }: Harbour, random: RandomStream): Spot {
  const [bearing, metres] = [seaward + uniform(random, -0.7, 0.7), uniform(random, 22, 30) * NAUTICAL_MILE];
  return { port, east: Math.sin(bearing) * metres, north: Math.cos(bearing) * metres };
}

/** The phases of one vessel from `startAt` until past `endAt`, each beginning where the one before it ended. */
export function voyage(
  harbours: readonly Harbour[],
  startAt: number,
  endAt: number,
  random: RandomStream,
  { hard, rough = false }: Pick<WorldOptions, 'hard' | 'rough'>,
): Phase[] {
  const phases: Phase[] = [];
  let at = startAt;
  const put = (phase: Phase): void => {
    phases.push(phase);
    at = phase.endAt;
  };
  while (at < endAt) {
    const harbour = pick(harbours, random);
    const cruise = uniform(random, 10, 16);
    let spot = atSea(harbour, random);
    const sailTo = (to: Spot, speed: number): void => {
      put(sail(spot, to, at, speed));
      spot = to;
    };
    const waits = random();
    if (waits < ANCHOR_SHARE) {
      sailTo(near(pick(harbour.roadsteads, random), 2000, random), cruise);
      put(atAnchor(spot, at, at + logNormal(random, 14, 0.7) * HOUR_MS, random, hard));
    } else if (waits < ANCHOR_SHARE + DRIFT_SHARE) {
      sailTo(near(pick(harbour.roadsteads, random), 3000, random), cruise);
      const drift = adrift(spot, at, at + uniform(random, 4, 20) * HOUR_MS, random, rough);
      put(drift);
      const end = drift.at(drift.endAt);
      const width = METRES_A_DEGREE * Math.cos((harbour.port.latitude * Math.PI) / 180);
      spot = {
        port: harbour.port,
        east: (end.longitude - harbour.port.longitude) * width,
        north: (end.latitude - harbour.port.latitude) * METRES_A_DEGREE,
      };
    }
    const berths = random() < SHIFT_SHARE ? 2 : 1;
    for (let each = 0; each < berths; each += 1) {
      let berth = near(pick(harbour.berths, random), 15, random);
      for (let metres = 0; each > 0 && (metres < 500 || metres > 2000); ) {
        berth = near(pick(harbour.berths, random), 15, random);
        metres = Math.hypot(berth.east - spot.east, berth.north - spot.north);
      }
      sailTo(berth, each === 0 ? 9 : 5);
      put(alongside(spot, at, at + logNormal(random, 22, 0.6) * HOUR_MS, uniform(random, 0, 360)));
    }
    sailTo(atSea(harbour, random), cruise);
    put(away(spot, at, at + (4 + exponential(random, 12)) * HOUR_MS));
  }
  return phases;
}
