/** Below the map: the chosen port with its panels, or that it is not covered. */
import type { PortChange } from '../../core/contracts/changes.ts';
import type { Window } from '../../core/contracts/parameters.ts';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { Session } from '../api/session.ts';
import { element } from '../view/element.ts';
import type { ExplorerData } from './explorer-data.ts';
import { createPortView } from './port-view.ts';

export interface PortDetails {
  readonly node: HTMLElement;
  /** Requests each port and window once. */
  show(port: PortRecord, window: Window): void;
  /** Scrolls to the port and moves the focus to its heading, unless it is in view. */
  reveal(): void;
  clear(): void;
}

export function createPortDetails(
  session: Session,
  explorerData: ExplorerData,
  changeOf: (port: string) => PortChange | undefined,
  chooseWindow: (window: Window) => void,
): PortDetails {
  let shown = '';
  const portView = createPortView(session, explorerData, changeOf, chooseWindow);
  const node = element('div', { class: 'details' });
  return {
    node,
    show(port, window) {
      const wanted = `${port.port} ${window}`;
      if (shown === wanted) {
        portView.tell();
        return;
      }
      if (!node.contains(portView.node)) node.replaceChildren(portView.node);
      shown = wanted;
      void portView.show(port, window);
    },
    reveal() {
      const title = portView.node.querySelector<HTMLElement>('#port-title');
      const { top = 0, bottom = 0 } = title?.getBoundingClientRect() ?? {};
      if (title === null || (top >= 0 && bottom < innerHeight)) return;
      title.scrollIntoView({ block: 'start' });
      title.focus({ preventScroll: true });
    },
    clear() {
      shown = '';
      portView.forget();
      node.replaceChildren();
    },
  };
}
