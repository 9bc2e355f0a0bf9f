/** The ports on the map: a circle each, or one for a crowd of them, with a name where there is room. */
import type { ZoomTransform } from 'd3-zoom';
import { nothing, svg, type TemplateResult } from 'lit-html';
import { isRelief, type ScoreLines, scoreStyle } from '../view/score-class.ts';
import { isStill, scoreText } from '../view/text.ts';
import { circleRadius } from './circle-size.ts';
import type { Cluster, MapPort } from './clusters.ts';
import { type Point, project, WORLD } from './projection.ts';

// Which marks have room for a label: first come, first served, none over another.

interface Labelled {
  readonly text: string;
  /** Screen pixels. */
  readonly x: number;
  readonly y: number;
  /** Radius of the mark, screen pixels. */
  readonly radius: number;
}

/** Widest of the fonts that systems have for the pages. */
const GLYPH = 7.5;
const HEIGHT = 16;
/** Between a mark and its label. */
const LABEL_GAP = 8;

/** Screen pixels of the map. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const labelBox = ({ text, x, y, radius }: Labelled, toLeft: boolean): Box => {
  const width = text.length * GLYPH;
  const left = toLeft ? x - radius - LABEL_GAP - width : x + radius + LABEL_GAP;
  return { left, right: left + width, top: y - HEIGHT / 2, bottom: y + HEIGHT / 2 };
};

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

type Side = 'left' | 'right';

/** The side of each point on which its label stands; undefined for one without room. `over`: what lies over the map. */
export function placeLabels(
  points: readonly Labelled[],
  width: number,
  over: readonly Box[] = [],
): (Side | undefined)[] {
  const marks: Box[] = points.map(({ x, y, radius }) => ({
    left: x - radius,
    right: x + radius,
    top: y - radius,
    bottom: y + radius,
  }));
  const taken = [...marks, ...over];
  return points.map((point, own) => {
    for (const side of ['right', 'left'] as const) {
      const box = labelBox(point, side === 'left');
      const free =
        box.left >= 0 && box.right <= width && !taken.some((other, i) => i !== own && overlap(box, other));
      if (free) {
        taken.push(box);
        return side;
      }
    }
    return undefined;
  });
}

/** Settings that all marks of one drawing share. */
interface Drawing {
  /** From the drawing of the whole world to what is shown of it. */
  readonly view: ZoomTransform;
  /** Units of the drawing to a screen pixel: marks and labels keep their size on a map of any width. */
  readonly unit: number;
  readonly lines: ScoreLines;
  readonly selected: string | undefined;
  /** What lies over the map. */
  readonly over: readonly Box[];
  /** Called with a mark that was clicked. */
  readonly choose: (mark: MapPort | Cluster) => void;
}

/** Large enough to tap: a finger is wider than a small circle. */
const TARGET = 15;
/** A port of which nothing is held. */
const UNHELD_RADIUS = 2.5;
const UNHELD_TARGET = 6;

const isCluster = (mark: MapPort | Cluster): mark is Cluster => 'cluster' in mark;
const isUnheld = (mark: MapPort | Cluster): boolean => !isCluster(mark) && mark.absence !== undefined;
const isSelected = (mark: MapPort | Cluster, { selected }: Drawing): boolean =>
  !isCluster(mark) && mark.port === selected;

/** The order in which marks are given room for a label: the selected port, stopped ones, then large before small. */
const byImportance =
  (drawing: Drawing) =>
  (a: MapPort | Cluster, b: MapPort | Cluster): number =>
    Number(isSelected(b, drawing)) - Number(isSelected(a, drawing)) ||
    Number(b.isStopped) - Number(a.isStopped) ||
    b.inPort - a.inPort;

const labelText = (mark: MapPort | Cluster): string => {
  if (isCluster(mark)) return `${mark.name} and ${mark.count - 1} more`;
  if (mark.isStopped) return `${mark.name} stopped`;
  if (mark.score === undefined) return mark.name;
  return `${mark.name} ${scoreText(mark.score)}${mark.dated === undefined ? '' : `, ${mark.dated}`}`;
};

interface PlacedMark {
  readonly mark: MapPort | Cluster;
  readonly at: Point;
  readonly radius: number;
  readonly label: string;
}

/** A crowd is wide enough for its number. */
const CROWD_RADIUS = 10;

function place(mark: MapPort | Cluster, { view }: Drawing): PlacedMark {
  const { x, y } = project(mark);
  const radius = isUnheld(mark)
    ? UNHELD_RADIUS
    : Math.max(circleRadius(mark.atAnchor), isCluster(mark) ? CROWD_RADIUS : 0);
  return { mark, at: { x: view.applyX(x), y: view.applyY(y) }, radius, label: labelText(mark) };
}

function labelSides(marks: readonly PlacedMark[], { unit, over }: Drawing): (Side | undefined)[] {
  const onScreen = marks.map(({ at, radius, label }) => ({
    text: label,
    x: at.x / unit,
    y: at.y / unit,
    radius,
  }));
  return placeLabels(onScreen, WORLD.width / unit, over);
}

function titleText(mark: MapPort | Cluster): string {
  const waiting = `${mark.isStopped ? 'stopped, ' : ''}${mark.atAnchor} at anchor`;
  if (isCluster(mark)) return `${mark.count} ports around ${mark.name}, ${waiting}`;
  if (!isCluster(mark) && mark.absence !== undefined) return `${mark.name}, ${mark.port}: ${mark.absence}`;
  return `${mark.name}, ${mark.port}, ${waiting}${mark.dated === undefined ? '' : `, of ${mark.dated}`}`;
}

/** As on the sign at a road that is closed. */
const stopBar = (radius: number): TemplateResult => svg`<rect class="stop-bar" x=${(-0.6 * radius).toFixed(1)}
  y=${(-0.17 * radius).toFixed(1)} width=${(1.2 * radius).toFixed(1)} height=${(0.34 * radius).toFixed(1)}></rect>`;

/** A circle in the colour of the score, a bar where berthings have stopped; a small ring where nothing is held. */
function circles({ mark, radius }: PlacedMark, lines: ScoreLines): TemplateResult {
  const style = isUnheld(mark) ? 'unheld' : `dot ${scoreStyle(mark.score, lines, mark.isStopped)}`;
  return svg`<circle class=${style} r=${radius.toFixed(1)}><title>${titleText(mark)}</title></circle>${
    mark.isStopped && !isCluster(mark) ? stopBar(radius) : nothing
  }`;
}

/** Up where the score has risen within the week, down where it has fallen; nothing where it stands or the port is stopped. */
function arrow({ mark, radius }: PlacedMark, lines: ScoreLines): unknown {
  if (isCluster(mark) || mark.isStopped || mark.weekChange === undefined || isStill(mark.weekChange))
    return nothing;
  const [style, path] =
    mark.weekChange > 0
      ? ['week-up', 'M-4 3L0-4L4 3Z']
      : [isRelief(mark.score, lines, mark.isStopped) ? 'week-down' : 'week-still', 'M-4-3L0 4L4-3Z'];
  const offset = (radius * 0.75 + 3).toFixed(1);
  return svg`<path class=${style} d=${path} transform="translate(${offset} -${offset})"></path>`;
}

function nameBeside(side: Side | undefined, { radius, label }: PlacedMark): unknown {
  if (side === undefined) return nothing;
  const x = radius + LABEL_GAP;
  return side === 'right'
    ? svg`<text class="port-label" x=${x} y="4" text-anchor="start">${label}</text>`
    : svg`<text class="port-label" x=${-x} y="4" text-anchor="end">${label}</text>`;
}

function drawMark(placed: PlacedMark, side: Side | undefined, drawing: Drawing): TemplateResult {
  const { mark, at, radius } = placed;
  const chosen = isSelected(mark, drawing);
  const place = `translate(${at.x.toFixed(2)} ${at.y.toFixed(2)}) scale(${drawing.unit.toFixed(4)})`;
  // There are hundreds of them: they have no parts that could change.
  if (isUnheld(mark) && !chosen)
    return svg`<g class="port-mark" transform=${place} @click=${() => drawing.choose(mark)}><circle class="target" r=${UNHELD_TARGET}></circle><circle class="unheld" r=${UNHELD_RADIUS}><title>${titleText(mark)}</title></circle></g>`;
  const style = `${isCluster(mark) ? 'cluster-mark' : 'port-mark'}${chosen ? ' selected' : ''}`;
  return svg`<g class=${style} transform=${place} @click=${() => drawing.choose(mark)}>
    <circle class="target" r=${Math.max(TARGET, radius)}></circle>
    ${chosen ? svg`<circle class="halo" r=${radius + 4}></circle>` : nothing}
    ${circles(placed, drawing.lines)}
    ${
      isCluster(mark)
        ? svg`<text class="cluster-count" y="4" text-anchor="middle">${mark.count}</text>`
        : arrow(placed, drawing.lines)
    }${nameBeside(side, placed)}
  </g>`;
}

/** A drawing of each of `marks`; large ones behind small ones, the selected port before all. */
export function portMarks(marks: readonly (MapPort | Cluster)[], drawing: Drawing): TemplateResult[] {
  const byRank = marks.toSorted(byImportance(drawing)).map((mark) => place(mark, drawing));
  // Hundreds of names would be no map: a ring has one when it is chosen.
  const labelled = byRank.filter(({ mark }) => !isUnheld(mark) || isSelected(mark, drawing));
  const sided = labelSides(labelled, drawing);
  const sides = new Map(labelled.map((placed, i) => [placed, sided[i]]));
  const drawn = byRank.map((placed) => ({ drawn: drawMark(placed, sides.get(placed), drawing), ...placed }));
  return drawn
    .toSorted(
      (a, b) =>
        Number(isSelected(a.mark, drawing)) - Number(isSelected(b.mark, drawing)) ||
        Number(isUnheld(b.mark)) - Number(isUnheld(a.mark)) ||
        b.radius - a.radius,
    )
    .map(({ drawn: template }) => template);
}
