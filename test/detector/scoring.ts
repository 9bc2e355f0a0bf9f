/**
 * F1 and cover of predicted change points against the marks of several people, as van den Burg and Williams (2020)
 * define them and TCPDBench (from its version 2 on) computes them. Indices are zero-based first observations.
 */

/** A predicted point confirms a mark when they are at most this many observations apart. */
const MARGIN = 5;

const ascending = (indices: Iterable<number>): number[] => [...new Set(indices)].sort((a, b) => a - b);

/** Index 0 belongs to every set, so that none is empty. */
const withOrigin = (indices: readonly number[]): number[] => ascending([0, ...indices]);

/** How many of `marks` are confirmed: from left to right, each by the nearest point that is free, the earlier of two. */
function confirmed(marks: readonly number[], points: readonly number[]): number {
  const free = new Set(points);
  let count = 0;
  for (const mark of marks) {
    const near = [...free]
      .filter((point) => Math.abs(point - mark) <= MARGIN)
      .sort((a, b) => Math.abs(a - mark) - Math.abs(b - mark) || a - b)[0];
    if (near === undefined) continue;
    free.delete(near);
    count += 1;
  }
  return count;
}

/** Harmonic mean of precision over the pooled marks and recall averaged over the annotators. */
export function f1Score(annotations: readonly (readonly number[])[], predicted: readonly number[]): number {
  const points = withOrigin(predicted);
  const marks = annotations.map(withOrigin);
  const precision = confirmed(ascending(marks.flat()), points) / points.length;
  const recall = mean(marks.map((own) => confirmed(own, points) / own.length));
  return (2 * precision * recall) / (precision + recall);
}

type Segment = readonly [from: number, to: number];

function toSegments(changes: readonly number[], length: number): Segment[] {
  const bounds = [...withOrigin(changes), length];
  return bounds.slice(1).map((to, i) => [bounds[i] ?? 0, to]);
}

/** Intersection over union of two sets of observations. */
function jaccard([from, to]: Segment, [otherFrom, otherTo]: Segment): number {
  const common = Math.max(0, Math.min(to, otherTo) - Math.max(from, otherFrom));
  return common / (to - from + otherTo - otherFrom - common);
}

/** How well the predicted segments cover those of the annotators, weighted by length; mean over the annotators. */
export function coverScore(
  annotations: readonly (readonly number[])[],
  predicted: readonly number[],
  length: number,
): number {
  const segments = toSegments(predicted, length);
  return mean(
    annotations.map((own) =>
      toSegments(own, length).reduce(
        (sum, segment) =>
          sum +
          ((segment[1] - segment[0]) / length) *
            Math.max(...segments.map((other) => jaccard(segment, other))),
        0,
      ),
    ),
  );
}

/** Plain mean; NaN when empty. */
export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
