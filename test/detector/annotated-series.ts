/** The detector on annotated series: F1 and cover of each, next to published scores. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { detectChangePoints } from '../../core/metrics/change-point.ts';
import { coverScore, f1Score, mean } from './scoring.ts';
import { readSeries } from './series-file.ts';

// Published scores for the annotated series: TCPDBench version 3, methods with default settings
// (github.com/alan-turing-institute/TCPDBench, default_f1_scores.json at 6662025, default_cover_scores.json at
// 97993b2), `[F1, cover]`. binseg, pelt and bocpd could not run on uk_coal_employ, which has gaps.

type Scores = readonly [f1: number, cover: number];

interface PublishedScores {
  readonly binseg?: Scores;
  readonly pelt?: Scores;
  readonly bocpd?: Scores;
  /** Never predicts a change. */
  readonly zero: Scores;
}

const PUBLISHED_SCORES: Readonly<Record<string, PublishedScores>> = {
  businv: { binseg: [0.37, 0.562], pelt: [0.37, 0.603], bocpd: [0.27, 0.463], zero: [0.588, 0.461] },
  co2_canada: { binseg: [0.691, 0.608], pelt: [0.661, 0.611], bocpd: [0.619, 0.716], zero: [0.361, 0.278] },
  gdp_argentina: { binseg: [0.889, 0.667], pelt: [0.889, 0.667], bocpd: [0.947, 0.63], zero: [0.824, 0.737] },
  gdp_croatia: { binseg: [0.583, 0.605], pelt: [0.583, 0.605], bocpd: [1, 0.642], zero: [0.824, 0.708] },
  jfk_passengers: {
    binseg: [0.776, 0.839],
    pelt: [0.776, 0.839],
    bocpd: [0.437, 0.541],
    zero: [0.723, 0.63],
  },
  ozone: { binseg: [0.65, 0.6], pelt: [1, 0.635], bocpd: [0.65, 0.602], zero: [0.723, 0.574] },
  quality_control_4: {
    binseg: [0.873, 0.518],
    pelt: [0.726, 0.538],
    bocpd: [0.658, 0.511],
    zero: [0.78, 0.673],
  },
  quality_control_5: { binseg: [1, 1], pelt: [1, 1], bocpd: [1, 1], zero: [1, 1] },
  rail_lines: { binseg: [0.846, 0.786], pelt: [0.846, 0.786], bocpd: [0.846, 0.767], zero: [0.537, 0.428] },
  shanghai_license: {
    binseg: [0.868, 0.92],
    pelt: [0.868, 0.92],
    bocpd: [0.713, 0.856],
    zero: [0.636, 0.547],
  },
  uk_coal_employ: { zero: [0.513, 0.356] },
  us_population: {
    binseg: [0.667, 0.391],
    pelt: [0.471, 0.506],
    bocpd: [0.216, 0.219],
    zero: [0.889, 0.803],
  },
  usd_isk: { binseg: [0.657, 0.735], pelt: [0.657, 0.73], bocpd: [0.609, 0.672], zero: [0.489, 0.436] },
  well_log: { binseg: [0.534, 0.695], pelt: [0.555, 0.679], bocpd: [0.796, 0.776], zero: [0.237, 0.225] },
};

export interface AnnotatedResult {
  readonly name: string;
  readonly length: number;
  readonly found: readonly number[];
  readonly ours: Scores;
  readonly published: PublishedScores | undefined;
}

export const METHODS = ['ours', 'binseg', 'pelt', 'bocpd', 'zero'] as const;
type Method = (typeof METHODS)[number];

/** Scores a detector, by default ours, on every series file of a folder, by name. */
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
export const scoreAll = (result: AnnotatedResult, method: Method): Scores | undefined =>
  method === 'ours' ? result.ours : result.published?.[method];

/** Mean scores of a method over the series on which binseg, the method to match, has been published. */
export function meanScores(results: readonly AnnotatedResult[], method: Method): Scores {
  const scores = results
    .filter(({ published }) => published?.binseg !== undefined)
    .flatMap((result) => {
      const own = scoreAll(result, method);
      return own ? [own] : [];
    });
  return [mean(scores.map(([f1]) => f1)), mean(scores.map(([, cover]) => cover))];
}
