/** The world with the covered ports. Only a drawing: the list of ports has the same content and functions. */
import { select } from 'd3-selection';
import { zoom, zoomIdentity } from 'd3-zoom';
import { html, render, svg as svgTemplate, type TemplateResult } from 'lit-html';
import { portalJson } from '../api/source-list.ts';
import type { ScoreLines } from '../view/score-class.ts';
import { type Cluster, createClusters, type MapPort } from './clusters.ts';
import { type Box, portMarks } from './port-marks.ts';
import { type Place, type Point, project, WORLD, type WorldPaths } from './projection.ts';

/** The build defines it: the address of the land behind the ports. */
declare const WORLD_FILE: string;

function summary(ports: readonly MapPort[]): string {
  const known = ports.filter(({ congestion_score: score }) => score !== null).length;
  return `World map of ${ports.length} covered ports, ${known} of them with a score. The list of ports shows the same.`;
}

/** Neighbouring ports are apart here; the coastline has no more detail far before it. */
const MAX_ZOOM = 64;
const STEP = 1.7;
/** The neighbourhood of a port that is chosen. */
const PORT_ZOOM = 7;
/** Greatest zoom on ports that lie close together, so that a reader sees where they are. */
const FIT_ZOOM = 4;
/** Less is hardly nearer than the world. */
const LEAST_FIT = 1.4;
/** Largest share of the map that the ports fill when it opens on them. */
const FIT_SHARE = 0.7;

const controls = ({ zoomBy, reset }: Navigation, fixed: () => Place | undefined): TemplateResult => html`
  <div class="map-controls" role="group" aria-label="Zoom of the map">
    <button type="button" aria-label="Zoom in" @click=${() => zoomBy(STEP, fixed())}>+</button>
    <button type="button" aria-label="Zoom out" @click=${() => zoomBy(1 / STEP, fixed())}>−</button>
    <button type="button" class="map-world" @click=${reset}>World</button>
  </div>`;

type Navigation = ReturnType<typeof createNavigation>;

/** Lets the reader drag `svg`; `moved` is called whenever another part of the world is shown. */
function createNavigation(svg: SVGSVGElement, moved: () => void) {
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
  const centre = ({ x, y }: Point, factor: number): void => {
    const middle = zoomIdentity.translate(WORLD.width / 2, WORLD.height / 2);
    navigation.transform(shown, middle.scale(factor).translate(-x, -y));
  };
  const reset = (): void => navigation.transform(shown, zoomIdentity);
  return {
    /** From the drawing of the whole world to what is shown of it. */
    view: () => view,
    centreOn: (place: Place, factor: number): void => centre(project(place), Math.min(factor, MAX_ZOOM)),
    /** `fixed` stays where it is. */
    zoomBy(factor: number, fixed: Place | undefined): void {
      const at = fixed && project(fixed);
      navigation.scaleBy(shown, factor, at && view.apply([at.x, at.y]));
    },
    reset,
    /** Shows all of `places`, and the whole world where they lie far apart. */
    fit(places: readonly Place[]): void {
      const points = places.map(project);
      const [left, right] = [Math.min(...points.map(({ x }) => x)), Math.max(...points.map(({ x }) => x))];
      const [top, bottom] = [Math.min(...points.map(({ y }) => y)), Math.max(...points.map(({ y }) => y))];
      const factor = FIT_SHARE * Math.min(WORLD.width / (right - left), WORLD.height / (bottom - top));
      if (factor < LEAST_FIT) reset();
      else centre({ x: (left + right) / 2, y: (top + bottom) / 2 }, Math.min(factor, FIT_ZOOM));
    },
  };
}

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

export type WorldMap = Awaited<ReturnType<typeof createWorldMap>>;

/** Draws into `figure`. `choose` is called with the code of a port that was clicked. Rejects when the land cannot be loaded. */
export async function createWorldMap(figure: HTMLElement, lines: ScoreLines, choose: (port: string) => void) {
  const { graticule, land, borders } = await portalJson<WorldPaths>(WORLD_FILE);
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const widthPx = (): number => svg.clientWidth || WORLD.width;
  let ports: readonly MapPort[] = [];
  let selected: MapPort | undefined;
  let clusters = createClusters([]);
  /** Rings and seasons, which are in no crowd. */
  let alone: readonly MapPort[] = [];
  let isOpened = false;

  const draw = (): void => {
    const view = navigation.view();
    svg.setAttribute('aria-label', summary(ports));
    const shown = [...alone, ...clusters.at(widthPx() * view.k), ...(selected ? [selected] : [])];
    const drawing = {
      view,
      unit: WORLD.width / widthPx(),
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
    const apart = (1.02 * clusters.splitWidth(mark.cluster_id)) / widthPx();
    navigation.centreOn(mark, Math.max(navigation.view().k * STEP, apart));
  };
  const attributes = { class: 'world', role: 'img', viewBox: `0 0 ${WORLD.width} ${WORLD.height}` };
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
  render(html`${svg}${controls(navigation, () => selected)}`, figure);
  draw();
  new ResizeObserver(draw).observe(svg);
  return {
    show(given: readonly MapPort[], wanted: string | undefined): void {
      const before = selected?.port;
      ports = given;
      selected = ports.find(({ port }) => port === wanted);
      const others = ports.filter(({ port }) => port !== wanted);
      const held = others.filter(({ congestion_score: score }) => score !== null);
      alone = [
        ...others.filter(({ congestion_score: score }) => score === null),
        ...held.filter(({ isSeason }) => isSeason),
      ];
      clusters = createClusters(held.filter(({ isSeason }) => !isSeason));
      if (selected !== undefined && before !== selected.port)
        navigation.centreOn(selected, Math.max(navigation.view().k, PORT_ZOOM));
      else if (!isOpened && held.length > 0) navigation.fit(held);
      else draw();
      isOpened ||= ports.length > 0;
    },
  };
}
