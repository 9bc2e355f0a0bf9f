/** The simulation of load: what each gate lets through can be computed in advance. */
import { describe, expect, it } from '@jest/globals';
import { AS_DEPLOYED } from '../../bench/scale.ts';
import { type Limits, simulate, type Workload } from '../../bench/scale-model.ts';

const ENDLESS: Limits = {
  accountRate: 1e9,
  accountBurst: 1e9,
  stageRate: 1e9,
  stageBurst: 1e9,
  concurrency: 1e9,
  scalePerTenSeconds: 1e9,
  partitionReads: 1e9,
  limiterTableWrites: 1e9,
  answerCacheSeconds: 0,
};
const WORKLOAD: Workload = {
  ratePerSecond: 2000,
  seconds: 20,
  ports: 10,
  mix: [{ operation: 'trend', share: 1, readUnits: 1, byPort: true }],
  warmMs: 10,
  coldMs: 200,
};

describe('the simulation of load', () => {
  it('serves everything where nothing is limited, and offers the rate that was asked for', () => {
    const run = simulate(WORKLOAD, ENDLESS);
    expect(run.served).toBe(1);
    expect(run.requests / WORKLOAD.seconds / WORKLOAD.ratePerSecond).toBeCloseTo(1, 1);
  });

  it('says the same with the same seed, and not with another', () => {
    const [one, same, other] = [1, 1, 2].map((seed) => simulate(WORKLOAD, AS_DEPLOYED, seed));
    expect(same).toEqual(one);
    expect(other?.requests).not.toBe(one?.requests);
  });

  it('lets the burst and the rate of the stage through, and not one more', () => {
    const run = simulate(WORKLOAD, { ...ENDLESS, stageRate: 500, stageBurst: 1000 });
    const admitted = Math.round(run.served * run.requests);
    expect(admitted).toBeLessThanOrEqual(1000 + 500 * WORKLOAD.seconds);
    expect(admitted).toBeGreaterThan(0.99 * (1000 + 500 * WORKLOAD.seconds));
    expect(run.refused['stage throttle']).toBeCloseTo(1 - run.served, 9);
  });

  it('keeps as many instances as rate times duration needs (Little), and refuses beyond', () => {
    const enough = simulate(WORKLOAD, { ...ENDLESS, concurrency: 1000 });
    expect(enough.refused.concurrency).toBe(0);
    const few = simulate({ ...WORKLOAD, coldMs: 10 }, { ...ENDLESS, concurrency: 10 });
    // Half of 2,000 x 0.01 s = 20 instances: about half is served.
    expect(few.served).toBeGreaterThan(0.4);
    expect(few.served).toBeLessThan(0.6);
  });

  it('fills the partition of the busiest port first, and spares it where responses are cached', () => {
    const hot = { ...ENDLESS, partitionReads: 300 };
    // Of ten ports by Zipf's law the first gets 34 %: 683 reads a second.
    const refused = simulate(WORKLOAD, hot).refused['hot partition'];
    expect(refused).toBeGreaterThan(0.15);
    expect(simulate(WORKLOAD, { ...hot, answerCacheSeconds: 5 }).refused['hot partition']).toBe(0);
  });

  it('goes on serving when the table of the limiter is full', () => {
    const run = simulate(WORKLOAD, { ...ENDLESS, limiterTableWrites: 1000 });
    expect(run.served).toBe(1);
    expect(run.refused['limiter writes']).toBeCloseTo(0.5, 1);
  });
});
