import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { queueFigures } from '../../../accuracy/ground-truth/true-figures.ts';
import { DAY_MS, HOUR_MS } from '../../../core/reference/time.ts';
import { PORT_PROFILES } from '../../../core/sources/sample-simulator/port-profile.ts';
import { type Scenario, STEADY } from '../../../core/sources/sample-simulator/scenario.ts';
import { simulatePort } from '../../../core/sources/sample-simulator/simulate-port.ts';
import type { SimulatedCall } from '../../../core/sources/sample-simulator/simulated-call.ts';
import { BEGAN_AT, FIRST_NOW, SEED } from './sample.ts';

const PORTS = PORT_PROFILES.map((profile) => profile.port);
const world = (port: string, days = 45, seed = SEED, scenario?: Scenario): SimulatedCall[] =>
  simulatePort(port, BEGAN_AT, BEGAN_AT + days * DAY_MS, seed, scenario);

describe('time', () => {
  it('only appends: a later end gives the earlier calls again, and more', () => {
    const port = fc.constantFrom(...PORTS);
    const hour = fc.integer({ min: 0, max: 60 * 24 });
    fc.assert(
      fc.property(port, hour, hour, (locode, a, b) => {
        const [fewer, more] = [Math.min(a, b), Math.max(a, b)].map((hours) =>
          simulatePort(locode, BEGAN_AT, BEGAN_AT + hours * HOUR_MS, SEED),
        );
        const endAt = BEGAN_AT + Math.min(a, b) * HOUR_MS;
        const known = more?.filter((call) => call.ataAt < endAt);
        expect(JSON.stringify(known)).toBe(JSON.stringify(fewer));
      }),
      { numRuns: 40, seed: 1 },
    );
  });

  it('refuses a port that is not in the world', () => {
    expect(() => simulatePort('DEHAM', BEGAN_AT, FIRST_NOW, SEED)).toThrow(RangeError);
  });
});

describe('a long steady queue', () => {
  it.each(['SGSIN', 'NLRTM'])("obeys Little's law in %s", (port) => {
    const days = 400;
    const span = { fromAt: BEGAN_AT, toAt: BEGAN_AT + days * DAY_MS };
    const { meanWaiting, arrivalsPerHour, meanWaitHours } = queueFigures(
      world(port, days, SEED, STEADY),
      span,
    );
    expect(meanWaitHours).toBeGreaterThan(0.5);
    expect(meanWaiting / (arrivalsPerHour * meanWaitHours)).toBeGreaterThan(0.97);
    expect(meanWaiting / (arrivalsPerHour * meanWaitHours)).toBeLessThan(1.03);
  });

  it('grows with the load', () => {
    const waitWith = (berths: number): number =>
      queueFigures(world('SGSIN', 200, SEED, { profile: { berths } }), {
        fromAt: BEGAN_AT,
        toAt: BEGAN_AT + 200 * DAY_MS,
      }).meanWaitHours;
    expect(waitWith(19)).toBeGreaterThan(waitWith(21));
    expect(waitWith(21)).toBeGreaterThan(waitWith(26));
  });
});
