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

export function createKeyField(session: Session, use: () => void): KeyField {
  const input = element('input', {
    id: 'key',
    name: 'key',
    class: 'key-input',
    type: 'text',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    placeholder: 'pcd_…',
    value: session.key,
  });
  const reveal = element(
    'button',
    { type: 'button', class: 'button-quiet', 'aria-pressed': 'false' },
    'Show',
  );
  reveal.addEventListener('click', () => {
    const shown = input.classList.toggle('key-shown');
    reveal.setAttribute('aria-pressed', String(shown));
    reveal.textContent = shown ? 'Hide' : 'Show';
  });
  const limits = element('output', { class: 'limits', for: 'key' });
  session.onChange(() => {
    const { limits: stated } = session;
    limits.textContent = stated ? `${stated.remaining} of ${stated.limit} a minute left` : '';
  });
  const form = element(
    'form',
    { class: 'key-form', 'aria-label': 'API key' },
    element('label', { for: 'key' }, 'API key'),
    input,
    reveal,
    element('button', { type: 'submit', class: 'button' }, 'Use'),
    limits,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    session.setKey(input.value);
    use();
  });
  return { form, focus: () => input.focus() };
}
