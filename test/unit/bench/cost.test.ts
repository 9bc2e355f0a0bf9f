/** Costs by hand: round prices and units, so that every sum can be checked in the head. */
import { describe, expect, it } from '@jest/globals';
import type { CapacityFigures } from '../../bench/capacity.ts';
import {
  type CostInputs,
  canaryCosts,
  portCosts,
  positionsCosts,
  positionsGigabytes,
  requestCosts,
  standingCosts,
  totalOf,
} from '../../bench/cost.ts';
import prices from '../../bench/list-prices.json' with { type: 'json' };

const none = { calls: 0, readUnits: 0, writeUnits: 0 };
const of = (readUnits: number) => ({
  path: '/',
  data: { calls: 1, readUnits, writeUnits: 0 },
  limiter: { calls: 1, readUnits: 0, writeUnits: 1 },
  responseBytes: 300,
});
const INPUTS: CostInputs = {
  list: {
    ...prices,
    measured: {
      readCpuMs: { value: 0.289, why: '' },
      loadMs: { value: 0, why: '' },
      pollMs: { value: 57.8, why: '' },
      positionsWriteUnits: { value: 1000, why: '' },
      positionsPassSeconds: { value: 1, why: '' },
    },
  },
  capacity: {
    requests: {
      health: { path: '/', data: none, limiter: none, responseBytes: 100 },
      sources: of(0.5),
      ports: of(1),
      trend: of(1),
      waits: of(1),
      snapshot: of(0.5),
      dwell: of(4),
      alerts: of(0.5),
      hsImports: of(0.5),
    } satisfies CapacityFigures['requests'],
    authorizer: { calls: 1, readUnits: 0.5, writeUnits: 0 },
    poll: { polls: 10, everyMinutes: 20, calls: 5, readUnits: 1, writeUnits: 10 },
  },
  watch: {
    alarms: 8,
    alarmMetrics: 10,
    compositeAlarms: 2,
    dashboards: 2,
    customMetrics: 4,
    firewallRules: 2,
    runEveryMinutes: [5, 5],
  },
};

describe('a million requests', () => {
  it('pay for their units, their bytes and their time', () => {
    const costs = requestCosts('trend', INPUTS);
    expect(costs.gateway).toBe(3.5);
    expect(costs.reads).toBeCloseTo(0.125, 9);
    expect(costs.limiter).toBeCloseTo(0.625, 9);
    // 1,000 bytes each: a gigabyte.
    expect(costs.transfer).toBeCloseTo(0.09, 9);
    // 5 ms for the store and 1 ms of work: 6,000 s at half a gigabyte.
    expect(costs.function).toBeCloseTo(0.2 + 3000 * 0.0000133334, 9);
    expect(totalOf(costs)).toBeCloseTo(
      Object.values(costs).reduce((sum, one) => sum + one),
      9,
    );
  });

  it('pay for no key and no table where neither is asked', () => {
    expect(requestCosts('health', INPUTS)).toMatchObject({ authorizer: 0, reads: 0, limiter: 0 });
  });

  it('cost more by exactly the units that they read more', () => {
    const more = totalOf(requestCosts('dwell', INPUTS)) - totalOf(requestCosts('trend', INPUTS));
    expect(more).toBeCloseTo(3 * 0.125, 9);
  });
});

describe('live positions', () => {
  it('pay for 8,640 polls a month: a thousand write units, six requests of the archive and their time', () => {
    const costs = positionsCosts(INPUTS);
    expect(costs.writes).toBeCloseTo(8.64 * 0.625, 9);
    // 150 ports.
    expect(costs.reads).toBeCloseTo(8.64 * 0.15 * 0.125, 9);
    expect(costs.archive).toBeCloseTo((8640 * (6 * 5 + 2 * 0.4)) / 1e6, 9);
    const { positionsStepMs, processorShare } = prices.assumptions;
    const seconds = 8640 * (1 + positionsStepMs.value / 1000 / (2 * processorShare.value));
    expect(costs.function).toBeCloseTo(0.00864 * 0.2 + seconds * 0.0000133334, 9);
    expect(positionsGigabytes(INPUTS)).toBeCloseTo(8.64 * 0.82, 9);
  });
});

describe('a month', () => {
  it('of a port is 2,160 polls of what one consumes', () => {
    const costs = portCosts(INPUTS);
    expect(costs.writes).toBeCloseTo((21_600 / 1e6) * 0.625, 9);
    expect(costs.reads).toBeCloseTo((2160 / 1e6) * 0.125, 9);
    // 57.8 ms on 0.578 of a processor: 100 ms each, a gigabyte of memory.
    expect(costs.function).toBeCloseTo((2160 / 1e6) * 0.2 + 216 * 0.0000133334, 9);
  });

  it('of the archive is a write, two lists and a read a poll', () => {
    expect(portCosts(INPUTS).archive).toBeCloseTo((2160 / 1e6) * (3 * 5 + 0.4), 9);
  });

  it('of a stage without requests is its firewall, alarms, dashboards, metrics and regular runs', () => {
    const { 'regular runs': runs, ...others } = standingCosts(INPUTS);
    expect(others).toEqual({ firewall: 7, alarms: 2, dashboards: 6, metrics: 1.2 });
    // 17,280 runs of half a second at a quarter of a gigabyte, each with a log line of 1,600 bytes.
    expect(runs).toBeCloseTo(0.01728 * 1.2 + 2160 * 0.0000133334 + 0.027648 * 0.5, 9);
  });

  it('of a canary is a run every few minutes and its alarm', () => {
    const costs = canaryCosts(5, INPUTS);
    // 8,640 runs.
    expect(costs.runs).toBeCloseTo(10.368, 9);
    expect(costs.alarm).toBe(0.1);
  });

  it('cannot be computed without a price', () => {
    const { alarm: _, ...others } = prices.prices;
    const list = { ...prices, prices: others };
    expect(() => standingCosts({ ...INPUTS, list })).toThrow('the price list has no alarm');
  });
});
