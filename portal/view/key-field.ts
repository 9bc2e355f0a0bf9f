/** The field for the reader's key. The key goes into the session and nowhere else. */
import type { Session } from '../api/session.ts';
import { element } from './element.ts';

export interface KeyField {
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
export function createKeyField(session: Session, use: () => void): KeyField {
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
