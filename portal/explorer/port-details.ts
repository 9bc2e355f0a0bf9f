/** What stands below the map: the port chosen with its panels and the import index, or that there is no such port. */
import type { Window } from '../../core/contracts/parameters.ts';
import type { Session } from '../api/session.ts';
import { element } from '../view/element.ts';
import { createImportsView } from './imports-view.ts';
import type { IndexedPort } from './port-index.ts';
import { createPortView } from './port-view.ts';
import type { Surroundings } from './surroundings.ts';

export interface PortDetails {
  readonly node: HTMLElement;
  /** Asks for each port and window once. */
  show(port: IndexedPort, window: Window): void;
  /** Says that the port `code` is not covered. */
  refuse(code: string): void;
  clear(): void;
}

const notCovered = (code: string): HTMLElement =>
  element(
    'p',
    { class: 'notice notice-error', role: 'alert' },
    `${code} is not among the covered ports. Choose one of the list.`,
  );

export function createPortDetails(
  session: Session,
  surroundings: Surroundings,
  chooseWindow: (window: Window) => void,
): PortDetails {
  let shown = '';
  const portView = createPortView(session, surroundings, chooseWindow);
  const imports = createImportsView(session);
  const node = element('div', { class: 'details' });
  return {
    node,
    show(port, window) {
      const wanted = `${port.port} ${window}`;
      if (shown === wanted) return;
      if (!node.contains(portView.node)) node.replaceChildren(portView.node, imports.node);
      if (shown === '') void imports.load();
      shown = wanted;
      void portView.show(port, window);
    },
    refuse(code) {
      shown = '';
      node.replaceChildren(notCovered(code));
    },
    clear() {
      shown = '';
      node.replaceChildren();
    },
  };
}
