/** The world with the covered ports. Only a drawing: the list of ports has the same content and functions. */
import { select } from 'd3-selection';
import { type ZoomTransform, zoom, zoomIdentity } from 'd3-zoom';
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

/** The buttons over the map. */
const controls = (zoomBy: (factor: number) => void, reset: () => void): HTMLElement =>
  element(
    'div',
    { class: 'map-controls', role: 'group', 'aria-label': 'Zoom of the map' },
    button('Zoom in', '+', () => zoomBy(STEP)),
    button('Zoom out', '−', () => zoomBy(1 / STEP)),
    button('Whole world', '⤢', reset),
  );

interface Navigation {
  /** From the drawing of the whole world to what is shown of it. */
  readonly view: () => ZoomTransform;
  centreOn(place: Place, factor: number): void;
  /** `fixed` stays where it is. */
  zoomBy(factor: number, fixed: Place | undefined): void;
  reset(): void;
}

/** Lets the reader drag `svg`; `moved` is called whenever another part of the world is shown. */
function createNavigation(svg: SVGSVGElement, moved: () => void): Navigation {
  let view = zoomIdentity;
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
      moved();
    });
  const shown = select<SVGSVGElement, unknown>(svg).call(navigation);
  return {
    view: () => view,
    centreOn(place, factor) {
      const { x, y } = project(place);
      const middle = zoomIdentity.translate(WORLD.width / 2, WORLD.height / 2);
      navigation.transform(shown, middle.scale(Math.min(factor, MAX_ZOOM)).translate(-x, -y));
    },
    zoomBy(factor, fixed) {
      const at = fixed && project(fixed);
      navigation.scaleBy(shown, factor, at && view.apply([at.x, at.y]));
    },
    reset: () => navigation.transform(shown, zoomIdentity),
  };
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
  const marks = svgElement('g');
  const viewBox = `0 0 ${WORLD.width} ${WORLD.height}`;
  const svg = svgElement('svg', { class: 'world', role: 'img', viewBox }, land, marks);
  const widthPx = (): number => svg.clientWidth || WORLD.width;
  let ports: readonly MapPort[] = [];
  let selected: MapPort | undefined;
  let clusters: Clusters = createClusters([]);

  const draw = (): void => {
    const view = navigation.view();
    land.setAttribute('transform', String(view));
    svg.setAttribute('aria-label', summary(ports));
    const shown = [...clusters.at(widthPx() * view.k), ...(selected ? [selected] : [])];
    const unit = WORLD.width / widthPx();
    marks.replaceChildren(
      ...portMarks(shown, { view, unit, lines, selected: selected?.port, choose: follow }),
    );
  };
  const navigation = createNavigation(svg, draw);
  const follow = (mark: MapPort | Cluster): void => {
    if ('port' in mark) {
      choose(mark.port);
      return;
    }
    // A little more than the width at which it falls apart, so that rounding does not keep it together.
    const apart = (1.02 * clusters.splitWidth(mark.cluster)) / widthPx();
    navigation.centreOn(mark, Math.max(navigation.view().k * STEP, apart));
  };
  figure.replaceChildren(
    svg,
    controls((factor) => navigation.zoomBy(factor, selected), navigation.reset),
  );
  draw();
  new ResizeObserver(draw).observe(svg);
  return {
    show(given, wanted) {
      const before = selected?.port;
      ports = given;
      selected = ports.find(({ port }) => port === wanted);
      clusters = createClusters(ports.filter(({ port }) => port !== wanted));
      if (selected !== undefined && before !== selected.port)
        navigation.centreOn(selected, Math.max(navigation.view().k, PORT_ZOOM));
      else draw();
    },
  };
}
