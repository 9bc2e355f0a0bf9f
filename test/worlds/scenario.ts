/** The scenario of a port: how many of its cargo berths work, day by day. */
import type { Locode } from '../../core/reference/codes.ts';
import { DAY_MS, type Instant } from '../../core/reference/time.ts';
import type { PortProfile } from './port-profile.ts';

/** From `fromDay` (days since the cycle began, fractions allowed) this many cargo berths work. */
interface CapacityStep {
  readonly fromDay: number;
  readonly berths: number;
}

export interface Scenario {
  /** Replaces parts of the port's profile. */
  readonly profile?: Partial<PortProfile>;
  /** Ascending; before the first step the profile's own number of berths works. */
  readonly capacity?: readonly CapacityStep[];
  /** The steps repeat every this many days; once when absent. */
  readonly cycleDays?: number;
}

/** No episode: the queue is in steady state, apart from the daily and weekly cycle. */
export const STEADY: Scenario = {};

/**
 * A labour dispute: few berths work for some days and the queue builds up; then slightly fewer than the arrivals need,
 * and the queue stays; then every berth and lay-by berth works, and it clears within a day or two. The days are chosen so that
 * the change-point detector reports both the rise and the fall of the second cycle, in which the history of a new data folder ends:
 * calm and queue are each long enough to be a level, and nine days of calm or more follow the queue.
 */
export const BUILD_UP_AND_CLEAR: Scenario = {
  capacity: [
    { fromDay: 17.7, berths: 4 },
    { fromDay: 21, berths: 11 },
    { fromDay: 35.5, berths: 60 },
    { fromDay: 38.5, berths: 22 },
  ],
  cycleDays: 91,
};

/** The scenario of `port`. */
export const findScenario = (port: Locode): Scenario => (port === 'USLAX' ? BUILD_UP_AND_CLEAR : STEADY);

/** Working cargo berths at an instant of a simulation that began at `beganAt`. */
export function berthsAtWork(scenario: Scenario, ordinary: number, beganAt: Instant, at: Instant): number {
  const elapsedDays = (at - beganAt) / DAY_MS;
  const { cycleDays } = scenario;
  const day = cycleDays === undefined || elapsedDays < 0 ? elapsedDays : elapsedDays % cycleDays;
  return scenario.capacity?.findLast((step) => step.fromDay <= day)?.berths ?? ordinary;
}

/** The first instant after `at` at which a step begins; undefined when none follows. */
export function nextCapacityChange(scenario: Scenario, beganAt: Instant, at: Instant): Instant | undefined {
  const days = scenario.capacity?.map((step) => step.fromDay) ?? [];
  const { cycleDays } = scenario;
  const cycle = cycleDays === undefined ? 0 : Math.max(0, Math.floor((at - beganAt) / (cycleDays * DAY_MS)));
  const ahead = cycleDays === undefined ? days : [...days, cycleDays, ...days.map((day) => day + cycleDays)];
  const startAt = beganAt + cycle * (cycleDays ?? 0) * DAY_MS;
  return ahead.map((day) => startAt + day * DAY_MS).find((stepAt) => stepAt > at);
}
