/** Recomputes the figures that a change-point alert states, from the rows of the trend as they are served. */
import { addDays, type Day, dayOf, type Instant } from '../../core/reference/time.ts';

const FORM = new RegExp(
  '^(?<metric>\\w+) moved from (?<before>[\\d.]+) to (?<after>[\\d.]+) ' +
    '\\((?<percent>[+-]\\d+)%(?<more> or more)?\\) around (?<day>\\d{4}-\\d\\d-\\d\\d): ' +
    '(?<rowsBefore>\\d+)-day median before, (?<rowsAfter>\\d+)-day median after\\.$',
);

export interface StatedChange {
  readonly metric: string;
  readonly before: number;
  readonly after: number;
  readonly percent: number;
  /** Whether the percentage is only the least that the figures give. */
  readonly orMore: boolean;
  /** First day of the new level. */
  readonly day: Day;
  readonly rowsBefore: number;
  readonly rowsAfter: number;
}

/** Reads the line of a change-point alert. Throws when it has another form. */
export function statedChange(explain: string): StatedChange {
  const groups = FORM.exec(explain)?.groups;
  if (groups === undefined) throw new Error(`not the line of a change point: ${explain}`);
  const { metric = '', day = '', before, after, percent, more, rowsBefore, rowsAfter } = groups;
  return {
    metric,
    before: Number(before),
    after: Number(after),
    percent: Number(percent),
    orMore: more !== undefined,
    day,
    rowsBefore: Number(rowsBefore),
    rowsAfter: Number(rowsAfter),
  };
}

export interface TrendFigure {
  readonly day: Day;
  readonly figure: number;
}

function middleOf(figures: readonly number[]): number {
  const ascending = [...figures].sort((a, b) => a - b);
  const half = ascending.length / 2;
  const middle = ascending.slice(Math.ceil(half) - 1, Math.floor(half) + 1);
  return middle.reduce((sum, figure) => sum + figure, 0) / middle.length;
}

/**
 * Both medians of `stated`, from the rows of a trend (oldest first) and `as_of`: the rows that end on the eve of the
 * change, and those from its seventh day to the last day used. Unrounded.
 */
export function recomputed(stated: StatedChange, trend: readonly TrendFigure[], asOfAt: Instant) {
  const lastDay = dayOf(asOfAt - 1);
  const figuresOf = (rows: readonly TrendFigure[]): number[] => rows.map(({ figure }) => figure);
  const before = figuresOf(trend.filter(({ day }) => day < stated.day)).slice(-stated.rowsBefore);
  const firstWholly = addDays(stated.day, 6);
  const after = figuresOf(trend.filter(({ day }) => day >= firstWholly && day <= lastDay));
  return {
    before: middleOf(before),
    after: middleOf(after),
    rowsBefore: before.length,
    rowsAfter: after.length,
  };
}
