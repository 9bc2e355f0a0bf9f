/** Coverage: spans in order that never touch, and the share of a day within them. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  addCoverage,
  addPollCoverage,
  type Coverage,
  dayCoverage,
  withoutHoles,
} from '../../../core/calls/port-call.ts';
import { dayOf } from '../../../core/reference/time.ts';
import { atHour, BEGINNING } from '../../builders/calls.ts';

const DAY = dayOf(BEGINNING);
const span = (from: number, to: number) => ({ fromAt: atHour(from), toAt: atHour(to) });

describe('coverage', () => {
  it.each([
    ['apart', [span(0, 2), span(4, 6)], [span(0, 2), span(4, 6)]],
    ['apart, in reverse', [span(4, 6), span(0, 2)], [span(0, 2), span(4, 6)]],
    ['that touch', [span(0, 2), span(2, 4)], [span(0, 4)]],
    ['that touch, in reverse', [span(2, 4), span(0, 2)], [span(0, 4)]],
    ['that overlap', [span(0, 3), span(2, 4)], [span(0, 4)]],
    ['within one another', [span(0, 9), span(2, 4)], [span(0, 9)]],
    ['that a third one joins', [span(0, 2), span(4, 6), span(1, 5)], [span(0, 6)]],
  ])('of spans %s', (_, spans, expected) => {
    expect(spans.reduce<Coverage>(addCoverage, [])).toEqual(expected);
  });

  it.each([
    ['before it', [span(-2, 0)], [span(0, 9)]],
    ['at its start', [span(-2, 2)], [span(2, 9)]],
    ['within it', [span(2, 4), span(6, 7)], [span(0, 2), span(4, 6), span(7, 9)]],
    ['at its end', [span(8, 20)], [span(0, 8)]],
    ['of all of it', [span(0, 9)], []],
  ])('has no hole %s', (_, holes, expected) => {
    expect(withoutHoles(span(0, 9), holes)).toEqual(expected);
  });

  it('covers exactly the hours of its spans, in order and apart, whatever they are', () => {
    const hours = fc.tuple(fc.nat(40), fc.nat(8));
    fc.assert(
      fc.property(fc.array(hours, { maxLength: 12 }), (all) => {
        const spans = all.map(([from, length]) => span(from, from + length));
        const coverage = spans.reduce<Coverage>(addCoverage, []);
        const bounds = coverage.flatMap(({ fromAt, toAt }) => [fromAt, toAt]);
        expect(bounds).toEqual([...bounds].sort((a, b) => a - b));
        expect(coverage.filter(({ fromAt }, i) => fromAt === coverage[i - 1]?.toAt)).toEqual([]);
        const halfHours = Array.from({ length: 100 }, (_, i) => atHour(i / 2));
        const covered = (within: Coverage) =>
          halfHours.filter((at) => within.some(({ fromAt, toAt }) => fromAt <= at && at <= toAt));
        expect(covered(coverage)).toEqual(covered(spans));
      }),
    );
  });

  it('of polls reaches back to the poll before, up to four hours', () => {
    const polls = [0, 4, 8.5, 9].map(atHour);
    expect(polls.reduce<Coverage>(addPollCoverage, [])).toEqual([span(0, 4), span(8.5, 9)]);
  });
});

describe('the share of a day', () => {
  it.each([
    ['covered in parts', [span(-24, -20), span(6, 12), span(18, 30)], 48, 0.5],
    ['covered from the day before to the day after', [span(-5, 30)], 48, 1],
    ['without coverage', [span(-24, -20)], 48, 0],
    ['still running', [span(-24, 6)], 12, 0.5],
    ['that is the very first', [span(12, 18)], 48, 0.5],
    ['of the very first poll', [span(12, 12)], 12, 1],
    ['that has just begun, covered', [span(-24, 0)], 0, 1],
    ['that has just begun, covered after a gap', [span(-24, -20), span(-2, 0)], 0, 1],
    ['that has just begun, not covered', [span(-24, -20)], 0, 0],
    ['that has just begun, covered later', [span(-24, -20), span(5, 6)], 0, 0],
    ['before everything', [], 48, 0],
    ['that ends where coverage begins', [span(24, 48)], 48, 0],
  ])('%s', (_, coverage, asOfHour, share) => {
    expect(dayCoverage(coverage, DAY, atHour(asOfHour))).toBe(share);
  });
});
