/** The menu with the key that the page uses. The key goes into the memory of the page, and where the reader asks for it into the tab. */
import { html, type TemplateResult } from 'lit-html';
import { keepKey, keptKey, type Responses } from '../api/responses.ts';
import { required } from './page.ts';

/** The key is shown as dots until the reader reveals it. */
function reveal({ currentTarget }: Event): void {
  const button = currentTarget as HTMLElement;
  button.textContent = required('key').classList.toggle('key-shown') ? 'Hide' : 'Show';
  button.setAttribute('aria-label', `${button.textContent} key`);
}

function close(event: KeyboardEvent): void {
  const menu = event.currentTarget as HTMLDetailsElement;
  if (event.key !== 'Escape' || !menu.open) return;
  menu.open = false;
  menu.querySelector('summary')?.focus();
}

const field = (id: string): HTMLInputElement => required(id) as HTMLInputElement;

/** Opens the menu and moves the focus to the field, when a key is missing. */
export function openKeyMenu(): void {
  const input = field('key');
  const menu = input.closest('details');
  if (menu) menu.open = true;
  input.focus();
}

/** `demoKey` is empty where there is none. The remaining requests change too often to announce each time. */
export function keyMenu(responses: Responses, demoKey: string): TemplateResult {
  const { key, limits } = responses;
  const isDemo = key !== '' && key === demoKey;
  const keep = (): void => {
    const isOwn = responses.key !== '' && responses.key !== demoKey;
    keepKey(field('keep-key').checked && isOwn ? responses.key : undefined);
  };
  const use = (event: SubmitEvent): void => {
    event.preventDefault();
    responses.setKey(field('key').value);
    keep();
  };
  const sharing = limits ? ` ${limits.limit} requests a minute, all readers together.` : '';
  return html`<details class="key-menu" @keydown=${close}>
    <summary class="button">API key: ${key === '' ? 'none' : isDemo ? 'demo' : 'yours'}</summary>
    <div class="key-panel">
      <form class="key-form" aria-label="API key" @submit=${use}>
        <label for="key">API key</label>
        <input id="key" name="key" class="key-input" type="text" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="pcd_…" value=${key}>
        <button type="button" class="button-quiet" aria-label="Show key" @click=${reveal}>Show</button>
        <button type="submit" class="button">Use</button>
        <output class="limits" for="key" aria-live="off">${limits ? `${limits.remaining} of ${limits.limit} requests left this minute` : ''}</output>
      </form>
      <p class="key-note">${isDemo ? `The demo key is shared:${sharing}` : ''}</p>
      <label class="key-note" for="keep-key">
        <input type="checkbox" id="keep-key" ?checked=${keptKey() !== undefined} @change=${keep}>
        Fill my key into the examples of the docs, until this tab is closed
      </label>
    </div>
  </details>`;
}
