/** The place of the map in the first screen: the map is loaded when the first picture of the page is drawn. */
import { noChange } from 'lit-html';
import { Directive, directive, type ElementPart } from 'lit-html/directive.js';
import type { ScoreLines } from '../view/score-class.ts';
import type { MapPort } from './clusters.ts';
import type { WorldMap } from './world-map.ts';

const afterFirstPaint = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));

type Given = [
  ports: readonly MapPort[],
  selected: string | undefined,
  lines: ScoreLines,
  choose: (port: string) => void,
  drawn: () => void,
];

class LaterMap extends Directive {
  #map: Promise<WorldMap> | undefined;
  #given: Given | undefined;

  render(..._given: Given): unknown {
    return noChange;
  }

  override update({ element }: ElementPart, given: Given): unknown {
    const [ports, selected, lines] = given;
    const [shownPorts, shownPort] = this.#given ?? [];
    this.#given = given;
    this.#map ??= afterFirstPaint().then(async () => {
      const { createWorldMap } = await import('./world-map.ts');
      return createWorldMap(element as HTMLElement, lines, (port) => this.#given?.[3](port));
    });
    if (ports !== shownPorts || selected !== shownPort)
      void this.#map.then((map) => {
        map.show(ports, selected);
        if (ports.length > 0) this.#given?.[4]();
      });
    return noChange;
  }
}

/** `<figure ${worldMap(ports, selected, lines, choose, drawn)}>`: `choose` is called with the code of a port that is clicked. */
export const worldMap = directive(LaterMap);
