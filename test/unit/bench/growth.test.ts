/** The simulation of a pass: where it can be computed in advance, it is what was computed. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { measureGrowth } from '../../bench/growth.ts';
import { simulatePass } from '../../bench/growth-model.ts';

describe('the simulation of a pass', () => {
  it('takes the processor time of all ports where the store takes none', () => {
    const conditions = { processorShare: 0.5, storeMs: 0, width: 4 };
    expect(simulatePass(100, { cpuMsPerPort: 2, callsPerPort: 3 }, conditions)).toBeCloseTo(400);
  });

  it('waits for the store in one port after another where only one is written at a time', () => {
    const conditions = { processorShare: 1, storeMs: 5, width: 1 };
    expect(simulatePass(10, { cpuMsPerPort: 4, callsPerPort: 3 }, conditions)).toBeCloseTo(10 * (4 + 15));
  });

  it('waits in four ports at once where the processor takes nothing', () => {
    const conditions = { processorShare: 1, storeMs: 5, width: 4 };
    expect(simulatePass(100, { cpuMsPerPort: 0, callsPerPort: 3 }, conditions)).toBeCloseTo((100 / 4) * 15);
  });

  it('is never faster than the processor or the store alone, nor slower than both in turn', () => {
    const cost = fc.record({
      cpuMsPerPort: fc.double({ min: 0.1, max: 20, noNaN: true }),
      callsPerPort: fc.integer({ min: 1, max: 8 }),
    });
    fc.assert(
      fc.property(
        cost,
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 8 }),
        (given, ports, width) => {
          const took = simulatePass(ports, given, { processorShare: 1, storeMs: 5, width });
          const processor = ports * given.cpuMsPerPort;
          const store = Math.floor(ports / width) * given.callsPerPort * 5;
          expect(took).toBeGreaterThanOrEqual(Math.max(processor, store) - 1e-6);
          expect(took).toBeLessThanOrEqual(processor + ports * given.callsPerPort * 5 + 1e-6);
        },
      ),
    );
  });
});

it('a port is measured on the product’s own pass: its row and its day are written with every poll', async () => {
  const { callsPerPort, writesPerPort, bytesPerPort } = await measureGrowth({ ports: 2, days: 1, passes: 3 });
  expect(callsPerPort).toBeGreaterThanOrEqual(2);
  expect(writesPerPort).toBeGreaterThanOrEqual(1);
  expect(bytesPerPort.portCalls).toBeGreaterThan(bytesPerPort.ports ?? 0);
});
