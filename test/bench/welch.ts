/** Welch's t: whether two sets of samples have different means, whatever their spreads. */

function moments(values: ArrayLike<number>): { mean: number; error: number } {
  let [mean, squares] = [0, 0];
  // Welford's update: no large sums that cancel.
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? 0;
    const before = value - mean;
    mean += before / (index + 1);
    squares += before * (value - mean);
  }
  return { mean, error: squares / (values.length - 1) / values.length };
}

/** t of the difference of the means; beyond 4.5 either way the sets differ (the TVLA threshold). */
export function welchT(one: ArrayLike<number>, other: ArrayLike<number>): number {
  const [first, second] = [moments(one), moments(other)];
  return (first.mean - second.mean) / Math.sqrt(first.error + second.error);
}
