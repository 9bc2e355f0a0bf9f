/**
 * The voyages of the cargo vessels. Berths are a queue: a vessel that finds its berth taken waits at anchor or adrift,
 * so waits follow from the traffic. Some wait for papers or the tide, some shift to a second berth, some to the port
 * next door.
 */
import { Dice } from './dice.ts';
import { type Berth, MILE, type Port, type Roadstead, toGeo } from './geography.ts';
import { type Activity, Adrift, Alongside, Anchored, KNOT, type PathLeg, Transit } from './motion.ts';
import type { CargoVessel } from './vessel.ts';
import { towards, type Vector } from './weather.ts';

const HOUR = 3600;
/** Shorter delays are taken out by slow steaming. */
const MIN_WAIT = 1.5 * HOUR;
const STATUS = { underWay: 0, anchored: 1, moored: 5 };

const SERVICE: Record<string, readonly [medianHours: number, sigma: number]> = {
  container: [13, 0.45],
  bulk: [26, 0.6],
  tanker: [19, 0.4],
};

/** Who occupies what, over all vessels. */
class Occupancy {
  readonly #freeAt = new Map<Berth | Vector, number>();

  freeAt(place: Berth | Vector): number {
    return this.#freeAt.get(place) ?? Number.NEGATIVE_INFINITY;
  }

  take(place: Berth | Vector, untilAt: number): void {
    this.#freeAt.set(place, untilAt);
  }
}

/** One vessel on its way: appends chapters and stays, and knows where the vessel is. */
class Voyage {
  at: number;
  #place: Vector = { x: 0, y: 0 };
  /** The berth of the last stay, and whether the vessel still lies there. */
  #lastBerth: Berth | undefined;
  #isAlongside = false;

  constructor(
    readonly vessel: CargoVessel,
    readonly roadsteads: readonly Roadstead[],
    readonly occupancy: Occupancy,
    readonly dice: Dice,
    startAt: number,
    readonly rough: boolean,
  ) {
    this.at = startAt;
  }

  /** One visit of a roadstead, from its sea gate back to it, and the passage to the next. */
  visit(roadstead: Roadstead): Roadstead {
    const { dice, vessel } = this;
    this.#place = roadstead.gate;
    const berths = this.#berthsOf(roadstead);
    let speed = vessel.service;
    for (const [i, berth] of berths.entries()) {
      const direct = this.#transit(this.#toBerth(roadstead, berth, i > 0), speed).toAt;
      const idle = i > 0 && dice.chance(0.25) ? dice.between(3, 14) * HOUR : 0;
      const papers = i === 0 && dice.chance(0.2) ? HOUR * dice.logNormal(7, 0.7) : 0;
      const readyAt = Math.max(this.occupancy.freeAt(berth), direct + Math.max(papers, idle));
      if (readyAt - direct > MIN_WAIT) this.#wait(roadstead, berth, readyAt, speed);
      else if (i === 0) this.at += readyAt - direct;
      else this.#prolong(readyAt - direct);
      this.#berth(roadstead, berth, this.#place === roadstead.gate ? speed : 0);
      speed = 0;
    }
    this.#move(roadstead, this.#toSea(roadstead), 0, vessel.service);
    this.#isAlongside = false;
    return this.#passage(roadstead);
  }

  #freest(port: Port, suits: (berth: Berth) => boolean): Berth {
    const candidates = port.berths.filter(suits);
    const list = candidates.length > 0 ? candidates : port.berths;
    const order = list.map((berth) => ({
      berth,
      freeAt: this.occupancy.freeAt(berth),
      lot: this.dice.next(),
    }));
    order.sort((a, b) => Math.max(a.freeAt, this.at) - Math.max(b.freeAt, this.at) || a.lot - b.lot);
    return (order[0] as { berth: Berth }).berth;
  }

  #berthsOf(roadstead: Roadstead): Berth[] {
    const { dice, vessel } = this;
    const port = dice.pick(roadstead.ports);
    const first = this.#freest(port, (berth) => berth.trade === vessel.trade);
    const berths = [first];
    if (dice.chance(0.12)) berths.push(this.#freest(port, (berth) => berth.quay !== first.quay));
    const others = roadstead.ports.filter((other) => other !== port);
    if (others.length > 0 && dice.chance(0.06)) {
      berths.push(this.#freest(dice.pick(others), (berth) => berth.trade === vessel.trade));
    }
    return berths;
  }

  #toBerth(roadstead: Roadstead, berth: Berth, inside: boolean): PathLeg[] {
    const legs: PathLeg[] = [];
    if (this.#place === roadstead.gate) legs.push({ to: roadstead.seaBuoy, limit: this.vessel.service });
    const channel = inside ? berth.channel.slice(-1) : berth.channel;
    for (const [i, to] of channel.entries()) legs.push({ to, limit: (i === 0 ? 9 : 6) * KNOT });
    const heading = berth.bearing + this.#turnedAt(berth);
    legs.push({ to: this.#antennaAt(berth), limit: 3 * KNOT, heading });
    return legs;
  }

  /** From the last berth out of the harbour. */
  #outward(): PathLeg[] {
    const berth = this.#lastBerth;
    if (berth === undefined || !this.#isAlongside) return [];
    const heading = berth.bearing + this.#turnedAt(berth);
    return [...berth.channel]
      .reverse()
      .map((to, i) => (i === 0 ? { to, limit: 3.5 * KNOT, heading } : { to, limit: 7 * KNOT }));
  }

  #toSea(roadstead: Roadstead): PathLeg[] {
    return [
      ...this.#outward(),
      { to: roadstead.seaBuoy, limit: 10 * KNOT },
      { to: roadstead.gate, limit: this.vessel.service },
    ];
  }

  /** Where the antenna is when the vessel lies at the berth, starboard or port side to. */
  #antennaAt(berth: Berth): Vector {
    const { length, antenna } = this.vessel.hull;
    const along = towards(berth.bearing + this.#turnedAt(berth), length / 2 - antenna);
    return { x: berth.at.x + along.x, y: berth.at.y + along.y };
  }

  #turnedAt(berth: Berth): number {
    return (this.vessel.mmsi + berth.quay) % 2 === 0 ? 0 : Math.PI;
  }

  #transit(legs: readonly PathLeg[], startSpeed: number, endSpeed = 0): Transit {
    return new Transit(this.at, this.#place, legs, { startSpeed, endSpeed }, this.vessel.hull);
  }

  #do(roadstead: Roadstead, activity: Activity, status: number): void {
    this.vessel.chapters.push({ origin: roadstead.origin, roadstead, activity, status });
    this.at = activity.toAt;
    const end = activity.pose(activity.toAt);
    this.#place = { x: end.x, y: end.y };
  }

  #move(roadstead: Roadstead, legs: readonly PathLeg[], startSpeed: number, endSpeed = 0): void {
    this.#do(roadstead, this.#transit(legs, startSpeed, endSpeed), STATUS.underWay);
  }

  /** Records a stay that began with the end of a transit; it lasts until the vessel has gathered way again. */
  #stayed(kind: 'wait' | 'berth', activity: Activity, port: Port): void {
    const { gathers, slows } = this.vessel.hull;
    this.vessel.stays.push({
      kind,
      fromAt: activity.fromAt - KNOT / slows,
      toAt: activity.toAt + KNOT / gathers,
      port,
    });
  }

  #wait(roadstead: Roadstead, berth: Berth, readyAt: number, speed: number): void {
    const { dice, vessel } = this;
    const isFromSea = speed > 0;
    const anchorage = dice.pick(roadstead.anchorages);
    const free = anchorage.positions.filter((place) => this.occupancy.freeAt(place) < this.at);
    if (free.length === 0 || (isFromSea && dice.chance(roadstead.driftShare))) {
      this.#drift(roadstead, berth, readyAt, speed);
      return;
    }
    const anchor = dice.pick(free);
    const limit = isFromSea ? vessel.service : 8 * KNOT;
    const way = isFromSea ? [] : this.#outward();
    const guess = this.#transit([...way, { to: anchor, limit }], speed).toAt;
    const aft = towards(
      Anchored.downwind(guess, vessel.hull, roadstead.weather).bearing,
      vessel.hull.antenna,
    );
    this.#move(roadstead, [...way, { to: { x: anchor.x + aft.x, y: anchor.y + aft.y }, limit }], speed);
    this.#isAlongside = false;
    const toAt = this.#leaveAt(roadstead, berth, readyAt);
    const chain = anchorage.narrow
      ? anchorage.depth * dice.between(2.6, 4)
      : anchorage.depth * dice.between(3.5, 5) + dice.between(20, 90);
    const sea = { weather: roadstead.weather, depth: anchorage.depth, chain };
    const drag =
      this.rough && dice.chance(0.15)
        ? { at: dice.between(this.at, toAt), knots: dice.between(0.6, 1.8), metres: dice.between(200, 1500) }
        : undefined;
    const anchored = new Anchored(this.at, toAt, anchor, vessel.hull, sea, dice, drag);
    this.occupancy.take(anchor, toAt);
    this.#do(roadstead, anchored, STATUS.anchored);
    this.#stayed('wait', anchored, berth.port);
  }

  /** When to leave a waiting place so as to be at the berth when it is free. */
  #leaveAt(roadstead: Roadstead, berth: Berth, readyAt: number): number {
    const way = this.#transit(this.#toBerth(roadstead, berth, false), 0).toAt - this.at;
    return Math.max(this.at + 0.7 * HOUR, readyAt - way);
  }

  #drift(roadstead: Roadstead, berth: Berth, readyAt: number, speed: number): void {
    const { dice } = this;
    const isFromSea = speed > 0;
    const spot = () => {
      const off = towards(dice.between(0, 2 * Math.PI), dice.between(0, 2) * MILE);
      return { x: roadstead.driftArea.x + off.x, y: roadstead.driftArea.y + off.y };
    };
    const way = isFromSea ? [] : this.#outward();
    this.#move(roadstead, [...way, { to: spot(), limit: Math.max(speed, 8 * KNOT) }], speed);
    this.#isAlongside = false;
    for (;;) {
      const leaveAt = this.#leaveAt(roadstead, berth, readyAt);
      const isLong = leaveAt - this.at > 10 * HOUR;
      const toAt = isLong ? this.at + dice.between(4, 6) * HOUR : leaveAt;
      const set = this.rough ? { knots: dice.between(1.2, 2.1), leeways: dice.between(2, 5) } : undefined;
      const adrift = new Adrift(this.at, toAt, this.#place, roadstead.weather, dice, set);
      this.#do(roadstead, adrift, STATUS.underWay);
      this.#stayed('wait', adrift, berth.port);
      if (!isLong) return;
      // Back to where there is room again.
      let to = spot();
      while (Math.hypot(to.x - this.#place.x, to.y - this.#place.y) < 1.5 * MILE) to = spot();
      this.#move(roadstead, [{ to, limit: dice.between(4, 7) * KNOT }], 0);
    }
  }

  /** The vessel lies at its berth for longer, because the next one is not free yet. */
  #prolong(seconds: number): void {
    const chapter = this.vessel.chapters.at(-1);
    const stay = this.vessel.stays.pop();
    if (seconds <= 0 || stay === undefined || !(chapter?.activity instanceof Alongside)) {
      if (stay) this.vessel.stays.push(stay);
      return;
    }
    const { fromAt, toAt, at, heading, warp } = chapter.activity;
    const activity = new Alongside(fromAt, toAt + seconds, at, heading, this.dice, warp);
    this.vessel.chapters[this.vessel.chapters.length - 1] = { ...chapter, activity };
    this.vessel.stays.push({ ...stay, toAt: stay.toAt + seconds });
    this.at = activity.toAt;
    if (this.#lastBerth) this.occupancy.take(this.#lastBerth, this.at + HOUR);
  }

  #berth(roadstead: Roadstead, berth: Berth, speed: number): void {
    const { dice, vessel } = this;
    const inside = this.#isAlongside;
    const legs = this.#toBerth(roadstead, berth, inside);
    if (!inside && dice.chance(0.07)) {
      // Swings in the basin with tugs before it goes alongside.
      this.#move(roadstead, legs.slice(0, -1), speed);
      const until = this.at + dice.between(4, 11) * 60;
      const swinging = new Alongside(this.at, until, this.#place, berth.bearing, dice);
      this.#do(roadstead, swinging, STATUS.underWay);
      this.#move(roadstead, legs.slice(-1), 0);
    } else this.#move(roadstead, legs, speed);
    const [median, sigma] = SERVICE[vessel.trade] ?? [16, 0.5];
    const toAt = this.at + HOUR * Math.max(1.2, dice.logNormal(inside ? median / 2 : median, sigma));
    const warp =
      vessel.trade === 'bulk' && dice.chance(0.15)
        ? { at: dice.between(this.at + HOUR, toAt), metres: dice.between(-110, 110) }
        : undefined;
    const heading = berth.bearing + this.#turnedAt(berth);
    const alongside = new Alongside(this.at, toAt, this.#place, heading, dice, warp);
    this.#do(roadstead, alongside, STATUS.moored);
    this.#stayed('berth', alongside, berth.port);
    this.occupancy.take(berth, toAt + dice.between(0.7, 1.5) * HOUR);
    this.#lastBerth = berth;
    this.#isAlongside = true;
  }

  /** To another roadstead of the region, or to a port that this world does not show. */
  #passage(from: Roadstead): Roadstead {
    const { dice, vessel } = this;
    const region = this.roadsteads.filter((roadstead) => roadstead.region === vessel.region);
    const next = dice.pick(region.flatMap((roadstead) => roadstead.ports)).roadstead;
    if (next === from || dice.chance(0.2)) {
      this.at += HOUR * (20 + dice.exponential(30));
      return next;
    }
    const gate = toGeo(next.origin, next.gate);
    const perDegree = toGeo(from.origin, { x: 100_000, y: 100_000 });
    const turn = (degrees: number) => ((degrees + 540) % 360) - 180;
    const to = {
      x:
        (turn(gate.longitude - from.origin.longitude) / turn(perDegree.longitude - from.origin.longitude)) *
        100_000,
      y: ((gate.latitude - from.origin.latitude) / (perDegree.latitude - from.origin.latitude)) * 100_000,
    };
    const way = this.#transit([{ to, limit: vessel.service }], vessel.service, vessel.service);
    vessel.chapters.push({
      origin: from.origin,
      roadstead: undefined,
      activity: way,
      status: STATUS.underWay,
    });
    this.at = way.toAt;
    return next;
  }
}

/** Sails all vessels until `endAt`, beginning with a warm-up during which the berths fill. */
export function sail(
  vessels: readonly CargoVessel[],
  roadsteads: readonly Roadstead[],
  window: {
    readonly seed: number;
    readonly startAt: number;
    readonly endAt: number;
    readonly rough: boolean;
  },
): void {
  const occupancy = new Occupancy();
  const afloat = vessels.map((vessel, i) => {
    const dice = new Dice(window.seed, 'voyage', i);
    const firstAt = window.startAt - dice.between(48, 150) * HOUR;
    const home = dice.pick(roadsteads.filter((roadstead) => roadstead.region === vessel.region));
    return { voyage: new Voyage(vessel, roadsteads, occupancy, dice, firstAt, window.rough), next: home };
  });
  // Vessels plan their visits in the order in which they reach the gates.
  for (;;) {
    const earliest = afloat.reduce((a, b) => (b.voyage.at < a.voyage.at ? b : a));
    if (earliest.voyage.at >= window.endAt) break;
    earliest.next = earliest.voyage.visit(earliest.next);
  }
  for (const { chapters, stays } of vessels) {
    const overlaps = (span: { fromAt: number; toAt: number }) =>
      span.toAt > window.startAt && span.fromAt < window.endAt;
    chapters.splice(0, chapters.length, ...chapters.filter(({ activity }) => overlaps(activity)));
    stays.splice(0, stays.length, ...stays.filter(overlaps));
  }
}
