/** A measured figure as it is printed and recorded: a value with its unit, its reference and its goal. */

export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** The reference of a ratio, or a note that the value needs. */
  readonly against?: string;
  /** Where the figure has a target. */
  readonly atMost?: number;
  readonly atLeast?: number;
}

const DECIMALS = 4;

/** Digits that suit the value's size. */
const roundedFigure = (value: number): number =>
  Number(Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(DECIMALS));

/** Whether the goal was reached; true without one. */
export const meetsGoal = ({
  value,
  atMost = Number.POSITIVE_INFINITY,
  atLeast = Number.NEGATIVE_INFINITY,
}: Figure): boolean => value <= atMost && value >= atLeast;

function goalOf(figure: Figure): string {
  const { atMost, atLeast } = figure;
  if (atMost === undefined && atLeast === undefined) return '';
  const goal = atMost === undefined ? `at least ${atLeast}` : `at most ${atMost}`;
  return `${goal}: ${meetsGoal(figure) ? 'met' : 'MISSED'}`;
}

/** The figures as a table of Markdown, the columns filled up so that it reads as plain text as well. */
export function figureTable(figures: readonly Figure[]): string {
  const rows = [
    ['Figure', 'Value', 'Compared with', 'Goal'],
    ...figures.map((figure) => [
      figure.what,
      `${roundedFigure(figure.value)} ${figure.unit}`.trim(),
      figure.against ?? '',
      goalOf(figure),
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  );
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}
