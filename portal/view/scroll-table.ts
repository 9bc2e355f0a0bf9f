/** A table that scrolls within itself, by keyboard too. */
import { element } from './element.ts';

interface ScrollTable {
  /** Name of the region for screen readers. */
  readonly label: string;
  readonly headings: readonly HTMLElement[];
  readonly body: HTMLElement;
  readonly caption?: string;
  /** A class in addition to those of every such table. */
  readonly style?: string;
}

export const scrollTable = ({ label, headings, body, caption, style }: ScrollTable): HTMLElement =>
  element(
    'div',
    {
      class: style === undefined ? 'table-scroll' : `table-scroll ${style}`,
      tabindex: 0,
      role: 'region',
      'aria-label': label,
    },
    element(
      'table',
      { class: 'data' },
      caption === undefined ? undefined : element('caption', {}, caption),
      element('thead', {}, element('tr', {}, ...headings)),
      body,
    ),
  );
