/** The menu with the key that the page uses. The key goes into the session, and where the reader asks for it into the tab. */
import { keepKey, keptKey, type Session } from '../api/session.ts';
import { element } from './element.ts';

// The field for the reader's key. The key goes into the session and nowhere else.

interface KeyField {
  readonly form: HTMLFormElement;
  /** Moves the focus to the field when a key is missing or refused. */
  focus(): void;
}

const keyInput = (key: string): HTMLInputElement =>
  element('input', {
    id: 'key',
    name: 'key',
    class: 'key-input',
    type: 'text',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    placeholder: 'pcd_…',
    value: key,
  });

/** The key is shown as dots until the reader reveals it. */
function revealButton(input: HTMLInputElement): HTMLButtonElement {
  const button = element(
    'button',
    { type: 'button', class: 'button-quiet', 'aria-label': 'Show key' },
    'Show',
  );
  button.addEventListener('click', () => {
    button.textContent = input.classList.toggle('key-shown') ? 'Hide' : 'Show';
    button.setAttribute('aria-label', `${button.textContent} key`);
  });
  return button;
}

/** The remaining requests of the key. They change with every response, too often to announce each time. */
function limitsText(session: Session): HTMLElement {
  const text = element('output', { class: 'limits', for: 'key', 'aria-live': 'off' });
  session.onChange(() => {
    const { limits } = session;
    text.textContent = limits ? `${limits.remaining} of ${limits.limit} requests left this minute` : '';
  });
  return text;
}

/** Calls `use` when the reader submits a key, also when it is the same key again. */
function createKeyField(session: Session, use: () => void): KeyField {
  const input = keyInput(session.key);
  const form = element(
    'form',
    { class: 'key-form', 'aria-label': 'API key' },
    element('label', { for: 'key' }, 'API key'),
    input,
    revealButton(input),
    element('button', { type: 'submit', class: 'button' }, 'Use'),
    limitsText(session),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    session.setKey(input.value);
    use();
  });
  return { form, focus: () => input.focus() };
}

interface KeyMenu {
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
    const sharing = limits ? ` ${limits.limit} requests a minute, all readers together.` : '';
    shared.textContent = isDemo() ? `The demo key is shared:${sharing}` : '';
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
