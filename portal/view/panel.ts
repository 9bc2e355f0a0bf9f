/** A panel of a view: a heading, a body that shows loading, content, nothing or an error, and the request behind it. */
import type { DataResponse, ErrorResponse, Session } from '../api/session.ts';
import { breakable, element } from './element.ts';
import { emptyNotice, failureNotice, loadingNotice } from './notice.ts';

export interface Panel {
  readonly section: HTMLElement;
  /** Requests `path` and draws the response; a later call aborts an earlier one. */
  load(path: string): Promise<void>;
}

export interface PanelOptions {
  readonly title: string;
  /** Level of the heading; `h3` by default. */
  readonly level?: 'h2' | 'h3';
  /** Name of the content, as in "Loading trend". */
  readonly what: string;
  /** Controls at the right of the heading. */
  readonly controls?: HTMLElement;
  /** A sentence for an error that only means that there is nothing to show; undefined for every other. */
  readonly absence?: (response: ErrorResponse) => string | undefined;
  /** Draws into `body`; returns a sentence instead when there is nothing to draw. */
  readonly draw: (body: HTMLElement, response: DataResponse) => string | undefined;
}

let panels = 0;

export function createPanel(
  session: Session,
  { title, level = 'h3', what, controls, absence, draw }: PanelOptions,
): Panel {
  panels += 1;
  const id = `panel-${panels}`;
  const source = element('code', { class: 'request' });
  const body = element('div', { class: 'panel-body' });
  const section = element(
    'section',
    { class: 'panel', 'aria-labelledby': id },
    element('header', { class: 'panel-head' }, element(level, { id }, title), controls),
    body,
    element('footer', { class: 'panel-foot' }, source),
  );
  let running: AbortController | undefined;

  const load = async (path: string): Promise<void> => {
    running?.abort();
    const mine = new AbortController();
    running = mine;
    source.replaceChildren(...breakable(`GET ${path}`));
    section.setAttribute('aria-busy', 'true');
    if (body.childElementCount === 0 || body.querySelector('.notice'))
      body.replaceChildren(loadingNotice(what));
    const outcome = await session.ask(path, mine.signal);
    if (outcome === undefined) return;
    section.removeAttribute('aria-busy');
    body.replaceChildren();
    if (outcome.kind !== 'data') {
      const absent = outcome.kind === 'error' ? absence?.(outcome) : undefined;
      body.append(absent === undefined ? failureNotice(outcome, () => void load(path)) : emptyNotice(absent));
      return;
    }
    const nothing = draw(body, outcome);
    if (nothing !== undefined) body.replaceChildren(emptyNotice(nothing));
  };
  return { section, load };
}
