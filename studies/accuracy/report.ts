/** The accuracy page: its measured sections, and tables beside it. */
import { readFileSync, writeFileSync } from 'node:fs';

/** A table of JSON beside the page: the page links to it, and the portal shows it in the place of the link. */
export interface FullTable {
  /** Names the file. */
  readonly name: string;
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const TABLES = new URL('../../docs/accuracy/', import.meta.url);

/** A paragraph of a page: the link to the table. */
export const tableLink = ({ name, title }: FullTable): string => `[${title}](accuracy/${name}.json)`;

/** Writes the file of the table, a line for each row. */
export function writeTable({ name, title, columns, rows }: FullTable): void {
  const head = [title, columns].map((value) => JSON.stringify(value));
  const lines = rows.map((row) => JSON.stringify(row)).join(',\n');
  writeFileSync(
    new URL(`${name}.json`, TABLES),
    `{"title":${head[0]},"columns":${head[1]},"rows":[\n${lines}\n]}\n`,
  );
}

/** The table as `writeTable` wrote it. */
export const readTable = (name: string): FullTable => ({
  name,
  ...(JSON.parse(readFileSync(new URL(`${name}.json`, TABLES), 'utf8')) as Omit<FullTable, 'name'>),
});

/** One measured part of the page. */
export interface Section {
  /** Names the plot's file. */
  readonly id: string;
  readonly title: string;
  /** Markdown without the heading. */
  readonly body: string;
  /** Tables that the body links to. */
  readonly tables?: readonly FullTable[];
  /** A stand-alone SVG document. */
  readonly plot: string;
  /** Text alternative of the plot. */
  readonly plotText: string;
}

/** A table in Markdown, which stands in the page. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => cells.join(' | ');
  return [line(header), header.map(() => '---').join('|'), ...rows.map(line)].join('\n');
}

function block({ id, title, body, plotText }: Section): string {
  return `## ${title}\n\n${body}\n\n![${plotText}](accuracy/${id}.svg)`;
}

/**
 * The page with these sections in the places of their former figures; everything else stays. Throws `RangeError` for a
 * section that the page does not have.
 */
export function withSections(page: string, sections: readonly Section[]): string {
  const parts = page.trimEnd().split(/\n\n(?=## )/);
  for (const section of sections) {
    const at = parts.findIndex((part) => part.includes(`](accuracy/${section.id}.svg)`));
    if (at < 0) throw new RangeError(`the page has no section ${section.id}`);
    parts[at] = block(section);
  }
  return `${parts.join('\n\n')}\n`;
}

// Small line and dot plots as SVG text: no dependency, equal data give equal bytes. The
// colours suit a light page; a page that includes the SVG can set others by the classes.

type Point = readonly [x: number, y: number];

interface Curve {
  readonly name: string;
  readonly points: readonly Point[];
  /** Dots for single measurements, a line for a time series, an area for a band: along its upper end and back along the lower. */
  readonly style: 'line' | 'dots' | 'area';
}

export interface Plot {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly curves: readonly Curve[];
  /** Names at x = 0, 1, 2 and so on, instead of numbers. */
  readonly categories?: readonly string[];
  /** Horizontal dashed lines, with a name. */
  readonly levels?: readonly { readonly y: number; readonly name: string }[];
  /** Vertical dashed lines, with a name. */
  readonly marks?: readonly { readonly x: number; readonly name: string }[];
}

const WIDTH = 760;
const HEIGHT = 380;
const LEFT = 62;
const RIGHT = 20;
const TOP = 64;
const TICKS = 5;
/** Okabe and Ito's colours, which colour-blind readers can distinguish. */
const COLOURS = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00'];

const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const short = (value: number): string => String(Number(value.toFixed(2)));

/** A round step that gives about `TICKS` ticks over `span`. */
function tickStep(span: number): number {
  const rough = span / TICKS;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5, 10].find((factor) => factor * magnitude >= rough) ?? 10) * magnitude;
}

function ticks(from: number, to: number): number[] {
  const step = tickStep(to - from);
  const first = Math.ceil(from / step - 1e-9);
  return Array.from({ length: Math.floor(to / step + 1e-9) - first + 1 }, (_, i) => (first + i) * step);
}

/** The plot as a stand-alone SVG document. Throws `RangeError` when there is no point. */
export function svgPlot(plot: Plot): string {
  const { categories, levels = [], marks = [] } = plot;
  const points = plot.curves.flatMap((curve) => curve.points);
  if (points.length === 0) throw new RangeError(`${plot.title}: nothing to plot`);
  const bottom = categories ? 110 : 50;
  const xs = categories ? [-0.5, categories.length - 0.5] : points.map(([x]) => x);
  const ys = [0, ...points.map(([, y]) => y), ...levels.map(({ y }) => y)];
  const [xMin, xMax, yMin, yMax] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const x = (value: number): string =>
    short(LEFT + ((value - xMin) / (xMax - xMin || 1)) * (WIDTH - LEFT - RIGHT));
  const y = (value: number): string =>
    short(TOP + (1 - (value - yMin) / (yMax - yMin || 1)) * (HEIGHT - TOP - bottom));
  const text = (at: readonly [string | number, string | number], words: string, more = ''): string =>
    `<text x="${at[0]}" y="${at[1]}" ${more}>${escaped(words)}</text>`;
  const line = (from: readonly [string, string], to: readonly [string, string], look: string): string =>
    `<line x1="${from[0]}" y1="${from[1]}" x2="${to[0]}" y2="${to[1]}" ${look}/>`;

  const body: string[] = [text([LEFT, 20], plot.title, 'font-weight="bold" font-size="14"')];
  for (const tick of ticks(yMin, yMax)) {
    body.push(line([x(xMin), y(tick)], [x(xMax), y(tick)], 'class="grid" stroke="#ccc"'));
    body.push(text([LEFT - 8, Number(y(tick)) + 4], short(tick), 'text-anchor="end"'));
  }
  const foot = HEIGHT - bottom + 18;
  if (categories) {
    for (const [i, name] of categories.entries()) {
      const place = `text-anchor="end" transform="rotate(-35 ${x(i)} ${foot})"`;
      body.push(text([x(i), foot], name, place));
    }
  } else {
    for (const tick of ticks(xMin, xMax))
      body.push(text([x(tick), foot], short(tick), 'text-anchor="middle"'));
  }
  body.push(text([(LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8], plot.xLabel, 'text-anchor="middle"'));
  const middle = (TOP + HEIGHT - bottom) / 2;
  body.push(text([16, middle], plot.yLabel, `text-anchor="middle" transform="rotate(-90 16 ${middle})"`));
  for (const level of levels) {
    body.push(
      line(
        [x(xMin), y(level.y)],
        [x(xMax), y(level.y)],
        'class="level" stroke="#555" stroke-dasharray="6 4"',
      ),
    );
    body.push(text([x(xMax), Number(y(level.y)) - 5], level.name, 'text-anchor="end"'));
  }
  for (const mark of marks) {
    body.push(
      line([x(mark.x), y(yMin)], [x(mark.x), y(yMax)], 'class="level" stroke="#555" stroke-dasharray="6 4"'),
    );
    body.push(text([Number(x(mark.x)) + 5, TOP + 10], mark.name));
  }
  for (const [i, curve] of plot.curves.entries()) {
    const colour = COLOURS[i % COLOURS.length] ?? '#000';
    const legendX = LEFT + i * 165;
    body.push(`<rect x="${legendX}" y="32" width="12" height="12" fill="${colour}"/>`);
    body.push(text([legendX + 17, 42], curve.name));
    const path = curve.points.map(([px, py]) => `${x(px)},${y(py)}`).join(' ');
    if (curve.style === 'area') {
      body.push(`<polygon points="${path}" fill="${colour}" fill-opacity="0.3"/>`);
    } else if (curve.style === 'line') {
      body.push(`<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`);
    } else {
      for (const [px, py] of curve.points) {
        body.push(`<circle cx="${x(px)}" cy="${y(py)}" r="4.5" fill="${colour}" fill-opacity="0.8"/>`);
      }
    }
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" font-family="sans-serif" font-size="12">`,
    `<title>${escaped(plot.title)}</title>`,
    `<rect class="paper" width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    ...body,
    '</svg>\n',
  ].join('\n');
}
