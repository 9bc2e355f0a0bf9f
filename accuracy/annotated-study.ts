/** The detector on annotated series: F1 and cover of each, next to published scores. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { detectChangePoints } from '../core/metrics/change-point.ts';
import { PUBLISHED_SCORES, type PublishedScores, type Scores } from './published-scores.ts';
import { coverScore, f1Score, mean } from './scoring.ts';
import { readSeries } from './series-file.ts';

export interface AnnotatedResult {
  readonly name: string;
  readonly length: number;
  readonly found: readonly number[];
  readonly ours: Scores;
  readonly published: PublishedScores | undefined;
}

export const METHODS = ['ours', 'binseg', 'pelt', 'bocpd', 'zero'] as const;
export type Method = (typeof METHODS)[number];

/** Scores the detector, or another one, on every series file of a folder, by name. */
export async function scoreAnnotated(
  folder: string,
  detect: (values: readonly (number | null)[]) => number[] = detectChangePoints,
): Promise<AnnotatedResult[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
  return Promise.all(
    files.map(async (file) => {
      const { name, values, annotations } = await readSeries(join(folder, file));
      const marks = Object.values(annotations);
      const found = detect(values);
      const ours = [f1Score(marks, found), coverScore(marks, found, values.length)] as const;
      return { name, length: values.length, found, ours, published: PUBLISHED_SCORES[name] };
    }),
  );
}

/** Scores of one method on one series, if any. */
export const scoresOf = (result: AnnotatedResult, method: Method): Scores | undefined =>
  method === 'ours' ? result.ours : result.published?.[method];

/** Mean scores of a method over the series on which binseg, the method to match, has been published. */
export function meanScores(results: readonly AnnotatedResult[], method: Method): Scores {
  const scores = results
    .filter(({ published }) => published?.binseg !== undefined)
    .flatMap((result) => {
      const own = scoresOf(result, method);
      return own ? [own] : [];
    });
  return [mean(scores.map(([f1]) => f1)), mean(scores.map(([, cover]) => cover))];
}
