/** The straight line through samples, and how sure its slope is. */

export interface Sample {
  readonly x: number;
  readonly y: number;
}

export interface TrendLine {
  /** Change of y for one of x, by ordinary least squares. */
  readonly slope: number;
  /** Standard error of the slope. */
  readonly error: number;
}

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

/** Throws for fewer than three samples, or samples all of one x. */
export function trendLine(samples: readonly Sample[]): TrendLine {
  const [middleX, middleY] = [mean(samples.map(({ x }) => x)), mean(samples.map(({ y }) => y))];
  const spread = samples.reduce((sum, { x }) => sum + (x - middleX) ** 2, 0);
  if (samples.length < 3 || spread === 0) throw new Error(`no line through ${samples.length} samples`);
  const slope = samples.reduce((sum, { x, y }) => sum + (x - middleX) * (y - middleY), 0) / spread;
  const residuals = samples.reduce((sum, { x, y }) => sum + (y - middleY - slope * (x - middleX)) ** 2, 0);
  return { slope, error: Math.sqrt(residuals / (samples.length - 2) / spread) };
}
