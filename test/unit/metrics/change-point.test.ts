/** The detector: clean steps, autocorrelated noise, annotated series, and independence of units. */
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  changePoints,
  detectChangePoints,
  partition,
  RunningSums,
  segment,
} from '../../../core/metrics/change-point.ts';
import { extent } from '../../builders/extent.ts';
import { RECORDINGS } from '../../builders/recordings.ts';
import { meanScores, scoreAnnotated } from '../../detector/annotated-series.ts';
import { daysToReport, falseAlarmsPerYear, shareFound } from '../../detector/noise.ts';

const levels = (...parts: readonly (readonly [count: number, value: number])[]): number[] =>
  parts.flatMap(([count, value]) => Array.from({ length: count }, () => value));

describe('clean steps', () => {
  it.each([
    ['one rise', levels([30, 10], [30, 20]), [30]],
    ['one fall in a short series', levels([10, 5], [10, 1]), [10]],
    ['a pulse', levels([20, 0], [20, 5], [20, 0]), [20, 40]],
    ['stairs', levels([25, 1], [25, 2], [25, 3], [25, 4]), [25, 50, 75]],
    ['up and down and up', levels([20, 3], [15, 9], [25, 1], [20, 6]), [20, 35, 60]],
  ])('finds %s', (_name, values, expected) => {
    expect(detectChangePoints(values)).toEqual(expected);
  });

  it('finds every step between levels of at least 12 points', () => {
    const part = fc.tuple(fc.integer({ min: 12, max: 40 }), fc.integer({ min: 2, max: 9 }), fc.boolean());
    fc.assert(
      fc.property(fc.array(part, { minLength: 2, maxLength: 4 }), (parts) => {
        let level = 50;
        let end = 0;
        const steps: number[] = [];
        const values = parts.flatMap(([count, size, up]) => {
          level += up ? size : -size;
          end += count;
          steps.push(end);
          return Array.from({ length: count }, () => level);
        });
        expect(detectChangePoints(values)).toEqual(steps.slice(0, -1));
      }),
    );
  });

  it('finds nothing where nothing changes, nor in a series that is too short', () => {
    expect(detectChangePoints(levels([90, 7]))).toEqual([]);
    expect(detectChangePoints([])).toEqual([]);
    expect(detectChangePoints([1, 9])).toEqual([]);
    expect(detectChangePoints([null, null])).toEqual([]);
  });

  it('skips gaps and returns indices of the series as given', () => {
    const values = [null, ...levels([20, 1]), null, null, ...levels([20, 8])];
    expect(detectChangePoints(values)).toEqual([23]);
  });
});

describe('any series', () => {
  const series = fc.array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: 1, maxLength: 120 });

  it('has ascending change points, no level below the least length and no gate below the least gate', () => {
    fc.assert(
      fc.property(series, (values) => {
        const points = changePoints(values, { minSegment: 5, maxSplits: 4 });
        expect(points.length).toBeLessThanOrEqual(4);
        const bounds = [0, ...points.map(({ index }) => index), values.length];
        for (const [i, bound] of bounds.slice(1).entries()) {
          if (points.length > 0) expect(bound - (bounds[i] ?? 0)).toBeGreaterThanOrEqual(5);
        }
        for (const { gate } of points) expect(gate).toBeGreaterThanOrEqual(4);
      }),
    );
  });

  it('has no more change points than asked for, however clean its steps', () => {
    const steps = levels([12, 0], [12, 9], [12, 1], [12, 8], [12, 2], [12, 7]);
    expect(changePoints(steps, { minSegment: 5, maxSplits: 4 }).length).toBeLessThanOrEqual(4);
    expect(changePoints(steps, { minSegment: 5, maxSplits: 5 })).toHaveLength(5);
  });

  it('has the gates of the methodology', () => {
    const noise = Array.from({ length: 48 }, (_, i) => (i % 6 < 3 ? 1 : -1));
    const values = noise.map((residual, i) => residual + (i < 24 ? 0 : 9));
    // Of 47 pairs of neighbours 32 are equal.
    const raw = (32 - 15) / 48;
    const r = raw + (1 + 4 * raw) / 48;
    const gate = 9 / (Math.sqrt((1 + r) / (1 - r)) * Math.sqrt(1 / 24 + 1 / 24));
    const found = changePoints(values, { minSegment: 12 });
    expect(found).toMatchObject([{ index: 24, gate: expect.closeTo(gate, 9) }]);
  });

  it('has the same change points in other units', () => {
    fc.assert(
      fc.property(
        series,
        fc.integer({ min: -50, max: 50 }),
        fc.constantFrom(-4, 0.5, 8),
        (values, shift, scale) => {
          const other = values.map((value) => value * scale + shift);
          expect(detectChangePoints(other)).toEqual(detectChangePoints(values));
        },
      ),
      { seed: 11, numRuns: 60 },
    );
  });
});

describe('binary segmentation', () => {
  it('comes back to a part that it has set aside', () => {
    const stairs = levels([25, 1], [25, 2], [25, 3], [25, 4]);
    const rules = { minSegment: 5, penalty: 1, maxSplits: 9 };
    expect(segment(new RunningSums(stairs), 0, stairs.length, rules)).toEqual([25, 50, 75]);
  });
});

describe('exact partition', () => {
  it('never costs more than binary segmentation', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 10, maxLength: 60 }), (values) => {
        const sums = new RunningSums(values);
        const rules = { minSegment: 3, penalty: 20, maxSplits: Number.POSITIVE_INFINITY };
        const cost = (starts: readonly number[]): number =>
          [0, ...starts].reduce(
            (sum, from, i) => sum + rules.penalty + sums.squaredError(from, starts[i] ?? values.length),
            0,
          );
        const exact = cost(partition(sums, values.length, rules));
        expect(exact).toBeLessThanOrEqual(cost(segment(sums, 0, values.length, rules)) + 1e-9);
      }),
    );
  });
});

describe('noise', () => {
  it('raises at most 0.3 alerts a year where nothing changes and neighbours are correlated at 0.6', () => {
    const study = { metric: 'congestion_score', correlation: 0.6, runs: extent(12, 40), seed: 3 } as const;
    expect(falseAlarmsPerYear(study)).toBeLessThanOrEqual(0.3);
  });

  it.each(['congestion_score', 'avg_wait_hours', 'at_anchor'] as const)(
    'finds four of five steps of three standard deviations in %s within fourteen days',
    (metric) => {
      const days = daysToReport({ metric, correlation: 0.6, runs: extent(30, 100), seed: 3, deviations: 3 });
      expect(shareFound(days)).toBeGreaterThanOrEqual(0.8);
    },
  );
});

describe('annotated series', () => {
  const annotated = join(RECORDINGS, 'tcpd');

  it('score as the published binary segmentation does, and better than no change points at all', async () => {
    const results = await scoreAnnotated(annotated);
    const [f1, cover] = meanScores(results, 'ours');
    const [publishedF1, publishedCover] = meanScores(results, 'binseg');
    expect(f1).toBeGreaterThanOrEqual(publishedF1 - 0.01);
    expect(cover).toBeGreaterThanOrEqual(publishedCover - 0.01);
    const [zeroF1, zeroCover] = meanScores(await scoreAnnotated(annotated, () => []), 'ours');
    expect([zeroF1, zeroCover]).toEqual(meanScores(results, 'zero').map((score) => expect.closeTo(score, 3)));
    expect(f1).toBeGreaterThan(zeroF1);
    expect(cover).toBeGreaterThan(zeroCover);
  });
});
