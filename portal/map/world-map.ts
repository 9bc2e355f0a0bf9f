/** The world with the covered ports, coloured by score. Only a drawing: the list beside it has the same content and functions. */
import { select } from 'd3-selection';
import { zoom, zoomIdentity } from 'd3-zoom';
import { element, svgElement } from '../view/element.ts';
import type { ScoreLines } from '../view/score-class.ts';
import { type MapPort, portMarks } from './port-marks.ts';
import { landscape, pointOf, WORLD, type World } from './world.ts';

export interface WorldMap {
  readonly figure: HTMLElement;
  show(ports: readonly MapPort[], selected: string | undefined): void;
}

function summaryOf(ports: readonly MapPort[]): string {
  const known = ports.filter(({ score }) => score !== undefined).length;
  return `World map of ${ports.length} covered ports, ${known} of them with a score. The list of ports shows the same.`;
}

/** The coastline has no more detail beyond this zoom. */
const MAX_ZOOM = 24;
/** One press of a zoom button. */
const STEP = 1.7;

function button(name: string, text: string, act: () => void): HTMLElement {
  const node = element('button', { type: 'button', 'aria-label': name }, text);
  node.addEventListener('click', act);
  return node;
}

/** `choose` is called with the code of a port that was clicked. */
export function createWorldMap(world: World, lines: ScoreLines, choose: (port: string) => void): WorldMap {
  let view = zoomIdentity;
  let ports: readonly MapPort[] = [];
  let selected: string | undefined;
  const marks = svgElement('g');
  const land = svgElement('g', {}, ...landscape(world));
  const viewBox = `0 0 ${WORLD.width} ${WORLD.height}`;
  const svg = svgElement('svg', { class: 'world', role: 'img', viewBox }, land, marks);

  const draw = (): void => {
    land.setAttribute('transform', String(view));
    svg.setAttribute('aria-label', summaryOf(ports));
    const unit = WORLD.width / (svg.clientWidth || WORLD.width);
    marks.replaceChildren(...portMarks(ports, { view, unit, lines, selected, choose }));
  };
  const all: [[number, number], [number, number]] = [
    [0, 0],
    [WORLD.width, WORLD.height],
  ];
  const navigation = zoom<SVGSVGElement, unknown>()
    .scaleExtent([1, MAX_ZOOM])
    .extent(all)
    .translateExtent(all)
    .duration(0)
    // The wheel and a finger scroll the page as they do elsewhere.
    .filter(({ type, button: pressed }: MouseEvent) => type !== 'wheel' && pressed === 0)
    .touchable(() => false)
    .on('zoom', ({ transform }) => {
      view = transform;
      draw();
    });
  const shown = select<SVGSVGElement, unknown>(svg).call(navigation);
  /** The selected port stays where it is. */
  const zoomBy = (factor: number): void => {
    const port = ports.find((one) => one.port === selected);
    const at = port && pointOf(port);
    navigation.scaleBy(shown, factor, at && view.apply([at.x, at.y]));
  };
  const controls = element(
    'div',
    { class: 'map-controls', role: 'group', 'aria-label': 'Zoom of the map' },
    button('Zoom in', '+', () => zoomBy(STEP)),
    button('Zoom out', '−', () => zoomBy(1 / STEP)),
    button('Whole world', '⤢', () => navigation.transform(shown, zoomIdentity)),
  );
  const figure = element('figure', { class: 'map' }, svg, controls);
  draw();
  new ResizeObserver(draw).observe(svg);
  return {
    figure,
    show(given, chosen) {
      ports = given;
      selected = chosen;
      draw();
    },
  };
}
