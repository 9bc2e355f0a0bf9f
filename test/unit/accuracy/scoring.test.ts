/** F1 and cover: hand-reckoned cases, the convention of index 0, and the published scores of never alarming. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { coverScore, f1Score } from '../../../accuracy/scoring.ts';

describe('F1', () => {
  it('is 1 when all agree, within the margin', () => {
    expect(f1Score([[20], [22]], [21])).toBe(1);
    expect(f1Score([[], []], [])).toBe(1);
    expect(f1Score([[20]], [25])).toBe(1);
    expect(f1Score([[20]], [26])).toBe(0.5);
  });

  it('pools the marks for precision and averages recall over the annotators', () => {
    // Both points confirm a mark of the pool; recall is (2/2 + 2/3 + 1/1) / 3.
    const recall = (1 + 2 / 3 + 1) / 3;
    expect(f1Score([[30], [30, 60], []], [30])).toBeCloseTo((2 * recall) / (1 + recall), 12);
  });

  it('lets one point confirm one mark only', () => {
    expect(f1Score([[20, 24]], [22])).toBeCloseTo((2 * 1 * (2 / 3)) / (1 + 2 / 3), 12);
  });

  it('of never alarming on the marks of rail_lines and quality_control_5 is as published', () => {
    // Two annotators' counts of marks decide it: (1/3 * 4 + 1/2) / 5 recalled, all of it right.
    const recall = (4 / 3 + 1 / 2) / 5;
    const marks = [[10, 20], [10, 20], [10, 20], [10, 20], [20]];
    expect(f1Score(marks, [])).toBeCloseTo((2 * recall) / (1 + recall), 12);
    expect((2 * recall) / (1 + recall)).toBeCloseTo(0.537, 3);
    expect(f1Score([[], [], [], [], []], [])).toBe(1);
  });
});

describe('cover', () => {
  it('weighs the best overlap of each segment by its length', () => {
    expect(coverScore([[]], [], 100)).toBe(1);
    expect(coverScore([[50]], [50], 100)).toBe(1);
    expect(coverScore([[50]], [], 100)).toBe(0.5);
    expect(coverScore([[50]], [60], 100)).toBeCloseTo(0.5 * (50 / 60) + 0.5 * (40 / 50), 12);
    expect(coverScore([[50], []], [], 100)).toBe(0.75);
  });

  it('and F1 lie between 0 and 1 and reward the exact points', () => {
    const marks = fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(marks, { minLength: 1, maxLength: 5 }), marks, (annotations, predicted) => {
        for (const score of [f1Score(annotations, predicted), coverScore(annotations, predicted, 100)]) {
          expect(score).toBeGreaterThan(0);
          expect(score).toBeLessThanOrEqual(1 + 1e-12);
        }
        expect(f1Score([predicted], predicted)).toBe(1);
        expect(coverScore([predicted], predicted, 100)).toBeCloseTo(1, 12);
      }),
    );
  });
});
