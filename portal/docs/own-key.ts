/** The reader's own key in the examples, in place of the demo key, where the reader has asked for it. */
import { keptKey } from '../api/kept-key.ts';

const DEMO_KEY = /\bpcd_dev_demo0+\b/g;

export function fillInOwnKey(): void {
  const key = keptKey();
  if (key === undefined) return;
  for (const block of document.querySelectorAll('pre code')) {
    const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
      node.nodeValue = (node.nodeValue ?? '').replace(DEMO_KEY, () => key);
  }
}
