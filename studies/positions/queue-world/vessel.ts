/** A vessel and the chapters of its life: where it is, what it does, and which navigation status is right. */
import { Dice } from './dice.ts';
import type { Geo, Port, Roadstead, Trade } from './geography.ts';
import { type Activity, type Hull, KNOT } from './motion.ts';

export interface Chapter {
  /** Origin of the plane in which the activity moves. */
  readonly origin: Geo;
  /** The roadstead whose shore station receives the vessel; undefined on a passage between two. */
  readonly roadstead: Roadstead | undefined;
  readonly activity: Activity;
  /** AIS navigation status that a careful officer sets. */
  readonly status: number;
}

/** A stay by the clock of the generator, in seconds: from below 1 kn for good until above it for good. */
interface PlannedStay {
  readonly kind: 'wait' | 'berth';
  readonly fromAt: number;
  readonly toAt: number;
  readonly port: Port;
}

export interface Vessel {
  readonly name: string;
  mmsi: number;
  shared: boolean;
  readonly vesselType: number | undefined;
  readonly hull: Hull;
  /** Service speed, m/s. */
  readonly service: number;
  readonly chapters: Chapter[];
  readonly stays: PlannedStay[];
}

export interface CargoVessel extends Vessel {
  readonly trade: Trade;
  readonly region: string;
}

/** Maritime identification digits of some flags. */
const FLAGS = [
  209, 215, 219, 235, 240, 244, 257, 305, 311, 351, 372, 412, 419, 431, 477, 518, 538, 563, 636, 710,
];

export function mmsiOf(dice: Dice): number {
  return dice.pick(FLAGS) * 1_000_000 + dice.whole(1000, 999_999);
}

const CARGO_TYPES: Record<Trade, readonly number[]> = {
  container: [70, 71, 79],
  bulk: [70, 70, 79],
  tanker: [80, 80, 82, 84, 89],
};

function hullOf(trade: Trade, hard: boolean, dice: Dice): Hull {
  const length =
    trade === 'container'
      ? dice.between(120, 366)
      : trade === 'bulk'
        ? dice.between(85, 230)
        : dice.between(90, 275);
  const beam = length / dice.between(5.5, 7.2);
  const draught = length / dice.between(17, 24);
  // Most antennas stand on the bridge near the stern; coasters and some container vessels have it forward.
  const antenna =
    length * (dice.chance(hard ? 0.35 : 0.15) ? dice.between(0.12, 0.4) : dice.between(0.74, 0.9));
  return {
    length,
    antenna,
    windage: beam * (trade === 'container' ? dice.between(25, 42) : dice.between(14, 26)),
    underwater: beam * draught,
    gathers: dice.between(0.0025, 0.009),
    slows: dice.between(0.0018, 0.007),
  };
}

export function cargoVessel(seed: number, number: number, region: string, hard: boolean): CargoVessel {
  const dice = new Dice(seed, 'vessel', number);
  const trade = dice.pick<Trade>(['container', 'container', 'bulk', 'bulk', 'tanker']);
  return {
    name: `cargo ${number}`,
    mmsi: mmsiOf(dice),
    shared: false,
    vesselType: dice.pick(CARGO_TYPES[trade]),
    hull: hullOf(trade, hard, dice),
    service: dice.between(trade === 'container' ? 14 : 10.5, trade === 'container' ? 20 : 14.5) * KNOT,
    chapters: [],
    stays: [],
    trade,
    region,
  };
}
