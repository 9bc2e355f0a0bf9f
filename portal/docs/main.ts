/** Starts a documentation page: the reader's key in the examples, search, copy buttons on code, a list of pages that folds on small screens, the live parts. */
import '../styles/docs.css';
import '../styles/print.css';
import { render } from 'lit-html';
import { keptKey } from '../api/responses.ts';
import { copyButton } from '../view/controls.ts';
import { startSearch } from './search.ts';

const DEMO_KEY = /\bpcd_dev_demo0+\b/g;

/** In the examples, in place of the demo key, where the reader has asked for it. */
function fillInOwnKey(): void {
  const key = keptKey();
  if (key === undefined) return;
  for (const block of document.querySelectorAll('pre code')) {
    const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
      node.nodeValue = (node.nodeValue ?? '').replace(DEMO_KEY, () => key);
  }
}

function addCopyButtons(): void {
  for (const block of document.querySelectorAll('pre')) {
    const wrap = document.createElement('div');
    wrap.className = 'code-block';
    block.replaceWith(wrap);
    wrap.append(block);
    render(
      copyButton('Copy', () => block.querySelector('code')?.textContent ?? '', 'button copy'),
      wrap,
    );
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
const search = document.querySelector<HTMLElement>('.search');
if (search) startSearch(search);
const live = document.querySelector<HTMLElement>('#live');
if (live?.dataset.live === 'status') void import('./status.ts').then(({ startStatus }) => startStatus(live));
if (live?.dataset.live === 'record') void import('./record.ts').then(({ startRecord }) => startRecord(live));
if (live?.dataset.live === 'coverage')
  void import('./coverage.ts').then(({ startCoverage }) => startCoverage(live));
