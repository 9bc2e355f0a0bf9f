/** Five classes of the congestion score, divided at the lines of the alerts, so that colours and alerts agree. */

/** Figures at or above which the score is low, medium and highly alarming. */
export interface ScoreLines {
  readonly low: number;
  readonly medium: number;
  readonly high: number;
}

export interface ScoreClass {
  /** 0 (small) to 4; names the colour in the style sheets. */
  readonly rank: number;
  readonly label: string;
  readonly from: number;
}

const LABELS = ['small', 'ordinary', 'raised', 'heavy', 'severe'] as const;

/** Ascending. */
export const scoreClasses = ({ low, medium, high }: ScoreLines): readonly ScoreClass[] =>
  [0, low / 2, low, medium, high].map((from, rank) => ({ rank, from, label: LABELS[rank] ?? '' }));

/** The class of `score`. */
export function scoreClass(score: number, lines: ScoreLines): ScoreClass {
  const classes = scoreClasses(lines);
  return classes.findLast(({ from }) => score >= from) ?? (classes[0] as ScoreClass);
}

/** The class of the style sheets in whose colour a port or a day is drawn: a stop goes before every class of the score. */
export function scoreStyle(score: number | null | undefined, lines: ScoreLines, isStopped: boolean): string {
  if (isStopped) return 'score-stopped';
  return `score-${score === null || score === undefined ? 'none' : scoreClass(score, lines).rank}`;
}

/** Whether a fall of the score is good news: not at a stopped port, and not while the score stays at a line of the alerts. */
export const isRelief = (score: number | null | undefined, lines: ScoreLines, isStopped: boolean): boolean =>
  !isStopped && (score ?? 0) < lines.low;
