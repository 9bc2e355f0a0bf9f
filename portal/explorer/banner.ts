/** The banner above every view of the explorer. */
import { element } from '../view/element.ts';
import { type BannerPort, bannerStatements, type Statement } from './banner-text.ts';

export interface Banner {
  show(ports: readonly BannerPort[]): void;
}

const MORE = '/docs/coverage.html';

const paragraph = ({ tone, title, text }: Statement): HTMLElement =>
  element('p', { class: `statement statement-${tone}` }, element('strong', {}, title), ` ${text}`);

/** Draws into `host`, whose room is reserved. */
export function createBanner(host: HTMLElement, recordedUntil: string | undefined): Banner {
  let shown = '';
  return {
    show(ports) {
      const statements = bannerStatements(ports, recordedUntil);
      const text = JSON.stringify(statements);
      // A screen reader announces each change, so nothing changes when the same is already there.
      if (text === shown) return;
      shown = text;
      host.replaceChildren(...statements.map(paragraph), element('a', { href: MORE }, 'What is covered'));
    },
  };
}
