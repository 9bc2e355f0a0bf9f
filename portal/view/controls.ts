/** A row of buttons with one pressed: the windows of a port. */
import { html, type TemplateResult } from 'lit-html';
import { keepKey, keptKey, type Responses } from '../api/responses.ts';
import { required } from './page.ts';

/** `choices`: what each of the buttons says, by the value that it chooses. */
export const choiceRow = <V extends string>(
  label: string,
  choices: Readonly<Record<V, string>>,
  chosen: V,
  choose: (value: V) => void,
): TemplateResult => {
  const buttons = (Object.entries(choices) as [V, string][]).map(
    ([value, text]) =>
      html`<button type="button" aria-pressed=${value === chosen} @click=${() => choose(value)}>${text}</button>`,
  );
  return html`<div class="choice" role="group" aria-label=${label}>${buttons}</div>`;
};

// A button that copies a text and reports whether it succeeded.

const SAID_MS = 1500;

async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without https a page has no clipboard, and the reader may deny access to it.
    return false;
  }
}

/** `readText` is called at each click. */
export function copyButton(label: string, readText: () => string, style = 'button'): TemplateResult {
  const copy = async ({ currentTarget }: Event): Promise<void> => {
    const button = currentTarget as HTMLElement;
    button.textContent = (await copied(readText())) ? 'Copied' : 'Not copied';
    setTimeout(() => {
      button.textContent = label;
    }, SAID_MS);
  };
  return html`<button type="button" class=${style} @click=${copy} .textContent=${label}></button>`;
}

// Files that the page makes: a text, or the picture of a drawing in the colours of the theme.

function save(content: Blob, name: string): void {
  const link = Object.assign(document.createElement('a'), {
    href: URL.createObjectURL(content),
    download: name,
  });
  link.click();
  URL.revokeObjectURL(link.href);
}

export const saveText = (text: string, type: string, name: string): void =>
  save(new Blob([text], { type }), name);

const FONT = ['text-anchor', 'font-family', 'font-size', 'font-weight'];
const COPIED = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', ...FONT];
const TITLE_PX = 26;

/** Sharp also when it is enlarged. */
const DENSITY = 2;

/** Saves `drawing` under a line with `title` as PNG. Style sheets do not reach into a picture: its colours are written into it. */
export async function savePicture(drawing: SVGSVGElement, title: string, name: string): Promise<void> {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = drawing.querySelectorAll('*');
  for (const [i, node] of Array.from(copy.querySelectorAll('*')).entries()) {
    const style = getComputedStyle(originals[i] as Element);
    if (node.classList.contains('uncovered')) continue;
    for (const property of COPIED) node.setAttribute(property, style.getPropertyValue(property));
  }
  const [width, height] = [drawing.clientWidth, drawing.clientHeight];
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: width * DENSITY, height: (height + TITLE_PX) * DENSITY });
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  const { color, backgroundColor } = getComputedStyle(document.body);
  context.scale(DENSITY, DENSITY);
  context.fillStyle = backgroundColor;
  context.fillRect(0, 0, width, height + TITLE_PX);
  context.fillStyle = color;
  context.font = '600 13px sans-serif';
  context.fillText(title, 8, 17);
  context.drawImage(image, 0, TITLE_PX, width, height);
  canvas.toBlob((png) => png && save(png, name), 'image/png');
}

// The menu with the key that the page uses. The key goes into the memory of the page, and where the reader asks for
// it into the tab.

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
