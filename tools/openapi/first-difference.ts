/** The first difference between two texts, in readable form. */

/** The first line that differs, as `file:line` with both sides; undefined when the texts are equal. */
export function firstDifference(name: string, committed: string, generated: string): string | undefined {
  if (committed === generated) return undefined;
  const [left, right] = [committed.split('\n'), generated.split('\n')];
  const at = left.findIndex((line, index) => line !== right[index]);
  const index = at === -1 ? left.length : at;
  const side = (lines: readonly string[]): string => lines[index] ?? '(end of file)';
  return `${name}:${index + 1}\n  committed: ${side(left)}\n  generated: ${side(right)}`;
}
