/** The log lines of a pass, from which the dashboard is made. */

import { describe, expect, it } from '@jest/globals';
import { createPassRecorder, type PassOutcome } from '../../../core/ingest/pass.ts';
import { Refusals } from '../../../core/upstream/source.ts';
import { readableLog } from '../../builders/readable-log.ts';

const NOW = Date.UTC(2026, 2, 2, 12);
const OK: PassOutcome = {
  source: 'hk-marine-department',
  state: 'ok',
  fetches: 1,
  changedRecords: 3,
  refusals: new Refusals(),
  notices: [],
  unfinished: false,
  status: {
    source: 'hk-marine-department',
    failures: 0,
    lastFetchAt: NOW - 60 * 60_000,
    asOfAt: NOW - 90 * 60_000,
  },
};

/** The lines of one outcome, the first of them that of the pass itself. */
function linesOf(outcome: PassOutcome) {
  const { log, lines: written } = readableLog();
  createPassRecorder(log)(outcome, NOW);
  const lines = written();
  expect(lines.every(({ source }) => source === outcome.source)).toBe(true);
  return { pass: lines[0], lines };
}

describe('the record of a pass', () => {
  it('states what was changed and refused, and the age of the data', () => {
    const { pass } = linesOf(OK);
    expect(pass).toMatchObject({ level: 'INFO', message: 'pass', state: 'ok' });
    expect(pass).toMatchObject({ changedRecords: 3, refused: 0, unknownPlaces: 0, dataAgeMinutes: 90 });
  });

  it('states the counts of positions where there are any, and counts none as refused', () => {
    const counts = { taken: 14_000, repeated: 700, old: 12, unknownTypes: 31 };
    expect(linesOf({ ...OK, counts }).pass).toMatchObject({ refused: 0, counts });
    expect(linesOf(OK).pass).not.toHaveProperty('counts');
  });

  it('publishes no metric, which would cost by source and month', () => {
    expect(linesOf(OK).lines.filter((line) => '_aws' in line)).toEqual([]);
  });

  it('warns of an upstream fault with its reason, and still states the age of the data', () => {
    const { lines } = linesOf({ ...OK, state: 'failed', changedRecords: 0, reason: 'html', detail: 'why' });
    expect(lines).toMatchObject([
      { level: 'WARN', message: 'pass', state: 'failed', reason: 'html', detail: 'why', dataAgeMinutes: 90 },
    ]);
  });

  it('logs at most 20 of the refused records, and counts them all', () => {
    const refusals = Array.from({ length: 30 }, (_, n) => ({
      reason: 'impossible-time',
      detail: `record ${n}`,
    }));
    const { pass, lines } = linesOf({ ...OK, refusals: new Refusals(...refusals) });
    expect(pass).toMatchObject({ refused: 30 });
    expect(lines.filter(({ message }) => message === 'refused')).toHaveLength(20);
  });

  it('counts notices by what they are, and logs at most 20 of them', () => {
    const notices = [
      ...Array.from({ length: 30 }, (_, n) => ({ reason: 'unknown-place' as const, detail: `place ${n}` })),
      { reason: 'contradicted-call' as const, detail: 'HKHKG 1f7d0535a57f72db: ATA, now another' },
    ];
    const { pass, lines } = linesOf({ ...OK, notices });
    expect(pass).toMatchObject({ unknownPlaces: 30, contradictedCalls: 1, withdrawnCalls: 0, refused: 0 });
    const logged = lines.filter(({ message }) => message === 'notice');
    expect(logged).toHaveLength(20);
    expect(logged[0]).toMatchObject({ level: 'INFO', reason: 'unknown-place', detail: 'place 0' });
  });

  it('of a step of a back-fill states no age', () => {
    expect(linesOf({ ...OK, status: undefined }).pass).not.toHaveProperty('dataAgeMinutes');
  });
});
