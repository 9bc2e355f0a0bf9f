/** A measured figure as it is printed and kept: a value with its unit, what it is compared with, and its goal. */

export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** What a ratio is to, or what else one must know to read the value. */
  readonly against?: string;
  /** Where a promise was made of it. */
  readonly atMost?: number;
  readonly atLeast?: number;
}

const DECIMALS = 4;

/** Enough digits for the value's size, and no more. */
export const roundedFigure = (value: number): number =>
  Number(Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(DECIMALS));

/** Whether the goal was reached; true without one. */
export const isKept = ({
  value,
  atMost = Number.POSITIVE_INFINITY,
  atLeast = Number.NEGATIVE_INFINITY,
}: Figure): boolean => value <= atMost && value >= atLeast;

function goalOf(figure: Figure): string {
  const { atMost, atLeast } = figure;
  if (atMost === undefined && atLeast === undefined) return '';
  const goal = atMost === undefined ? `at least ${atLeast}` : `at most ${atMost}`;
  return `${goal}: ${isKept(figure) ? 'kept' : 'MISSED'}`;
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
