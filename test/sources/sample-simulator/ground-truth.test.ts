import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Ledger, openLedger } from '../../../core/calls/ledger.ts';
import type { PortCall } from '../../../core/calls/port-call.ts';
import { applyReport } from '../../../core/calls/reconstruct.ts';
import { occupancyAt } from '../../../core/metrics/occupancy.ts';
import { HOUR_MS } from '../../../core/reference/time.ts';
import { PORT_PROFILES } from '../../../core/sources/sample-simulator/port-profile.ts';
import { simulatePort } from '../../../core/sources/sample-simulator/simulate-port.ts';
import { atAnchorCount, inPortCount, truePortCall } from '../../../studies/accuracy/ground-truth/study.ts';
import { extent } from '../../builders/extent.ts';
import { BEGAN_AT, FIRST_NOW, parsedAt, SEED } from './sample.ts';

const PORTS = PORT_PROFILES.map((profile) => profile.port);

describe('calls reconstructed from the sample’s records', () => {
  const ledgers = new Map<string, Ledger>();
  const seen = new Map<string, PortCall>();

  beforeAll(async () => {
    for (const report of (await parsedAt(FIRST_NOW)).reports) {
      if (report.kind !== 'call-batch') continue;
      const { ledger, changed } = applyReport(ledgers.get(report.port) ?? openLedger(), report);
      ledgers.set(report.port, ledger);
      for (const call of changed) seen.set(call.callId, call);
    }
  });

  it.each(PORTS)('are the true ones in %s: every leg of every call that has ended', (port) => {
    const over = simulatePort(port, BEGAN_AT, FIRST_NOW, SEED).filter((call) => call.atdAt <= FIRST_NOW);
    const shape = ({ callId, ataAt, atdAt, waitKnown, legs }: PortCall) => ({
      callId,
      ataAt,
      atdAt,
      waitKnown,
      legs,
    });
    const reported = over.flatMap(({ callId }) => seen.get(callId) ?? []);
    expect(reported.map(shape)).toEqual(over.map(truePortCall).map(shape));
    expect(over.length).toBeGreaterThan(400);
  });

  it.each(PORTS)('give the true counts in %s at any hour', (port) => {
    const truth = simulatePort(port, BEGAN_AT, FIRST_NOW, SEED);
    const calls = [...seen.values()].filter((call) => call.port === port);
    for (let at = BEGAN_AT; at <= FIRST_NOW; at += extent(23, 7) * HOUR_MS) {
      const { inPort, atAnchor } = occupancyAt(calls, at);
      expect([at, inPort, atAnchor]).toEqual([at, inPortCount(truth, at), atAnchorCount(truth, at)]);
    }
  });
});
