/** The world with the covered ports, coloured by score. Only a drawing: the list beside it has the same content and functions. */
import { element, svgElement } from '../view/element.ts';
import type { ScoreLines } from '../view/score-class.ts';
import { followPointer, type Navigation, zoomButtons } from './navigation.ts';
import { type MapPort, portMarks } from './port-marks.ts';
import { centreOf, moved, type Viewport, whole, zoomAt, zoomOf } from './viewport.ts';
import { landscape, type Point, pointOf, WORLD, type World } from './world.ts';

export interface WorldMap {
  readonly figure: HTMLElement;
  show(ports: readonly MapPort[], selected: string | undefined): void;
}

function summaryOf(ports: readonly MapPort[]): string {
  const known = ports.filter(({ score }) => score !== undefined).length;
  return `World map of ${ports.length} covered ports, ${known} of them with a score. The list of ports shows the same.`;
}

/** `choose` is called with the code of a port that was clicked. */
export function createWorldMap(world: World, lines: ScoreLines, choose: (port: string) => void): WorldMap {
  let view: Viewport = whole(WORLD);
  let ports: readonly MapPort[] = [];
  let selected: string | undefined;
  const marks = svgElement('g');
  const svg = svgElement('svg', { class: 'world', role: 'img' }, ...landscape(world), marks);

  const draw = (): void => {
    svg.setAttribute('viewBox', `${view.x} ${view.y} ${view.width} ${view.height}`);
    svg.setAttribute('aria-label', summaryOf(ports));
    const unit = view.width / (svg.clientWidth || WORLD.width);
    marks.replaceChildren(...portMarks(ports, { view, unit, lines, selected, choose }));
  };
  /** The selected port stays in view when the map zooms in. */
  const focus = (): Point => {
    const port = ports.find((one) => one.port === selected);
    return port ? pointOf(port) : centreOf(view);
  };
  const navigation: Navigation = {
    zoom(factor, at = focus()) {
      const before = zoomOf(view, WORLD);
      view = zoomAt(view, WORLD, factor, at.x, at.y);
      if (zoomOf(view, WORLD) !== before) draw();
    },
    move(dx, dy) {
      view = moved(view, WORLD, dx, dy);
      draw();
    },
    showWhole() {
      view = whole(WORLD);
      draw();
    },
  };

  const figure = element('figure', { class: 'map' }, svg, zoomButtons(navigation));
  followPointer(svg, () => view, navigation);
  draw();
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
