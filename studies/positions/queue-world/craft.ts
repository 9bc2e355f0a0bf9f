/** Craft that never count: ferries, tugs, pilot boats, fishing and pleasure craft, and some of unknown type. */
import { Dice } from './dice.ts';
import { MILE, type Roadstead } from './geography.ts';
import { type Activity, Alongside, KNOT, Transit } from './motion.ts';
import { mmsiOf, type Vessel } from './vessel.ts';
import { towards, type Vector } from './weather.ts';

interface Trade {
  readonly name: string;
  readonly share: number;
  readonly types: readonly (number | undefined)[];
  readonly knots: readonly [number, number];
  /** Hours at rest between two runs. */
  readonly rest: readonly [number, number];
  /** The places that the craft runs between. */
  places(roadstead: Roadstead, dice: Dice): readonly Vector[];
}

function nearBerth(roadstead: Roadstead, dice: Dice): Vector {
  const berth = dice.pick(dice.pick(roadstead.ports).berths);
  const off = towards(dice.between(0, 2 * Math.PI), dice.between(40, 150));
  return { x: berth.at.x + off.x, y: berth.at.y + off.y };
}

function offshore(roadstead: Roadstead, dice: Dice): Vector {
  const off = towards(dice.between(0, 2 * Math.PI), dice.between(0, 6) * MILE);
  return { x: roadstead.driftArea.x + off.x, y: roadstead.driftArea.y + off.y };
}

const TRADES: readonly Trade[] = [
  {
    name: 'ferry',
    share: 0.14,
    types: [60, 61, 69],
    knots: [11, 24],
    rest: [0.2, 0.6],
    places: (roadstead, dice) => [nearBerth(roadstead, dice), nearBerth(roadstead, dice)],
  },
  {
    name: 'tug',
    share: 0.3,
    types: [52, 31],
    knots: [6, 11],
    rest: [0.3, 5],
    places: (roadstead, dice) => {
      const base = nearBerth(roadstead, dice);
      return [base, nearBerth(roadstead, dice), base, roadstead.seaBuoy, base, nearBerth(roadstead, dice)];
    },
  },
  {
    name: 'pilot boat',
    share: 0.06,
    types: [50],
    knots: [14, 24],
    rest: [0.1, 2],
    places: (roadstead, dice) => [nearBerth(roadstead, dice), roadstead.seaBuoy],
  },
  {
    name: 'fishing vessel',
    share: 0.18,
    types: [30],
    knots: [2.5, 8],
    rest: [1, 12],
    places: (roadstead, dice) => [
      nearBerth(roadstead, dice),
      offshore(roadstead, dice),
      offshore(roadstead, dice),
    ],
  },
  {
    name: 'yacht',
    share: 0.2,
    types: [36, 37],
    knots: [4, 9],
    rest: [4, 40],
    places: (roadstead, dice) => [nearBerth(roadstead, dice), offshore(roadstead, dice)],
  },
  {
    name: 'unknown craft',
    share: 0.12,
    types: [undefined, 0, 90, 55],
    knots: [5, 12],
    rest: [2, 30],
    places: (roadstead, dice) => [
      nearBerth(roadstead, dice),
      nearBerth(roadstead, dice),
      offshore(roadstead, dice),
    ],
  },
];

function tradeOf(dice: Dice): Trade {
  const lot = dice.next();
  let sum = 0;
  for (const trade of TRADES) {
    sum += trade.share;
    if (lot < sum) return trade;
  }
  return TRADES[0] as Trade;
}

export function craft(
  seed: number,
  number: number,
  roadsteads: readonly Roadstead[],
  window: { readonly startAt: number; readonly endAt: number },
): Vessel {
  const dice = new Dice(seed, 'craft', number);
  const trade = tradeOf(dice);
  const roadstead = dice.pick(roadsteads);
  const hull = { length: 30, antenna: 10, windage: 60, underwater: 30, gathers: 0.02, slows: 0.02 };
  const places = trade.places(roadstead, dice);
  const vessel: Vessel = {
    name: `${trade.name} ${number}`,
    mmsi: mmsiOf(dice),
    shared: false,
    vesselType: dice.pick(trade.types),
    hull,
    service: dice.between(...trade.knots) * KNOT,
    chapters: [],
    stays: [],
  };
  let at = window.startAt - dice.between(0, 6) * 3600;
  const add = (activity: Activity, status: number) => {
    vessel.chapters.push({ origin: roadstead.origin, roadstead, activity, status });
    at = activity.toAt;
  };
  for (let run = 0; at < window.endAt; run++) {
    const from = places[run % places.length] as Vector;
    const to = places[(run + 1) % places.length] as Vector;
    const rest = dice.between(...trade.rest) * 3600;
    add(new Alongside(at, at + rest, from, dice.between(0, 2 * Math.PI), dice), 5);
    const way = [{ to, limit: vessel.service }];
    add(
      new Transit(at, from, way, { startSpeed: 0, endSpeed: 0 }, hull),
      trade.name === 'fishing vessel' ? 7 : 0,
    );
  }
  return vessel;
}
