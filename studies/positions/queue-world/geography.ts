/**
 * Roadsteads: the water that one or several ports share. The geography is invented. A roadstead has a local plane in
 * metres, x to the east and y to the north; the approach comes from the sea gate over the sea buoy.
 */
import type { WorldPort } from '../../../test/worlds/traffic/world-types.ts';
import { Dice } from './dice.ts';
import { towards, type Vector, Weather } from './weather.ts';

export const MILE = 1852;
const METRES_A_DEGREE = 111_195;

export interface Geo {
  readonly latitude: number;
  readonly longitude: number;
}

/** A point of the plane of a roadstead in degrees; longitude wraps at the antimeridian. */
export function toGeo(origin: Geo, { x, y }: Vector): Geo {
  const latitude = origin.latitude + y / METRES_A_DEGREE;
  const longitude = origin.longitude + x / (METRES_A_DEGREE * Math.cos((origin.latitude * Math.PI) / 180));
  return { latitude, longitude: ((longitude + 540) % 360) - 180 };
}

export type Trade = 'container' | 'bulk' | 'tanker';

/** A place along a quay. Vessels lie parallel to it. */
export interface Berth {
  readonly port: Port;
  readonly quay: number;
  readonly trade: Trade;
  readonly at: Vector;
  /** Radians. */
  readonly bearing: number;
  /** From the fork of the channel to the water in front of the berth. */
  readonly channel: readonly Vector[];
}

export interface Port extends WorldPort {
  readonly roadstead: Roadstead;
  readonly berths: Berth[];
}

interface Anchorage {
  readonly positions: readonly Vector[];
  readonly depth: number;
  /** In a river or a crowded road vessels lie to a short chain. */
  readonly narrow: boolean;
}

export interface Roadstead {
  readonly index: number;
  readonly region: string;
  readonly origin: Geo;
  readonly weather: Weather;
  /** Where vessels leave the chart and enter it. */
  readonly gate: Vector;
  readonly seaBuoy: Vector;
  readonly ports: Port[];
  readonly anchorages: Anchorage[];
  readonly driftArea: Vector;
  /** Share of waiting vessels that drift instead of anchoring: high where the water is deep. */
  readonly driftShare: number;
  /** Metres from the origin to which the shore station receives. */
  readonly stationRange: number;
}

interface Site {
  readonly region: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Degrees. */
  readonly seaward: number;
  readonly streamKnots: number;
  readonly windSpeed: number;
  readonly driftShare: number;
  /** Code of each port, and the entrance of its harbour in km from the origin. */
  readonly ports: readonly (readonly [string, number, number])[];
}

const SITES: readonly Site[] = [
  // biome-ignore format: a table
  { region: 'north', latitude: 52.1, longitude: 3.9, seaward: 285, streamKnots: 1.6, windSpeed: 8, driftShare: 0.1, ports: [['XNAMB', 0, -6], ['XNBEK', 4, 7]] },
  // biome-ignore format: a table
  { region: 'north', latitude: 54.0, longitude: 7.9, seaward: 330, streamKnots: 1.2, windSpeed: 9, driftShare: 0.1, ports: [['XNCOR', 6, -12]] },
  // biome-ignore format: a table
  { region: 'north', latitude: 57.6, longitude: 10.9, seaward: 60, streamKnots: 0.3, windSpeed: 6, driftShare: 0.15, ports: [['XNDAL', -3, -2], ['XNELV', 9, -14]] },
  // biome-ignore format: a table
  { region: 'strait', latitude: 1.2, longitude: 103.7, seaward: 170, streamKnots: 1.4, windSpeed: 4, driftShare: 0.1, ports: [['XSFAN', 0, 5], ['XSGUL', -14, 8], ['XSHAI', 17, 9]] },
  // biome-ignore format: a table
  { region: 'strait', latitude: 3.0, longitude: 101.2, seaward: 250, streamKnots: 1.0, windSpeed: 3.5, driftShare: 0.25, ports: [['XSIRA', 5, 1]] },
  // biome-ignore format: a table
  { region: 'dateline', latitude: -17.2, longitude: 179.93, seaward: 80, streamKnots: 0.4, windSpeed: 6, driftShare: 0.4, ports: [['XDJOL', -3, 0]] },
  // biome-ignore format: a table
  { region: 'dateline', latitude: -18.3, longitude: -178.9, seaward: 190, streamKnots: 0.5, windSpeed: 5, driftShare: 0.2, ports: [['XDKAU', 2, 3]] },
  // biome-ignore format: a table
  { region: 'arctic', latitude: 69.6, longitude: 18.4, seaward: 340, streamKnots: 0.8, windSpeed: 9, driftShare: 0.3, ports: [['XALUM', 1, -3]] },
  // biome-ignore format: a table
  { region: 'arctic', latitude: 68.3, longitude: 14.2, seaward: 200, streamKnots: 0.9, windSpeed: 8, driftShare: 0.1, ports: [['XAMOE', -1, 4]] },
];

const TRADES: readonly Trade[] = ['container', 'bulk', 'tanker'];
const BERTH_SPACING = 240;

/** Quays on both sides of a bent channel that runs inland from the entrance. */
function addBerths(port: Port, entrance: Vector, inland: number, berths: number, dice: Dice): void {
  const channel: Vector[] = [entrance];
  let bearing = inland;
  let head = entrance;
  for (let quay = 0; port.berths.length < berths; quay++) {
    bearing = inland + dice.between(-0.6, 0.6);
    const trade = TRADES[quay % 3] as Trade;
    const count = Math.min(berths - port.berths.length, trade === 'tanker' ? 3 : dice.whole(3, 6));
    const step = towards(bearing, 400 + count * (BERTH_SPACING / 2));
    head = { x: head.x + step.x, y: head.y + step.y };
    channel.push(head);
    const side = bearing + (quay % 2 === 0 ? 1 : -1) * (Math.PI / 2);
    const face = towards(side, dice.between(260, 420));
    const quayBearing = bearing + dice.between(-0.15, 0.15);
    for (let i = 0; i < count; i++) {
      const along = towards(quayBearing, (i - (count - 1) / 2) * BERTH_SPACING);
      const at = { x: head.x + face.x + along.x, y: head.y + face.y + along.y };
      port.berths.push({ port, quay, trade, at, bearing: quayBearing, channel: [...channel] });
    }
    // A long channel forks back to the entrance, so that a port stays within a few kilometres.
    if (channel.length > 5) {
      channel.splice(2);
      head = channel[1] as Vector;
      head = { x: head.x + towards(side, 1500).x, y: head.y + towards(side, 1500).y };
      channel.push(head);
    }
  }
}

function anchorage(roadstead: { seaward: number }, narrow: boolean, size: number, dice: Dice): Anchorage {
  const centre = towards(
    roadstead.seaward + dice.between(-1.1, 1.1),
    (narrow ? dice.between(2.5, 4) : dice.between(5, 10)) * MILE,
  );
  const spacing = narrow ? 620 : dice.between(1100, 1500);
  const columns = Math.ceil(Math.sqrt(size));
  const positions: Vector[] = [];
  for (let i = 0; i < size; i++) {
    const row = Math.floor(i / columns);
    positions.push({
      x: centre.x + ((i % columns) + (row % 2) / 2 - columns / 2) * spacing,
      y: centre.y + (row - columns / 2) * spacing * 0.87,
    });
  }
  return { positions, depth: narrow ? dice.between(12, 18) : dice.between(18, 45), narrow };
}

/** All roadsteads of a world that `vessels` cargo vessels use. */
export function roadsteadsOf(seed: number, vessels: number, hard: boolean): Roadstead[] {
  const ports = SITES.reduce((count, site) => count + site.ports.length, 0);
  const berthsAPort = Math.max(6, Math.round((0.5 * vessels) / ports));
  return SITES.map((site, index) => {
    const dice = new Dice(seed, 'roadstead', index);
    const seaward = (site.seaward * Math.PI) / 180;
    const roadstead: Roadstead = {
      index,
      region: site.region,
      origin: { latitude: site.latitude, longitude: site.longitude },
      weather: new Weather(
        dice,
        seaward + Math.PI / 2 + dice.between(-0.3, 0.3),
        site.streamKnots * 0.5144 * dice.between(0.8, 1.1),
        site.windSpeed * dice.between(0.8, 1.2),
      ),
      gate: towards(seaward, 50 * MILE),
      seaBuoy: towards(seaward, 4.5 * MILE),
      ports: [],
      anchorages: [],
      driftArea: towards(seaward + dice.between(-0.7, 0.7), dice.between(10, 13) * MILE),
      driftShare: site.driftShare,
      stationRange: dice.between(28, 40) * MILE,
    };
    const size = Math.max(6, Math.round((vessels / SITES.length) * 0.35));
    for (let i = 0; i < 3; i++) {
      roadstead.anchorages.push(anchorage({ seaward }, hard ? i < 2 : i === 0, size, dice));
    }
    for (const [locode, east, north] of site.ports) {
      const entrance = { x: east * 1000, y: north * 1000 };
      const offset = towards(dice.between(0, 2 * Math.PI), dice.between(0.3, 1.6) * 1000);
      const inland = towards(seaward + Math.PI, 1500);
      const town = { x: entrance.x + inland.x + offset.x, y: entrance.y + inland.y + offset.y };
      const port: Port = { locode, ...toGeo(roadstead.origin, town), roadstead, berths: [] };
      addBerths(port, entrance, seaward + Math.PI, berthsAPort, dice);
      roadstead.ports.push(port);
    }
    return roadstead;
  });
}
