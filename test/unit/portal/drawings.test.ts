/** The geometry of the drawings: lanes, classes of score, ages. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { freshness } from '../../../core/contracts/published-files.ts';
import { durationText, freshnessBudget } from '../../../portal/api/source-list.ts';
import { layInLanes } from '../../../portal/chart/timeline.ts';
import { moveStyle, scoreClass, scoreClasses } from '../../../portal/view/score-class.ts';

const LINES = { low: 0.5, medium: 0.6, high: 0.75 };

describe('lanes', () => {
  const spans = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 1, max: 30 })).map(([startAt, length]) => ({
      startAt,
      endAt: startAt + length,
    })),
    { maxLength: 60 },
  );

  it('contain every span, none over another, and are as few as spans overlap', () => {
    fc.assert(
      fc.property(spans, (given) => {
        const { laid, lanes } = layInLanes(given);
        expect(laid).toHaveLength(given.length);
        for (const a of laid)
          for (const b of laid)
            if (a !== b && a.lane === b.lane) expect(a.endAt <= b.startAt || b.endAt <= a.startAt).toBe(true);
        const at = (moment: number) =>
          given.filter((span) => span.startAt <= moment && moment < span.endAt).length;
        expect(lanes).toBe(Math.max(0, ...given.map(({ startAt }) => at(startAt))));
      }),
    );
  });
});

describe('classes of score', () => {
  it('change exactly at the lines of the alerts', () => {
    expect([0, 0.249, 0.25, 0.5, 0.599, 0.6, 0.75, 1].map((score) => scoreClass(score, LINES).rank)).toEqual([
      0, 0, 1, 2, 2, 3, 4, 4,
    ]);
    expect(scoreClasses(LINES).map(({ from }) => from)).toEqual([0, 0.25, 0.5, 0.6, 0.75]);
  });
});

it('a fall is good news only below every line of the alerts, at a port that is not stopped', () => {
  const styles = [0.49, 0.5, 0.8].map((score) => moveStyle(-0.1, score, LINES, false));
  expect(styles).toEqual(['down', 'still', 'still']);
  expect(moveStyle(-0.1, 0.04, LINES, true)).toBe('still');
  expect(moveStyle(0.1, 0.04, LINES, true)).toBe('up');
});

describe('freshness', () => {
  const source = { everyMinutes: 20, freshnessBudgetMinutes: 60 };
  it('is late after a second missed fetch and stale beyond the budget', () => {
    const states = [0, 40, 41, 60, 61].map((age) => freshness(age, source));
    expect(states).toEqual(['fresh', 'fresh', 'late', 'late', 'stale']);
    expect(freshness(61, { everyMinutes: 60, freshnessBudgetMinutes: 60 })).toBe('stale');
  });

  it('of a response from several sources has the widest budget', () => {
    expect(freshnessBudget([source, { freshnessBudgetMinutes: 120 }])).toBe(120);
    expect(freshnessBudget([])).toBe(Number.POSITIVE_INFINITY);
  });

  it('reads well', () => {
    const texts = [0, 60, 210, 1440, 3024].map(durationText);
    expect(texts).toEqual(['0 min', '60 min', '3.5 h', '24 h', '2.1 days']);
  });
});
