/** The world with the covered ports. Only a drawing: the list of ports has the same content and functions. */
import { select } from 'd3-selection';
import { type ZoomTransform, zoom, zoomIdentity } from 'd3-zoom';
import { html, render, svg as svgTemplate, type TemplateResult } from 'lit-html';
import { portalJson } from '../api/source-list.ts';
import type { ScoreLines } from '../view/score-class.ts';
import { type Cluster, type Clusters, createClusters, type MapPort } from './clusters.ts';
import { type Box, portMarks } from './port-marks.ts';
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
/** Of ports close together so much around them is shown that a reader sees where they are. */
const FIT_ZOOM = 4;
/** Less is hardly nearer than the world. */
const LEAST_FIT = 1.4;
/** Of the map that ports take at most when it opens on them. */
const FIT_SHARE = 0.7;

/** The buttons over the map. */
const controls = ({ zoomBy, reset }: Navigation, fixed: () => Place | undefined): TemplateResult => html`
  <div class="map-controls" role="group" aria-label="Zoom of the map">
    <button type="button" aria-label="Zoom in" @click=${() => zoomBy(STEP, fixed())}>+</button>
    <button type="button" aria-label="Zoom out" @click=${() => zoomBy(1 / STEP, fixed())}>−</button>
    <button type="button" class="map-world" @click=${reset}>World</button>
  </div>`;

interface Navigation {
  /** From the drawing of the whole world to what is shown of it. */
  readonly view: () => ZoomTransform;
  centreOn(place: Place, factor: number): void;
  /** `fixed` stays where it is. */
  zoomBy(factor: number, fixed: Place | undefined): void;
  reset(): void;
  /** Shows all of `places`, and the whole world where they lie far apart. */
  fit(places: readonly Place[]): void;
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
    fit(places) {
      const points = places.map(project);
      const [left, right] = [Math.min(...points.map(({ x }) => x)), Math.max(...points.map(({ x }) => x))];
      const [top, bottom] = [Math.min(...points.map(({ y }) => y)), Math.max(...points.map(({ y }) => y))];
      const factor = FIT_SHARE * Math.min(WORLD.width / (right - left), WORLD.height / (bottom - top));
      const middle = zoomIdentity.translate(WORLD.width / 2, WORLD.height / 2);
      const near = middle
        .scale(Math.min(factor, FIT_ZOOM))
        .translate(-(left + right) / 2, -(top + bottom) / 2);
      navigation.transform(shown, factor < LEAST_FIT ? zoomIdentity : near);
    },
  };
}

/** Where the buttons lie over the map. */
function controlsBox(figure: HTMLElement): Box {
  const map = figure.getBoundingClientRect();
  const buttons = figure.querySelector('.map-controls')?.getBoundingClientRect() ?? map;
  return {
    left: buttons.left - map.left,
    right: buttons.right - map.left,
    top: buttons.top - map.top,
    bottom: buttons.bottom - map.top,
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
  const { graticule, land, borders } = await portalJson<WorldPaths>(WORLD_FILE);
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const widthPx = (): number => svg.clientWidth || WORLD.width;
  let ports: readonly MapPort[] = [];
  let selected: MapPort | undefined;
  let clusters: Clusters = createClusters([]);
  let unheld: readonly MapPort[] = [];
  let isOpened = false;

  const draw = (): void => {
    const view = navigation.view();
    svg.setAttribute('aria-label', summary(ports));
    const shown = [...unheld, ...clusters.at(widthPx() * view.k), ...(selected ? [selected] : [])];
    const unit = WORLD.width / widthPx();
    const drawing = {
      view,
      unit,
      lines,
      selected: selected?.port,
      over: [controlsBox(figure)],
      choose: follow,
    };
    render(
      svgTemplate`<g transform=${String(view)}>
        <path class="graticule" d=${graticule}></path><path class="land" d=${land}></path><path class="borders" d=${borders}></path>
      </g><g>${portMarks(shown, drawing)}</g>`,
      svg,
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
  for (const [name, value] of Object.entries({
    class: 'world',
    role: 'img',
    viewBox: `0 0 ${WORLD.width} ${WORLD.height}`,
  }))
    svg.setAttribute(name, value);
  render(html`${svg}${controls(navigation, () => selected)}`, figure);
  draw();
  new ResizeObserver(draw).observe(svg);
  return {
    show(given, wanted) {
      const before = selected?.port;
      ports = given;
      selected = ports.find(({ port }) => port === wanted);
      const others = ports.filter(({ port }) => port !== wanted);
      const held = others.filter(({ score }) => score !== undefined);
      unheld = others.filter(({ score }) => score === undefined);
      clusters = createClusters(held);
      if (selected !== undefined && before !== selected.port)
        navigation.centreOn(selected, Math.max(navigation.view().k, PORT_ZOOM));
      else if (!isOpened && held.length > 0) navigation.fit(held);
      else draw();
      isOpened ||= ports.length > 0;
    },
  };
}
