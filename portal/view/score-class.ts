/** Five classes of the congestion score, divided at the lines of the alerts, so that colours and alerts agree. */

/** Figures at or above which the score is low, medium and highly alarming. */
export interface ScoreLines {
  readonly low: number;
  readonly medium: number;
  readonly high: number;
}

interface ScoreClass {
  /** 0 (small) to 4; names the colour in the style sheets. */
  readonly rank: number;
  readonly label: string;
  readonly from: number;
}

const LABELS = ['small', 'ordinary', 'raised', 'heavy', 'severe'] as const;

export const scoreClasses = ({ low, medium, high }: ScoreLines): readonly ScoreClass[] =>
  [0, low / 2, low, medium, high].map((from, rank) => ({ rank, from, label: LABELS[rank] ?? '' }));

export function scoreClass(score: number, lines: ScoreLines): ScoreClass {
  const classes = scoreClasses(lines);
  return classes.findLast(({ from }) => score >= from) ?? (classes[0] as ScoreClass);
}

/** The class of the style sheets in whose colour a port or a day is drawn: a stop goes before every class of the score. */
export function scoreStyle(score: number | null, lines: ScoreLines, isStopped: boolean): string {
  if (isStopped) return 'score-stopped';
  return `score-${score === null ? 'none' : scoreClass(score, lines).rank}`;
}

/** How a score that has moved is drawn. A fall is good news (`down`), except at a stopped port and while the score stays at a line of the alerts. */
export function moveStyle(
  moved: number,
  score: number | null,
  lines: ScoreLines,
  isStopped: boolean,
): 'up' | 'down' | 'still' {
  if (moved > 0) return 'up';
  return !isStopped && (score ?? 0) < lines.low ? 'down' : 'still';
}
