/** A button that copies a text and reports whether it succeeded. */
import { element } from './element.ts';

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
export function copyButton(label: string, readText: () => string, style = 'button'): HTMLButtonElement {
  const button = element('button', { type: 'button', class: style }, label);
  button.addEventListener('click', async () => {
    button.textContent = (await copied(readText())) ? 'Copied' : 'Not copied';
    setTimeout(() => {
      button.textContent = label;
    }, SAID_MS);
  });
  return button;
}
