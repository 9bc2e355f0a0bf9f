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
const cargoOf = (calls: readonly SimulatedCall[]): SimulatedCall[] =>
  calls.filter((call) => call.traffic === 'cargo');

describe.each(PORTS)('the simulated port %s', (port) => {
  const calls = world(port, 80);

  it('gives the same calls for the same seed, and others for another', () => {
    expect(JSON.stringify(world(port, 80))).toBe(JSON.stringify(calls));
    expect(JSON.stringify(world(port, 80, SEED + 1))).not.toBe(JSON.stringify(calls));
  });

  it('joins the legs of a call without gap or overlap, on whole seconds', () => {
    const broken = calls.filter(({ ataAt, atbAt, atdAt, legs }) => {
      const starts = [...legs.map((leg) => leg.startAt), atdAt];
      const ends = [ataAt, ...legs.map((leg) => leg.endAt)];
      const joined = starts.every((at, i) => at === ends[i] && at % 1000 === 0 && at > (starts[i - 1] ?? 0));
      return !joined || atbAt !== legs.find((leg) => leg.zone === 'berth')?.startAt;
    });
    expect(broken).toEqual([]);
    expect(calls.length).toBeGreaterThan(300);
  });

  it('counts as wait what was spent at anchor before the first berth', () => {
    const wrong = calls.filter(({ atbAt, waitHours, legs }) => {
      const anchored = legs.filter((leg) => leg.zone === 'anchorage' && leg.startAt < atbAt);
      const ms = anchored.reduce((sum, leg) => sum + leg.endAt - leg.startAt, 0);
      return Math.abs(waitHours * HOUR_MS - ms) > 1;
    });
    expect(wrong).toEqual([]);
    expect(calls.some((call) => call.waitHours > 0)).toBe(true);
  });

  it('puts no two vessels at one berth, from the way in to casting off', () => {
    const stays = calls
      .flatMap(({ legs }) =>
        legs.flatMap((leg, i) =>
          leg.zone === 'berth'
            ? [{ place: leg.place, fromAt: legs[i - 1]?.startAt ?? 0, toAt: leg.endAt }]
            : [],
        ),
      )
      .sort((a, b) => a.fromAt - b.fromAt);
    const freeAt = new Map<string, number>();
    const doubled = stays.filter(({ place, fromAt, toAt }) => {
      const taken = (freeAt.get(place) ?? 0) > fromAt;
      freeAt.set(place, toAt);
      return taken;
    });
    expect(doubled).toEqual([]);
    expect(freeAt.size).toBeGreaterThan(3);
  });

  it('sends cargo vessels in in the order of their arrival', () => {
    const sentIn = cargoOf(calls).map((call) => call.legs.find((leg) => leg.zone === 'moving')?.startAt ?? 0);
    expect(sentIn).toEqual([...sentIn].sort((a, b) => a - b));
  });

  it('never has one vessel in two calls at a time, nor two calls of one id', () => {
    const leftAt = new Map<string, number>();
    const twice = calls.filter(({ vesselId, ataAt, atdAt }) => {
      const inPort = (leftAt.get(vesselId) ?? 0) >= ataAt;
      leftAt.set(vesselId, atdAt);
      return inPort;
    });
    expect(twice).toEqual([]);
    expect(new Set(calls.map((call) => call.callId)).size).toBe(calls.length);
  });

  it('begins in full swing: the first week has about as many vessels as any', () => {
    const present = (fromDay: number): number =>
      calls.filter(
        (call) => call.atdAt > BEGAN_AT + fromDay * DAY_MS && call.ataAt < BEGAN_AT + (fromDay + 7) * DAY_MS,
      ).length;
    expect(present(0) / present(7)).toBeGreaterThan(0.7);
    expect(present(0) / present(7)).toBeLessThan(1.5);
  });
});

describe('the volume of the sample', () => {
  it.each(PORT_PROFILES)('is as the profile says in $port', ({ port, cargoPerDay, ferriesPerDay }) => {
    const days = 280;
    const arrived = world(port, days).filter((call) => call.ataAt >= BEGAN_AT);
    const cargo = cargoOf(arrived).length;
    const deviations = (count: number, mean: number): number => (count - mean) / Math.sqrt(mean);
    expect(Math.abs(deviations(cargo, days * cargoPerDay))).toBeLessThan(3.5);
    if (ferriesPerDay === 0) expect(arrived.length).toBe(cargo);
    else expect(Math.abs(deviations(arrived.length - cargo, days * ferriesPerDay))).toBeLessThan(3.5);
  });

  it('lets some vessels shift, and only to a second berth', () => {
    const berths = world('NLRTM').map((call) => call.legs.filter((leg) => leg.zone === 'berth').length);
    const shifted = berths.filter((count) => count === 2).length;
    expect(Math.max(...berths)).toBe(2);
    expect(shifted / berths.length).toBeGreaterThan(0.08);
    expect(shifted / berths.length).toBeLessThan(0.25);
  });
});

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
