/** The ports on the map: a circle each, or one for a crowd of them, with a name where there is room. */
import type { ZoomTransform } from 'd3-zoom';
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { moveStyle, type ScoreLines, scoreClasses, scoreStyle } from '../view/score-class.ts';
import { fieldName, isStill, scoreText } from '../view/text.ts';
import type { Cluster, MapPort } from './clusters.ts';
import { type Point, project, WORLD } from './projection.ts';

// What colours, sizes, rings and arrows of the map mean.

const SMALLEST = 4.5;
const LARGEST = 20;
/** The area grows with the vessels. */
const PER_ROOT_VESSEL = 2.4;
/** Returns the radius of a port's circle, in screen pixels, for its number of vessels at anchor. */
const circleRadius = (atAnchor: number): number =>
  Math.min(LARGEST, SMALLEST + PER_ROOT_VESSEL * Math.sqrt(atAnchor));

const SIZES = [0, 10, 30] as const;

function circle(atAnchor: number): TemplateResult {
  const radius = circleRadius(atAnchor);
  const side = 2 * radius + 2;
  return html`<svg class="legend-circle" width=${side} height=${side} aria-hidden="true"><circle cx=${side / 2} cy=${side / 2} r=${radius}></circle></svg>`;
}

export function scoreLegend(lines: ScoreLines): TemplateResult {
  const classes = scoreClasses(lines);
  const colours = classes.map(({ rank, label, from }, i) => {
    const to = classes[i + 1]?.from;
    const range = to === undefined ? `≥ ${from}` : `${from}–${to}`;
    return html`<li><span class="swatch score-${rank}"></span>${label} <b>${range}</b></li>`;
  });
  return html`<div class="legends">
    <ul class="legend" aria-label="Colours">
      <li>${fieldName('congestion_score', 'Congestion score')}</li>${colours}
      <li><span class="swatch score-stopped"></span>stopped</li>
    </ul>
    <ul class="legend" aria-label="Sizes and signs">
      <li>${fieldName('at_anchor', 'Vessels at anchor')}</li>
      ${SIZES.map((count) => html`<li>${circle(count)}${count}</li>`)}
      <li><span class="swatch swatch-ring"></span>can be read, nothing held</li>
      <li><span class="arrow-up">▲</span><span class="arrow-down">▼</span> change in 7 days</li>
    </ul>
  </div>`;
}

type Mark = MapPort | Cluster;

/** Screen pixels of the map. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

interface Labelled {
  readonly label: string;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** Its label may stand below the mark, where neither side has room. */
  readonly isSeason?: boolean;
}

/** Width of a letter: the widest of the fonts that systems have for the pages. */
const GLYPH = 7.5;
const HEIGHT = 16;
/** Between a mark and its label. */
const LABEL_GAP = 8;

/** From the edge of a mark to the middle of a label below it: clear of a larger mark beside this one. */
const BELOW = 18;

const labelWidth = ({ label }: Labelled): number => label.length * GLYPH;

/** Where the middle of a label below a mark lies, so that the label stays within the width of the map. */
const middleBelow = (mark: Labelled, mapWidth: number): number =>
  Math.max(labelWidth(mark) / 2, Math.min(mark.x, mapWidth - labelWidth(mark) / 2));

function labelBox(mark: Labelled, side: Side, mapWidth: number): Box {
  const { x, y, radius } = mark;
  const width = labelWidth(mark);
  if (side === 'below') {
    const [middle, centre] = [middleBelow(mark, mapWidth), y + radius + BELOW];
    return {
      left: middle - width / 2,
      right: middle + width / 2,
      top: centre - HEIGHT / 2,
      bottom: centre + HEIGHT / 2,
    };
  }
  const left = side === 'left' ? x - radius - LABEL_GAP - width : x + radius + LABEL_GAP;
  return { left, right: left + width, top: y - HEIGHT / 2, bottom: y + HEIGHT / 2 };
}

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

type Side = 'left' | 'right' | 'below';

/** The side of each mark on which its label stands, first come, first served; undefined for one without room. `over`: what lies over the map. */
export function placeLabels(
  marks: readonly Labelled[],
  width: number,
  over: readonly Box[] = [],
): (Side | undefined)[] {
  const taken = marks.map(
    ({ x, y, radius }): Box => ({ left: x - radius, right: x + radius, top: y - radius, bottom: y + radius }),
  );
  taken.push(...over);
  return marks.map((mark, own) => {
    const hasRoom = (side: Side): boolean => {
      const box = labelBox(mark, side, width);
      const isWithin = box.left >= 0 && box.right <= width;
      return isWithin && !taken.some((other, i) => i !== own && overlap(box, other));
    };
    const sides: readonly Side[] = mark.isSeason ? ['right', 'left', 'below'] : ['right', 'left'];
    const side = sides.find(hasRoom);
    if (side !== undefined) taken.push(labelBox(mark, side, width));
    return side;
  });
}

interface Drawing {
  /** From the drawing of the whole world to what is shown of it. */
  readonly view: ZoomTransform;
  /** Units of the drawing to a screen pixel: marks and labels keep their size on a map of any width. */
  readonly unit: number;
  readonly lines: ScoreLines;
  readonly selected: string | undefined;
  readonly over: readonly Box[];
  readonly choose: (mark: Mark) => void;
}

/** Large enough to tap: a finger is wider than a small circle. */
const TARGET = 15;
/** Radius of the mark of a port without data, and of the area that takes a click. */
const UNHELD_RADIUS = 2.5;
const UNHELD_TARGET = 6;
/** A crowd is wide enough for its number. */
const CROWD_RADIUS = 10;

const isCluster = (mark: Mark): mark is Cluster => 'cluster' in mark;
const isUnheld = ({ congestion_score: score }: Mark): boolean => score === null;

function labelText(mark: Mark): string {
  if (isCluster(mark)) return `${mark.name} and ${mark.point_count - 1} more`;
  if (mark.stopped_since !== null) return `${mark.name} stopped`;
  if (mark.congestion_score === null) return mark.name;
  return `${mark.name} ${scoreText(mark.congestion_score)}${mark.dated === undefined ? '' : `, ${mark.dated}`}`;
}

interface PlacedMark extends Labelled {
  readonly mark: Mark;
  readonly isSelected: boolean;
  /** In units of the drawing. */
  readonly at: Point;
}

function place(mark: Mark, { view, unit, selected }: Drawing): PlacedMark {
  const { x, y } = project(mark);
  const at = { x: view.applyX(x), y: view.applyY(y) };
  const radius = isUnheld(mark)
    ? UNHELD_RADIUS
    : Math.max(circleRadius(mark.at_anchor ?? 0), isCluster(mark) ? CROWD_RADIUS : 0);
  const isSelected = !isCluster(mark) && mark.port === selected;
  return {
    mark,
    isSelected,
    at,
    x: at.x / unit,
    y: at.y / unit,
    radius,
    label: labelText(mark),
    isSeason: isSeason(mark),
  };
}

function titleText(mark: Mark): string {
  const waiting = `${mark.stopped_since === null ? '' : 'stopped, '}${mark.at_anchor ?? 0} at anchor`;
  if (isCluster(mark)) return `${mark.point_count} ports around ${mark.name}, ${waiting}`;
  if (mark.absence !== undefined) return `${mark.name}, ${mark.port}: ${mark.absence}`;
  return `${mark.name}, ${mark.port}, ${waiting}${mark.dated === undefined ? '' : `, of ${mark.dated}`}`;
}

/** As on the sign at a road that is closed. */
const stopBar = (radius: number): TemplateResult => svg`<rect class="stop-bar" x=${(-0.6 * radius).toFixed(1)}
  y=${(-0.17 * radius).toFixed(1)} width=${(1.2 * radius).toFixed(1)} height=${(0.34 * radius).toFixed(1)}></rect>`;

/** A circle in the colour of the score, a bar where berthings have stopped; a small ring where nothing is held. */
function circles({ mark, radius }: PlacedMark, lines: ScoreLines): TemplateResult {
  const isStopped = mark.stopped_since !== null;
  const style = isUnheld(mark) ? 'unheld' : `dot ${scoreStyle(mark.congestion_score, lines, isStopped)}`;
  return svg`<circle class=${style} r=${radius.toFixed(1)}><title>${titleText(mark)}</title></circle>${
    isStopped && !isCluster(mark) ? stopBar(radius) : nothing
  }`;
}

/** Up where the score has risen within the week, down where it has fallen; nothing where it stands or the port is stopped. */
function arrow(port: MapPort, radius: number, lines: ScoreLines): unknown {
  const { congestion_score: score, congestion_score_change: change, stopped_since: since } = port;
  if (since !== null || change === null || isStill(change)) return nothing;
  const style = `week-${moveStyle(change, score, lines, false)}`;
  const path = change > 0 ? 'M-4 3L0-4L4 3Z' : 'M-4-3L0 4L4-3Z';
  const offset = (radius * 0.75 + 3).toFixed(1);
  return svg`<path class=${style} d=${path} transform="translate(${offset} -${offset})"></path>`;
}

function nameBeside(side: Side | undefined, mark: PlacedMark, mapWidth: number): unknown {
  const { radius, label } = mark;
  if (side === undefined) return nothing;
  if (side === 'below') {
    const x = (middleBelow(mark, mapWidth) - mark.x).toFixed(1);
    return svg`<text class="port-label" x=${x} y=${radius + BELOW + 4} text-anchor="middle">${label}</text>`;
  }
  const x = radius + LABEL_GAP;
  return side === 'right'
    ? svg`<text class="port-label" x=${x} y="4" text-anchor="start">${label}</text>`
    : svg`<text class="port-label" x=${-x} y="4" text-anchor="end">${label}</text>`;
}

function drawMark(placed: PlacedMark, side: Side | undefined, drawing: Drawing): TemplateResult {
  const { mark, isSelected, at, radius } = placed;
  const place = `translate(${at.x.toFixed(2)} ${at.y.toFixed(2)}) scale(${drawing.unit.toFixed(4)})`;
  // There are hundreds of them: they have no parts that could change.
  if (isUnheld(mark) && !isSelected)
    return svg`<g class="port-mark" transform=${place} @click=${() => drawing.choose(mark)}><circle class="target" r=${UNHELD_TARGET}></circle><circle class="unheld" r=${UNHELD_RADIUS}><title>${titleText(mark)}</title></circle></g>`;
  const style = `${isCluster(mark) ? 'cluster-mark' : 'port-mark'}${isSelected ? ' selected' : ''}${isSeason(mark) ? ' season-mark' : ''}`;
  return svg`<g class=${style} transform=${place} @click=${() => drawing.choose(mark)}>
    <circle class="target" r=${Math.max(TARGET, radius)}></circle>
    ${isSelected ? svg`<circle class="halo" r=${radius + 4}></circle>` : nothing}
    ${circles(placed, drawing.lines)}
    ${
      isCluster(mark)
        ? svg`<text class="cluster-count" y="4" text-anchor="middle">${mark.point_count}</text>`
        : arrow(mark, radius, drawing.lines)
    }${nameBeside(side, placed, WORLD.width / drawing.unit)}
  </g>`;
}

const isSeason = (mark: Mark): boolean => !isCluster(mark) && mark.isSeason;

/** The order in which marks are given room for a label: the selected port, seasons, stopped ones, then large before small. */
const byImportance = (a: PlacedMark, b: PlacedMark): number =>
  Number(b.isSelected) - Number(a.isSelected) ||
  Number(isSeason(b.mark)) - Number(isSeason(a.mark)) ||
  Number(b.mark.stopped_since !== null) - Number(a.mark.stopped_since !== null) ||
  (b.mark.in_port ?? 0) - (a.mark.in_port ?? 0);

/** From back to front: rings, then large before small, and the selected port. */
const byDepth = (a: PlacedMark, b: PlacedMark): number =>
  Number(a.isSelected) - Number(b.isSelected) ||
  Number(isUnheld(b.mark)) - Number(isUnheld(a.mark)) ||
  b.radius - a.radius;

export function portMarks(marks: readonly Mark[], drawing: Drawing): TemplateResult[] {
  const placed = marks.map((mark) => place(mark, drawing)).sort(byImportance);
  // Hundreds of names would be no map: a ring has one when it is chosen.
  const labelled = placed.filter(({ mark, isSelected }) => !isUnheld(mark) || isSelected);
  const sides = placeLabels(labelled, WORLD.width / drawing.unit, drawing.over);
  const sideOf = new Map(labelled.map((mark, i) => [mark, sides[i]]));
  return placed.toSorted(byDepth).map((mark) => drawMark(mark, sideOf.get(mark), drawing));
}
