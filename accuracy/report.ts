/** The accuracy page: sections between markers; a run rewrites those that it could measure. */

/** One measured part of the page. */
export interface Section {
  /** Names the markers and the plot's file. */
  readonly id: string;
  readonly title: string;
  /** Markdown without the heading. */
  readonly body: string;
  /** A stand-alone SVG document. */
  readonly plot: string;
  /** Text alternative of the plot. */
  readonly plotText: string;
}

/** A section that could not be measured, and why. */
export interface Skipped {
  readonly id: string;
  readonly title: string;
  readonly reason: string;
}

export const isSkipped = (part: Section | Skipped): part is Skipped => 'reason' in part;

/** A table in Markdown; numbers are right-aligned by the caller's choice of text. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(header), `|${'---|'.repeat(header.length)}`, ...rows.map(line)].join('\n');
}

const start = (id: string): string => `<!-- begin ${id} -->`;
const end = (id: string): string => `<!-- end ${id} -->`;

function blockOf({ id, title, body, plotText }: Section): string {
  return `${start(id)}\n## ${title}\n\n${body}\n\n![${plotText}](accuracy/${id}.svg)\n${end(id)}`;
}

/** The block of a section in the page, markers included; undefined when the page has none. */
function blockIn(page: string, id: string): string | undefined {
  const from = page.indexOf(start(id));
  const to = page.indexOf(end(id));
  return from < 0 || to < from ? undefined : page.slice(from, to + end(id).length);
}

/** The whole page: measured parts are replaced; skipped ones stay as in `previous`, or say that they are missing. */
export function writePage(head: string, parts: readonly (Section | Skipped)[], previous: string): string {
  const blocks = parts.map((part) => {
    if (!isSkipped(part)) return blockOf(part);
    const missing = `${start(part.id)}\n## ${part.title}\n\nNot measured yet: ${part.reason}\n${end(part.id)}`;
    return blockIn(previous, part.id) ?? missing;
  });
  return `${[head, ...blocks].join('\n\n')}\n`;
}
