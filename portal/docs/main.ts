/** Starts a documentation page: copy buttons on code, a list of pages that folds on small screens, live freshness. */
import '../styles/docs.css';
import { element } from '../view/element.ts';
import { startFreshness } from './freshness.ts';

function addCopyButtons(): void {
  for (const block of document.querySelectorAll('pre')) {
    const button = element('button', { type: 'button', class: 'button copy' }, 'Copy');
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '');
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 1500);
    });
    const wrap = element('div', { class: 'code-block' });
    block.replaceWith(wrap);
    wrap.append(block, button);
  }
}

/** Where the page is narrow the list of pages comes first, and should not fill the screen. */
function foldPages(): void {
  const narrow = matchMedia('(max-width: 62rem)');
  const list = document.querySelector<HTMLDetailsElement>('.pages details');
  const fold = (): void => {
    if (list) list.open = !narrow.matches;
  };
  narrow.addEventListener('change', fold);
  fold();
}

addCopyButtons();
foldPages();
const live = document.querySelector('#live');
if (live) void startFreshness(live);
