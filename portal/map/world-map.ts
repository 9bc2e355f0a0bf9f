/** The world with the covered ports. Only a drawing: the list of ports has the same content and functions. */
import { select } from 'd3-selection';
import { zoom, zoomIdentity } from 'd3-zoom';
import { portalJson } from '../api/source-list.ts';
import { element, svgElement } from '../view/element.ts';
import type { ScoreLines } from '../view/score-class.ts';
import { type Cluster, type Clusters, createClusters, type MapPort } from './clusters.ts';
import { portMarks } from './port-marks.ts';
import { type Place, project, WORLD, type WorldPaths } from './projection.ts';

/** The build defines it: the address of the land behind the ports. */
declare const WORLD_FILE: string;

export interface WorldMap {
  show(ports: readonly MapPort[], selected: string | undefined): void;
}

function summary(ports: readonly MapPort[]): string {
  const known = ports.filter(({ score }) => score !== undefined).length;
  return `World map of ${ports.length} covered ports, ${known} of them with a score. The list of ports shows the same.`;
}

/** Neighbouring ports are apart here; the coastline has no more detail far before it. */
const MAX_ZOOM = 64;
/** One press of a zoom button. */
const STEP = 1.7;
/** The neighbourhood of a port that is chosen. */
const PORT_ZOOM = 7;

function button(name: string, text: string, act: () => void): HTMLElement {
  const node = element('button', { type: 'button', 'aria-label': name }, text);
  node.addEventListener('click', act);
  return node;
}

function landscape({ graticule, land, borders }: WorldPaths): SVGElement[] {
  return [
    svgElement('path', { class: 'graticule', d: graticule }),
    svgElement('path', { class: 'land', d: land }),
    svgElement('path', { class: 'borders', d: borders }),
  ];
}

/**
 * Draws into `figure`, whose room is reserved. `choose` is called with the code of a port that was clicked. Rejects when the
 * land cannot be loaded.
 */
export async function createWorldMap(
  figure: HTMLElement,
  lines: ScoreLines,
  choose: (port: string) => void,
): Promise<WorldMap> {
  const land = svgElement('g', {}, ...landscape(await portalJson<WorldPaths>(WORLD_FILE)));
  let view = zoomIdentity;
  let ports: readonly MapPort[] = [];
  let selected: string | undefined;
  let clusters: Clusters = createClusters([]);
  const marks = svgElement('g');
  const viewBox = `0 0 ${WORLD.width} ${WORLD.height}`;
  const svg = svgElement('svg', { class: 'world', role: 'img', viewBox }, land, marks);
  const widthPx = (): number => svg.clientWidth || WORLD.width;
  const chosen = (): MapPort | undefined => ports.find(({ port }) => port === selected);

  const draw = (): void => {
    land.setAttribute('transform', String(view));
    svg.setAttribute('aria-label', summary(ports));
    const apart = chosen();
    const shown = [...clusters.at(widthPx() * view.k), ...(apart ? [apart] : [])];
    const unit = WORLD.width / widthPx();
    marks.replaceChildren(...portMarks(shown, { view, unit, lines, selected, choose: follow }));
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
  const centreOn = (place: Place, factor: number): void => {
    const { x, y } = project(place);
    const middle = zoomIdentity.translate(WORLD.width / 2, WORLD.height / 2);
    navigation.transform(shown, middle.scale(Math.min(factor, MAX_ZOOM)).translate(-x, -y));
  };
  const follow = (mark: MapPort | Cluster): void => {
    if ('port' in mark) choose(mark.port);
    // A little more than the width at which it falls apart, so that rounding does not keep it together.
    else centreOn(mark, Math.max(view.k * STEP, (1.02 * clusters.splitWidth(mark.cluster)) / widthPx()));
  };
  /** The selected port stays where it is. */
  const zoomBy = (factor: number): void => {
    const port = chosen();
    const at = port && project(port);
    navigation.scaleBy(shown, factor, at && view.apply([at.x, at.y]));
  };
  figure.replaceChildren(
    svg,
    element(
      'div',
      { class: 'map-controls', role: 'group', 'aria-label': 'Zoom of the map' },
      button('Zoom in', '+', () => zoomBy(STEP)),
      button('Zoom out', '−', () => zoomBy(1 / STEP)),
      button('Whole world', '⤢', () => navigation.transform(shown, zoomIdentity)),
    ),
  );
  draw();
  new ResizeObserver(draw).observe(svg);
  return {
    show(given, wanted) {
      const before = selected;
      ports = given;
      selected = wanted;
      clusters = createClusters(ports.filter(({ port }) => port !== selected));
      const port = chosen();
      if (port === undefined) selected = undefined;
      if (port !== undefined && before !== selected) centreOn(port, Math.max(view.k, PORT_ZOOM));
      else draw();
    },
  };
}
