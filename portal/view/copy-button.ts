/** A button that copies a text and reports whether it succeeded. */
import { html, type TemplateResult } from 'lit-html';

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
