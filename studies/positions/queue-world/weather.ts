/** Wind and tidal stream of a roadstead as functions of time. Vectors in m/s, x to the east and y to the north. */
import type { Dice } from './dice.ts';

export interface Vector {
  readonly x: number;
  readonly y: number;
}

/** Vector of a length and a bearing in radians clockwise from north. */
export function towards(bearing: number, length: number): Vector {
  return { x: length * Math.sin(bearing), y: length * Math.cos(bearing) };
}

/** Lunar and solar semidiurnal and lunar diurnal constituents: period in seconds, share of the amplitude. */
const CONSTITUENTS = [
  { period: 44_714, share: 0.68 },
  { period: 43_200, share: 0.22 },
  { period: 92_950, share: 0.1 },
];

export class Weather {
  readonly #streamBearing: number;
  readonly #amplitude: number;
  readonly #roundness: number;
  readonly #phases: readonly number[];
  readonly #meanWind: Vector;
  readonly #gusts: readonly { period: number; size: number; phaseX: number; phaseY: number }[];

  /** `amplitude` is the largest tidal stream in m/s; the stream runs along `streamBearing` and back. */
  constructor(dice: Dice, streamBearing: number, amplitude: number, windSpeed: number) {
    this.#streamBearing = streamBearing;
    this.#amplitude = amplitude;
    this.#roundness = dice.between(-0.3, 0.3);
    this.#phases = CONSTITUENTS.map(() => dice.between(0, 2 * Math.PI));
    this.#meanWind = towards(dice.between(0, 2 * Math.PI), windSpeed);
    this.#gusts = [4.3, 9.1, 23, 61].map((hours) => ({
      period: hours * 3600,
      size: windSpeed * dice.between(0.1, 0.45),
      phaseX: dice.between(0, 2 * Math.PI),
      phaseY: dice.between(0, 2 * Math.PI),
    }));
  }

  stream(t: number): Vector {
    let along = 0;
    let across = 0;
    for (const [i, { period, share }] of CONSTITUENTS.entries()) {
      const angle = (2 * Math.PI * t) / period + (this.#phases[i] ?? 0);
      along += share * Math.cos(angle);
      across += share * Math.sin(angle);
    }
    const sin = Math.sin(this.#streamBearing);
    const cos = Math.cos(this.#streamBearing);
    const a = along * this.#amplitude;
    const b = across * this.#amplitude * this.#roundness;
    return { x: a * sin + b * cos, y: a * cos - b * sin };
  }

  wind(t: number): Vector {
    let { x, y } = this.#meanWind;
    for (const { period, size, phaseX, phaseY } of this.#gusts) {
      x += size * Math.sin((2 * Math.PI * t) / period + phaseX);
      y += size * Math.sin((2 * Math.PI * t) / period + phaseY);
    }
    return { x, y };
  }
}
