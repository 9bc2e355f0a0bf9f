/** The world with the covered ports, coloured by score. A drawing only: the list beside it says and does the same. */
import { geoEqualEarth, geoGraticule10, geoPath } from 'd3-geo';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { element, svgElement } from '../view/element.ts';
import type { ScoreLines } from '../view/score-class.ts';
import { scoreClassOf } from '../view/score-class.ts';
import { placeLabels } from './labels.ts';
import { moved, type Viewport, whole, zoomAt, zoomOf } from './viewport.ts';

export interface MapPort {
  readonly port: string;
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Undefined while it is not known, or where nothing has been observed. */
  readonly score: number | undefined;
}

export interface WorldMap {
  readonly figure: HTMLElement;
  show(ports: readonly MapPort[], selected: string | undefined): void;
}

type World = Topology<{ land: GeometryCollection; countries: GeometryCollection }>;

const WORLD = { width: 960, height: 420 };
const RADIUS = 5.5;
/** From the marker's centre, so that the ring of the selected one stays free. */
const LABEL = 13;
const STEP = 1.7;

const projection = geoEqualEarth()
  .scale(182)
  .translate([WORLD.width / 2 - 26, WORLD.height / 2 + 38]);

function background(world: World): SVGElement[] {
  const path = geoPath(projection).digits(1);
  const { land, countries } = world.objects;
  return [
    svgElement('path', { class: 'graticule', d: path(geoGraticule10()) ?? '' }),
    svgElement('path', { class: 'land', d: path(feature(world, land)) ?? '' }),
    svgElement('path', { class: 'borders', d: path(mesh(world, countries, (a, b) => a !== b)) ?? '' }),
  ];
}

/** `choose` is called with the code of a port that was clicked. */
export function createWorldMap(world: World, lines: ScoreLines, choose: (port: string) => void): WorldMap {
  let view: Viewport = whole(WORLD);
  let ports: readonly MapPort[] = [];
  let selected: string | undefined;
  const markers = svgElement('g');
  const svg = svgElement(
    'svg',
    { class: 'world', viewBox: `0 0 ${WORLD.width} ${WORLD.height}`, role: 'img' },
    ...background(world),
    markers,
  );

  const draw = (): void => {
    svg.setAttribute('viewBox', `${view.x} ${view.y} ${view.width} ${view.height}`);
    const unit = view.width / (svg.clientWidth || WORLD.width);
    const placed = [...ports]
      .sort(
        (a, b) =>
          Number(b.port === selected) - Number(a.port === selected) || (b.score ?? -1) - (a.score ?? -1),
      )
      .map((port) => {
        const [x = 0, y = 0] = projection([port.longitude, port.latitude]) ?? [];
        const figure = port.score === undefined ? '' : ` ${port.score.toFixed(2)}`;
        return { ...port, x, y, text: `${port.name}${figure}` };
      });
    const pixels = placed.map(({ x, y, text }) => ({ x: (x - view.x) / unit, y: (y - view.y) / unit, text }));
    const sides = placeLabels(pixels, view.width / unit);
    const nodes = placed.map(({ port, name, score, x, y, text }, i) => {
      const rank = score === undefined ? 'none' : String(scoreClassOf(score, lines).rank);
      const side = sides[i];
      const marker = svgElement(
        'g',
        {
          class: `port-mark${port === selected ? ' selected' : ''}`,
          transform: `translate(${x.toFixed(2)} ${y.toFixed(2)}) scale(${unit.toFixed(4)})`,
        },
        port === selected ? svgElement('circle', { class: 'halo', r: RADIUS + 4 }) : undefined,
        svgElement(
          'circle',
          { class: `dot score-${rank}`, r: RADIUS },
          svgElement('title', {}, `${name}, ${port}`),
        ),
        side === undefined
          ? undefined
          : svgElement(
              'text',
              {
                class: 'port-label',
                x: side === 'right' ? LABEL : -LABEL,
                y: 4,
                'text-anchor': side === 'right' ? 'start' : 'end',
              },
              text,
            ),
      );
      marker.addEventListener('click', () => choose(port));
      return marker;
    });
    // The worst last, so that it lies on top.
    markers.replaceChildren(...nodes.reverse());
    const known = ports.filter(({ score }) => score !== undefined).length;
    svg.setAttribute(
      'aria-label',
      `World map of ${ports.length} covered ports, ${known} of them with a score. The list of ports holds the same.`,
    );
  };

  const centre = () => ({ x: view.x + view.width / 2, y: view.y + view.height / 2 });
  /** The selected port stays in sight when the map comes closer. */
  const focus = () => {
    const port = ports.find((one) => one.port === selected);
    const [x, y] = (port && projection([port.longitude, port.latitude])) ?? [];
    return x === undefined || y === undefined ? centre() : { x, y };
  };
  const zoom = (factor: number, at = focus()): void => {
    const before = zoomOf(view, WORLD);
    view = zoomAt(view, WORLD, factor, at.x, at.y);
    if (zoomOf(view, WORLD) !== before) draw();
  };
  const button = (label: string, text: string, act: () => void): HTMLElement => {
    const node = element('button', { type: 'button', 'aria-label': label }, text);
    node.addEventListener('click', act);
    return node;
  };
  const controls = element(
    'div',
    { class: 'map-controls', role: 'group', 'aria-label': 'Zoom of the map' },
    button('Closer', '+', () => zoom(STEP)),
    button('Farther', '−', () => zoom(1 / STEP)),
    button('Whole world', '⤢', () => {
      view = whole(WORLD);
      draw();
    }),
  );
  const legend = element('div', { class: 'map-legend' });
  const figure = element('figure', { class: 'map' }, svg, controls, legend);

  svg.addEventListener('dblclick', (event) => {
    const box = svg.getBoundingClientRect();
    const unit = view.width / box.width;
    zoom(STEP, {
      x: view.x + (event.clientX - box.left) * unit,
      y: view.y + (event.clientY - box.top) * unit,
    });
  });
  svg.addEventListener('pointermove', (event) => {
    if (event.buttons !== 1 || event.pointerType === 'touch') return;
    const unit = view.width / svg.clientWidth;
    view = moved(view, WORLD, -event.movementX * unit, -event.movementY * unit);
    draw();
  });
  new ResizeObserver(draw).observe(svg);

  return {
    figure,
    show(shown, chosen) {
      ports = shown;
      selected = chosen;
      draw();
    },
  };
}
