/** Starts a documentation page: the reader's key in the examples, search, copy buttons on code, a list of pages that folds on small screens, the live status. */
import '../styles/docs.css';
import '../styles/print.css';
import { copyButton } from '../view/copy-button.ts';
import { element } from '../view/element.ts';
import { fillInOwnKey } from './own-key.ts';
import { startSearch } from './search.ts';

function addCopyButtons(): void {
  for (const block of document.querySelectorAll('pre')) {
    const copy = copyButton('Copy', () => block.querySelector('code')?.textContent ?? '', 'button copy');
    const wrap = element('div', { class: 'code-block' });
    block.replaceWith(wrap);
    wrap.append(block, copy);
  }
}

/** On a narrow page the list of pages comes first and starts folded. */
function foldPages(): void {
  const narrow = matchMedia('(max-width: 62rem)');
  const list = document.querySelector<HTMLDetailsElement>('.pages details');
  const fold = (): void => {
    if (list) list.open = !narrow.matches;
  };
  narrow.addEventListener('change', fold);
  fold();
  // Until then the style sheet keeps a narrow page's list out of sight, so that nothing moves.
  list?.classList.add('ready');
}

fillInOwnKey();
addCopyButtons();
foldPages();
const search = document.querySelector('.search');
if (search) startSearch(search);
const live = document.querySelector<HTMLElement>('#live');
if (live?.dataset.live === 'status') void import('./status.ts').then(({ startStatus }) => startStatus(live));
if (live?.dataset.live === 'coverage')
  void import('./coverage.ts').then(({ startCoverage }) => startCoverage(live));
