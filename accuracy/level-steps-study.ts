/** Clean level steps: how many are found, and how near. */
import { detectChangePoints } from '../core/metrics/change-point.ts';
import { randomStream, standardNormal, uniform } from '../core/sources/sample-simulator/random.ts';

export interface LevelSteps {
  readonly values: readonly number[];
  readonly steps: readonly number[];
}

const MIN_LENGTH = 12;
const MAX_LENGTH = 45;
const MAX_LEVELS = 5;

/** A series of two to five levels, steps of 2 to 9 either way, with normal noise of the given deviation. */
export function levelSteps(seed: number, deviation: number): LevelSteps {
  const random = randomStream('level-steps', seed, deviation);
  const steps: number[] = [];
  const values: number[] = [];
  let level = 50;
  const levels = Math.floor(uniform(random, 2, MAX_LEVELS + 1));
  for (let i = 0; i < levels; i += 1) {
    if (i > 0) {
      steps.push(values.length);
      level += uniform(random, 2, 9) * (random() < 0.5 ? -1 : 1);
    }
    const length = Math.floor(uniform(random, MIN_LENGTH, MAX_LENGTH));
    for (let k = 0; k < length; k += 1) values.push(level + deviation * standardNormal(random));
  }
  return { values, steps };
}

export interface StepsFound {
  readonly steps: number;
  /** Steps with a found point at most one away. */
  readonly near: number;
  /** Found points with no step at most one away. */
  readonly invented: number;
}

/** Runs the detector on `series` such series. */
export function studyLevelSteps(series: number, deviation: number): StepsFound {
  const total = { steps: 0, near: 0, invented: 0 };
  const isNear = (index: number, others: readonly number[]): boolean =>
    others.some((other) => Math.abs(other - index) <= 1);
  for (let seed = 0; seed < series; seed += 1) {
    const { values, steps } = levelSteps(seed, deviation);
    const found = detectChangePoints(values);
    total.steps += steps.length;
    total.near += steps.filter((step) => isNear(step, found)).length;
    total.invented += found.filter((index) => !isNear(index, steps)).length;
  }
  return total;
}
