import { beforeAll, describe, expect, it } from '@jest/globals';
import { makePolls } from '../../../accuracy/ground-truth/simulated-polls.ts';
import { atAnchorCount, inPortCount, truePortCall } from '../../../accuracy/ground-truth/study.ts';
import { anchoredMsBefore } from '../../../core/calls/berth-wait.ts';
import { type Ledger, openLedger } from '../../../core/calls/ledger.ts';
import type { PortCall } from '../../../core/calls/port-call.ts';
import { applyReport } from '../../../core/calls/reconstruct.ts';
import { occupancyAt } from '../../../core/metrics/occupancy.ts';
import { DAY_MS, HOUR_MS } from '../../../core/reference/time.ts';
import { PORT_PROFILES } from '../../../core/sources/sample-simulator/port-profile.ts';
import { simulatePort } from '../../../core/sources/sample-simulator/simulate-port.ts';
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

describe('calls reconstructed from polls every 20 minutes', () => {
  const span = { fromAt: BEGAN_AT, toAt: BEGAN_AT + extent(9, 21) * DAY_MS };
  const truth = simulatePort('SGSIN', BEGAN_AT, span.toAt, SEED);
  const seen = new Map<string, PortCall>();
  let ledger = openLedger();
  let wrongCounts = 0;
  for (const poll of makePolls(truth, span, { everyMinutes: 20, seed: 1 })) {
    const applied = applyReport(ledger, poll);
    ledger = applied.ledger;
    for (const call of applied.changed) seen.set(call.callId, call);
    for (const call of applied.removed) seen.delete(call.callId);
    const at = poll.observedAt;
    const { inPort, atAnchor } = occupancyAt(ledger.calls.values(), at);
    if (atAnchor !== atAnchorCount(truth, at)) wrongCounts += 1;
    if (inPort !== inPortCount(truth, at)) wrongCounts += 1;
  }
  const whole = truth.filter(
    (call) => call.ataAt > span.fromAt + HOUR_MS && call.atdAt < span.toAt - HOUR_MS,
  );
  const reported = whole.flatMap((call) => {
    const match = [...seen.values()].find(
      ({ vesselId, ataAt }) => vesselId === call.vesselId && ataAt === call.ataAt,
    );
    return match ? [{ call, match }] : [];
  });

  it('have the true counts at every poll', () => {
    expect(wrongCounts).toBe(0);
  });

  it('are all there, with the stated times and waits within a poll, on average within half of one', () => {
    expect(reported).toHaveLength(whole.length);
    expect(whole.length).toBeGreaterThan(extent(100, 300));
    const errors = reported.map(({ call, match }) => {
      const berthedAt = match.legs.find((leg) => leg.zone === 'berth')?.startAt ?? 0;
      return Math.abs(anchoredMsBefore(match, berthedAt) / HOUR_MS - call.waitHours);
    });
    expect(Math.max(...errors)).toBeLessThanOrEqual(1 / 3);
    expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeLessThan(1 / 6);
    expect(reported.every(({ call, match }) => match.atdAt === call.atdAt)).toBe(true);
  });
});
