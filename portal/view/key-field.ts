/** The field for the reader's key. The key goes into the session and nowhere else. */
import type { Session } from '../api/session.ts';
import { element } from './element.ts';

export interface KeyField {
  readonly form: HTMLFormElement;
  /** Leads the reader there when a key is missing or refused. */
  focus(): void;
}

/** A local service says which key of its own everybody may use; a deployed one says nothing. */
export async function publicKey(): Promise<string> {
  const response = await fetch('/portal-settings.json').catch(() => undefined);
  const settings = response?.ok ? ((await response.json()) as { demoKey?: string }) : {};
  return settings.demoKey ?? '';
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

/** The key is dots until the reader wants to see it. */
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

/** What is left of the key's allotment. It changes with every answer, too often to be read out each time. */
function limitsText(session: Session): HTMLElement {
  const text = element('output', { class: 'limits', for: 'key', 'aria-live': 'off' });
  session.onChange(() => {
    const { limits } = session;
    text.textContent = limits ? `${limits.remaining} of ${limits.limit} a minute left` : '';
  });
  return text;
}

/** `use` is called when the session has another key, or the same once more. */
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
