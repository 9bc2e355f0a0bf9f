/** The menu with the key that the page uses. The key goes into the session, and where the reader asks for it into the tab. */
import { keepKey, keptKey } from '../api/kept-key.ts';
import type { Session } from '../api/session.ts';
import { element } from './element.ts';
import { createKeyField } from './key-field.ts';

export interface KeyMenu {
  readonly node: HTMLElement;
  /** Opens the menu and moves the focus to the field, when a key is missing. */
  ask(): void;
}

/** `demoKey` is empty where there is none. Calls `use` when the reader submits a key, also when it is the same key again. */
export function createKeyMenu(session: Session, demoKey: string, use: () => void): KeyMenu {
  const isDemo = (): boolean => session.key !== '' && session.key === demoKey;
  const keep = element('input', { type: 'checkbox', id: 'keep-key', checked: keptKey() !== undefined });
  const store = (): void =>
    keepKey(keep.checked && session.key !== '' && !isDemo() ? session.key : undefined);
  const field = createKeyField(session, () => {
    store();
    use();
  });
  keep.addEventListener('change', store);
  const summary = element('summary', { class: 'button' });
  const shared = element('p', { class: 'key-note' });
  const name = (): void => {
    summary.textContent = `API key: ${session.key === '' ? 'none' : isDemo() ? 'demo' : 'yours'}`;
    const { limits } = session;
    const ofAll = limits ? ` ${limits.limit} requests a minute, all readers together.` : '';
    shared.textContent = isDemo() ? `The demo key is shared:${ofAll}` : '';
  };
  name();
  session.onChange(name);
  const menu = element(
    'details',
    { class: 'key-menu' },
    summary,
    element(
      'div',
      { class: 'key-panel' },
      field.form,
      shared,
      element(
        'label',
        { class: 'key-note', for: 'keep-key' },
        keep,
        ' Fill my key into the examples of the docs, until this tab is closed',
      ),
    ),
  );
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.open) return;
    menu.open = false;
    summary.focus();
  });
  return {
    node: menu,
    ask() {
      menu.open = true;
      field.focus();
    },
  };
}
