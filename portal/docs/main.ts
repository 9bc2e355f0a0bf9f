/** Starts a documentation page: copy buttons on code, a list of pages that folds on small screens, live freshness. */
import '../styles/docs.css';
import { copyButton } from '../view/copy-button.ts';
import { element } from '../view/element.ts';
import { startFreshness } from './freshness.ts';

function addCopyButtons(): void {
  for (const block of document.querySelectorAll('pre')) {
    const copy = copyButton('Copy', () => block.querySelector('code')?.textContent ?? '', 'button copy');
    const wrap = element('div', { class: 'code-block' });
    block.replaceWith(wrap);
    wrap.append(block, copy);
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
