/**
 * How a vessel moves. An activity gives the position of the antenna in the plane of its roadstead at any second of its
 * span. Times are seconds since the epoch, lengths metres, angles radians clockwise from north.
 */
import type { Dice } from './dice.ts';
import { towards, type Vector, type Weather } from './weather.ts';

export const KNOT = 0.5144;
const STEP = 60;

export interface Pose extends Vector {
  readonly heading: number;
}

export interface Activity {
  readonly fromAt: number;
  readonly toAt: number;
  pose(t: number): Pose;
}

export interface Hull {
  readonly length: number;
  /** Distance of the antenna from the bow. */
  readonly antenna: number;
  /** Frontal area above the water and below it, in square metres. */
  readonly windage: number;
  readonly underwater: number;
  /** Acceleration and deceleration under way in m/s². */
  readonly gathers: number;
  readonly slows: number;
}

export interface PathLeg {
  readonly to: Vector;
  /** Largest speed on the leg, m/s. */
  readonly limit: number;
  /** Heading in radians where tugs push the vessel sideways; otherwise it heads along the leg. */
  readonly heading?: number;
}

interface Piece {
  readonly at: number;
  readonly distance: number;
  readonly speed: number;
  readonly acceleration: number;
}

/** Under way along a chain of straight legs, with a speed limit on each and bounded acceleration. */
export class Transit implements Activity {
  readonly toAt: number;
  readonly #points: Vector[];
  readonly #marks: number[] = [0];
  readonly #pieces: Piece[] = [];
  readonly #headings: (number | undefined)[];

  constructor(
    readonly fromAt: number,
    from: Vector,
    legs: readonly PathLeg[],
    ends: { readonly startSpeed: number; readonly endSpeed: number },
    hull: Pick<Hull, 'gathers' | 'slows'>,
  ) {
    this.#points = [from, ...legs.map((leg) => leg.to)];
    this.#headings = legs.map((leg) => leg.heading);
    for (const [i, leg] of legs.entries()) {
      const a = this.#points[i] as Vector;
      this.#marks.push((this.#marks[i] as number) + Math.max(1, Math.hypot(leg.to.x - a.x, leg.to.y - a.y)));
    }
    const { gathers, slows } = hull;
    const length = (i: number) => (this.#marks[i + 1] as number) - (this.#marks[i] as number);
    const speeds = this.#points.map((_, i) =>
      Math.min(legs[i - 1]?.limit ?? ends.startSpeed, legs[i]?.limit ?? ends.endSpeed),
    );
    speeds[0] = ends.startSpeed;
    speeds[legs.length] = ends.endSpeed;
    for (let i = 0; i < legs.length; i++) {
      speeds[i + 1] = Math.min(
        speeds[i + 1] as number,
        Math.sqrt((speeds[i] as number) ** 2 + 2 * gathers * length(i)),
      );
    }
    for (let i = legs.length - 1; i >= 0; i--) {
      speeds[i] = Math.min(
        speeds[i] as number,
        Math.sqrt((speeds[i + 1] as number) ** 2 + 2 * slows * length(i)),
      );
    }
    let at = fromAt;
    for (const [i, leg] of legs.entries()) {
      const [v0, v1, way] = [speeds[i] as number, speeds[i + 1] as number, length(i)];
      const reachable = Math.sqrt(
        (2 * gathers * slows * way + slows * v0 * v0 + gathers * v1 * v1) / (gathers + slows),
      );
      const top = Math.max(Math.min(leg.limit, reachable), v0, v1);
      const gaining = (top * top - v0 * v0) / (2 * gathers);
      const losing = (top * top - v1 * v1) / (2 * slows);
      const start = this.#marks[i] as number;
      this.#pieces.push({ at, distance: start, speed: v0, acceleration: gathers });
      at += (top - v0) / gathers;
      this.#pieces.push({ at, distance: start + gaining, speed: top, acceleration: 0 });
      at += Math.max(0, way - gaining - losing) / top;
      this.#pieces.push({ at, distance: start + way - losing, speed: top, acceleration: -slows });
      at += (top - v1) / slows;
    }
    this.toAt = at;
  }

  pose(t: number): Pose {
    let piece = this.#pieces[0] as Piece;
    for (const next of this.#pieces) if (next.at <= t) piece = next;
    const dt = Math.max(0, Math.min(t, this.toAt) - piece.at);
    const total = this.#marks[this.#marks.length - 1] as number;
    const gone = piece.distance + piece.speed * dt + (piece.acceleration * dt * dt) / 2;
    const distance = Math.max(0, Math.min(total, gone));
    let leg = 0;
    while (leg < this.#marks.length - 2 && (this.#marks[leg + 1] as number) < distance) leg++;
    const [a, b] = [this.#points[leg] as Vector, this.#points[leg + 1] as Vector];
    const [from, to] = [this.#marks[leg] as number, this.#marks[leg + 1] as number];
    const share = (distance - from) / (to - from);
    return {
      x: a.x + (b.x - a.x) * share,
      y: a.y + (b.y - a.y) * share,
      heading: this.#headings[leg] ?? Math.atan2(b.x - a.x, b.y - a.y),
    };
  }
}

/** Alongside. The lines give a little; a bulk carrier may be warped along the quay under its hatches. */
export class Alongside implements Activity {
  readonly #period: number;

  constructor(
    readonly fromAt: number,
    readonly toAt: number,
    readonly at: Vector,
    readonly heading: number,
    dice: Dice,
    readonly warp?: { readonly at: number; readonly metres: number },
  ) {
    this.#period = dice.between(50, 140);
  }

  pose(t: number): Pose {
    const surge = 0.8 * Math.sin((2 * Math.PI * t) / this.#period);
    const warped = this.warp
      ? Math.max(0, Math.min(1, (t - this.warp.at) / (Math.abs(this.warp.metres) / 0.15))) * this.warp.metres
      : 0;
    const { x, y } = towards(this.heading, surge + warped);
    const yaw = 0.004 * Math.sin((2 * Math.PI * t) / (this.#period * 3.1));
    return { x: this.at.x + x, y: this.at.y + y, heading: this.heading + yaw };
  }
}

/**
 * At anchor. The bow hangs on a catenary below the sum of wind and stream on the hull; the vessel turns towards that
 * direction with the inertia of a hull and sheers about it. The chain is paid out after anchoring and weighed before
 * leaving, so a stay begins and ends above the anchor.
 */
export class Anchored implements Activity {
  readonly #angles: number[] = [];
  readonly #reaches: number[] = [];
  readonly #sheer: { readonly angle: number; readonly period: number; readonly phase: number };

  constructor(
    readonly fromAt: number,
    readonly toAt: number,
    readonly anchor: Vector,
    readonly hull: Hull,
    readonly sea: { readonly weather: Weather; readonly depth: number; readonly chain: number },
    dice: Dice,
    /** The anchor does not hold for some minutes: metres downwind at most. */
    readonly drag?: { readonly at: number; readonly knots: number; readonly metres: number },
  ) {
    this.#sheer = {
      angle: dice.between(0.02, 0.16),
      period: dice.between(420, 1100),
      phase: dice.between(0, 2 * Math.PI),
    };
    const radius = sea.chain + hull.antenna;
    let angle = Anchored.downwind(fromAt, hull, sea.weather).bearing;
    for (let t = fromAt; t <= toAt + STEP; t += STEP) {
      const { bearing, force } = Anchored.downwind(t, hull, sea.weather);
      const off = Math.atan2(Math.sin(bearing - angle), Math.cos(bearing - angle));
      const largest = (STEP * 0.36) / radius;
      angle += Math.max(-largest, Math.min(largest, off * (STEP / 800)));
      this.#angles.push(angle);
      this.#reaches.push(Anchored.reach(force, sea.depth, sea.chain));
    }
  }

  /** Direction in which wind and stream push the hull, and the force in newtons. */
  static downwind(t: number, hull: Hull, weather: Weather): { bearing: number; force: number } {
    const wind = weather.wind(t);
    const stream = weather.stream(t);
    const byWind = 0.5 * 1.22 * 0.9 * hull.windage * Math.hypot(wind.x, wind.y);
    const byStream = 0.5 * 1025 * 0.8 * hull.underwater * Math.hypot(stream.x, stream.y);
    const x = byWind * wind.x + byStream * stream.x;
    const y = byWind * wind.y + byStream * stream.y;
    return { bearing: Math.atan2(x, y), force: Math.hypot(x, y) };
  }

  /** Horizontal distance from anchor to bow: the part of the chain on the ground and the catenary above it. */
  static reach(force: number, depth: number, chain: number): number {
    const weight = 1900;
    const parameter = Math.max(1, force / weight);
    const hanging = Math.sqrt(depth * (depth + 2 * parameter));
    if (hanging >= chain) return Math.sqrt(Math.max(1, chain * chain - depth * depth));
    return chain - hanging + parameter * Math.acosh(1 + depth / parameter);
  }

  #dragged(t: number): Vector {
    if (this.drag === undefined) return { x: 0, y: 0 };
    const { at, knots, metres } = this.drag;
    const step = Math.max(0, Math.min(this.#angles.length - 1, Math.floor((at - this.fromAt) / STEP)));
    return towards(this.#angles[step] as number, Math.min(metres, Math.max(0, t - at) * knots * KNOT));
  }

  pose(t: number): Pose {
    const step = Math.max(0, Math.min((t - this.fromAt) / STEP, this.#angles.length - 2));
    const i = Math.floor(step);
    const between = (list: number[]) =>
      (list[i] as number) + ((list[i + 1] as number) - (list[i] as number)) * (step - i);
    const angle = between(this.#angles);
    const veered = Math.max(0, Math.min(1, (t - this.fromAt) / 900, (this.toAt - t) / 1200));
    const { angle: size, period, phase } = this.#sheer;
    const yaw = veered * size * Math.sin((2 * Math.PI * t) / period + phase);
    const bow = towards(angle, veered * between(this.#reaches));
    const aft = towards(angle + yaw, this.hull.antenna);
    const dragged = this.#dragged(t);
    return {
      x: this.anchor.x + dragged.x + bow.x + aft.x,
      y: this.anchor.y + dragged.y + bow.y + aft.y,
      heading: angle + yaw + Math.PI,
    };
  }
}

/** Adrift with the engine stopped: the stream, and a few per cent of the wind across the bow. */
export class Adrift implements Activity {
  readonly #track: Vector[] = [];
  readonly #heading: number;

  constructor(
    readonly fromAt: number,
    readonly toAt: number,
    from: Vector,
    weather: Weather,
    dice: Dice,
    /** Knots at most, and how many times the usual leeway: a light vessel with a high side makes more. */
    { knots, leeways } = { knots: 0.64, leeways: 1 },
  ) {
    const leeway = leeways * dice.between(0.012, 0.03);
    const wind = weather.wind(fromAt);
    const beam = Math.atan2(wind.x, wind.y) + (dice.chance(0.5) ? 1 : -1) * dice.between(1.1, 1.9);
    this.#heading = leeways === 1 ? dice.between(0, 2 * Math.PI) : beam;
    let { x, y } = from;
    for (let t = fromAt; t <= toAt + 2 * STEP; t += STEP) {
      this.#track.push({ x, y });
      const wind = weather.wind(t);
      const stream = weather.stream(t);
      // Away from the coast the tidal stream is weak.
      const [vx, vy] = [wind.x * leeway + stream.x * 0.2, wind.y * leeway + stream.y * 0.2];
      const slower = Math.min(1, (knots * KNOT) / Math.hypot(vx, vy));
      x += vx * slower * STEP;
      y += vy * slower * STEP;
    }
  }

  pose(t: number): Pose {
    const step = Math.max(0, Math.min((t - this.fromAt) / STEP, this.#track.length - 2));
    const i = Math.floor(step);
    const [a, b] = [this.#track[i] as Vector, this.#track[i + 1] as Vector];
    const swing = 0.25 * Math.sin((2 * Math.PI * t) / 9000);
    return {
      x: a.x + (b.x - a.x) * (step - i),
      y: a.y + (b.y - a.y) * (step - i),
      heading: this.#heading + swing,
    };
  }
}
