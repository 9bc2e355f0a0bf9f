/** The parts of the accuracy page that measure the detector and the change-point alerts. */

import type { LevelMetric } from '../../core/reference/figure-names.ts';
import { type AnnotatedResult, METHODS, meanScores, scoreAll } from '../../test/detector/annotated-series.ts';
import { DAYS_TO_FIND, daysToReport, falseAlarmsPerYear, shareFound } from '../../test/detector/noise.ts';
import { type Section, svgPlot } from './report.ts';

const CORRELATIONS = [0, 0.3, 0.6, 0.8];
const METRICS: readonly LevelMetric[] = ['congestion_score', 'avg_wait_hours', 'at_anchor'];
const percent = (share: number): string => `${(100 * share).toFixed(0)}%`;
const share = (score: number): string => score.toFixed(3);

/** F1 and cover on series that people have annotated, next to the published scores of others. */
export function annotatedSection(results: readonly AnnotatedResult[]): Section {
  const compared = results.filter(({ published }) => published?.binseg !== undefined);
  const means = METHODS.map((method) => {
    const name = method === 'ours' ? 'this service' : `\`${method}\``;
    return `${name} ${meanScores(results, method).map(share).join(' and ')}`;
  });
  return {
    id: 'annotated-series',
    title: 'Annotated series',
    body: [
      `Does the detector find what people see? ${compared.length} series of the Turing Change Point Dataset, each marked by five people (van den Burg and Williams 2020), beside`,
      `published results of other methods. Mean F1 and cover: ${means.join(', ')}. Bar: those of \`binseg\` less 0.01.`,
    ].join('\n'),
    plot: svgPlot({
      title: 'F1 on annotated series',
      xLabel: '',
      yLabel: 'F1, margin 5',
      categories: compared.map(({ name }) => name),
      curves: (['ours', 'binseg', 'zero'] as const).map((method, k) => ({
        name: method === 'ours' ? 'this service' : `${method} (published)`,
        style: 'dots' as const,
        // Bars next to each other, because many scores are equal.
        points: compared.map(
          (result, i) => [i + 0.22 * (k - 1), scoreAll(result, method)?.[0] ?? 0] as const,
        ),
      })),
    }),
    plotText: 'F1 of this service, binseg and zero on each annotated series',
  };
}

/** False alarms and detected steps in seeded autoregressive noise. */
export function noiseSection(runs: number, seed: number): Section {
  const alarmsAt = (correlation: number): number =>
    Math.max(...METRICS.map((metric) => falseAlarmsPerYear({ metric, correlation, runs, seed })));
  const found = [2, 3].flatMap((deviations) =>
    CORRELATIONS.map((correlation) => {
      const studies = METRICS.map((metric) => daysToReport({ metric, correlation, runs, seed, deviations }));
      return { deviations, correlation, studies };
    }),
  );
  const list = (cells: readonly string[]): string => `${cells.slice(0, -1).join(', ')} and ${cells.at(-1)}`;
  const stepsFound = (deviations: number): string =>
    list(
      found
        .filter((cell) => cell.deviations === deviations)
        .map(({ studies }) => percent(Math.min(...studies.map(shareFound)))),
    );
  return {
    id: 'autocorrelated-noise',
    title: 'Autocorrelated noise',
    body: [
      `How often does noise raise a change-point alert? AR(1) noise of lag-1 correlation ${list(CORRELATIONS.map(String))}, ${runs} runs, the worst metric.`,
      '',
      `- Alerts per series and year without a change: ${list(CORRELATIONS.map((correlation) => alarmsAt(correlation).toFixed(2)))}. Bar: 0.3 at 0.6.`,
      `- Steps reported within ${DAYS_TO_FIND} days: ${stepsFound(2)} of those of 2 standard deviations, ${stepsFound(3)} of those of 3. Bar: 80% of those of 3 at 0.6.`,
    ].join('\n'),
    plot: svgPlot({
      title: 'Steps of 3 standard deviations reported (congestion_score)',
      xLabel: 'days since the step',
      yLabel: 'share reported',
      levels: [{ y: 0.8, name: 'bar at correlation 0.6' }],
      curves: found
        .filter(({ deviations }) => deviations === 3)
        .map(({ correlation, studies: [days = []] }) => ({
          name: `correlation ${correlation}`,
          style: 'line' as const,
          points: Array.from(
            { length: 2 * DAYS_TO_FIND + 1 },
            (_, day) =>
              [
                day,
                days.filter((count) => count !== undefined && count <= day).length / days.length,
              ] as const,
          ),
        })),
    }),
    plotText: 'Share of steps reported by days since the step, for four correlations',
  };
}
