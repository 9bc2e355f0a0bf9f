/** The ports on the map: a dot in the colour of its score each, with name and score where there is room. */
import type { ZoomTransform } from 'd3-zoom';
import { svgElement } from '../view/element.ts';
import { type ScoreLines, scoreClassOf } from '../view/score-class.ts';
import { placeLabels, type Side } from './labels.ts';
import { type Place, type Point, pointOf, WORLD } from './world.ts';

export interface MapPort extends Place {
  readonly port: string;
  readonly name: string;
  /** Undefined while it is not known, or where nothing has been observed. */
  readonly score: number | undefined;
}

/** Settings that all marks of one drawing share. */
export interface Drawing {
  /** From the drawing of the whole world to what is shown of it. */
  readonly view: ZoomTransform;
  /** Units of the drawing to a screen pixel: marks and labels keep their size on a map of any width. */
  readonly unit: number;
  readonly lines: ScoreLines;
  readonly selected: string | undefined;
  /** Called with the code of a port that was clicked. */
  readonly choose: (port: string) => void;
}

interface PlacedPort {
  readonly port: MapPort;
  readonly at: Point;
  readonly label: string;
}

const RADIUS = 5.5;
/** Large enough to tap: a finger is wider than a dot. */
const TARGET = 15;
/** From the mark's centre, so that the ring of the selected one stays free. */
const LABEL = 13;

/** The order in which ports are given room for a label: the selected one, then the worst congested. */
const byImportance =
  (selected: string | undefined) =>
  (a: MapPort, b: MapPort): number =>
    Number(b.port === selected) - Number(a.port === selected) || (b.score ?? -1) - (a.score ?? -1);

function placed(port: MapPort, view: ZoomTransform): PlacedPort {
  const score = port.score === undefined ? '' : ` ${port.score.toFixed(2)}`;
  const { x, y } = pointOf(port);
  return { port, at: { x: view.applyX(x), y: view.applyY(y) }, label: `${port.name}${score}` };
}

function labelSides(ports: readonly PlacedPort[], { unit }: Drawing): (Side | undefined)[] {
  const onScreen = ports.map(({ at, label }) => ({
    text: label,
    x: at.x / unit,
    y: at.y / unit,
  }));
  return placeLabels(onScreen, WORLD.width / unit);
}

const dot = ({ port, name, score }: MapPort, lines: ScoreLines): SVGElement =>
  svgElement(
    'circle',
    { class: `dot score-${score === undefined ? 'none' : scoreClassOf(score, lines).rank}`, r: RADIUS },
    svgElement('title', {}, `${name}, ${port}`),
  );

const labelAt = (side: Side, text: string): SVGElement =>
  svgElement(
    'text',
    {
      class: 'port-label',
      x: side === 'right' ? LABEL : -LABEL,
      y: 4,
      'text-anchor': side === 'right' ? 'start' : 'end',
    },
    text,
  );

function markOf({ port, at, label }: PlacedPort, side: Side | undefined, drawing: Drawing): SVGElement {
  const isSelected = port.port === drawing.selected;
  const mark = svgElement(
    'g',
    {
      class: `port-mark${isSelected ? ' selected' : ''}`,
      transform: `translate(${at.x.toFixed(2)} ${at.y.toFixed(2)}) scale(${drawing.unit.toFixed(4)})`,
    },
    svgElement('circle', { class: 'target', r: TARGET }),
    isSelected ? svgElement('circle', { class: 'halo', r: RADIUS + 4 }) : undefined,
    dot(port, drawing.lines),
    side === undefined ? undefined : labelAt(side, label),
  );
  mark.addEventListener('click', () => drawing.choose(port.port));
  return mark;
}

/** A mark for each of `ports`; the worst congested last, so that it lies on top. */
export function portMarks(ports: readonly MapPort[], drawing: Drawing): SVGElement[] {
  const inOrder = ports.toSorted(byImportance(drawing.selected)).map((port) => placed(port, drawing.view));
  const sides = labelSides(inOrder, drawing);
  return inOrder.map((port, i) => markOf(port, sides[i], drawing)).reverse();
}
