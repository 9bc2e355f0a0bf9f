/** What the average wait of the trend is based on: loads the wait days behind it and writes a note under the chart. */
import { requestPath } from '../api/request-path.ts';
import type { Session } from '../api/session.ts';
import type { Overlay } from '../chart/trend-chart.ts';
import { MAX_WINDOW_DAYS, type SpreadDay, spreadText, waitSpread } from '../chart/wait-spread.ts';
import { element } from '../view/element.ts';

export interface SpreadNote {
  /** Shown under the chart. */
  readonly node: HTMLElement;
  /** The part of the chart that comes from the wait days; empty while they are not known. */
  overlay(): Pick<Overlay, 'spreadOf'>;
  /** Names the day whose average the note is about, the newest of the trend. */
  describe(day: string): void;
  clear(): void;
  load(port: string, windowDays: number, now: number): Promise<void>;
}

const DAY_MS = 86_400_000;
const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** `changed` is called when the overlay changes. */
export function createSpreadNote(session: Session, changed: () => void): SpreadNote {
  const node = element('p', { class: 'chart-note spread-note' });
  let days: readonly SpreadDay[] | undefined;
  let newest = '';
  let running: AbortController | undefined;

  const draw = (): void => {
    if (days === undefined || newest === '') {
      node.replaceChildren();
      return;
    }
    node.replaceChildren(
      `${spreadText(waitSpread(days, newest), newest)} The band runs from one to the other, day by day. `,
      element('a', { href: '/docs/accuracy.html' }, 'How sure are the figures?'),
    );
  };

  return {
    node,
    overlay() {
      const known = days;
      return known === undefined ? {} : { spreadOf: (day) => waitSpread(known, day) };
    },
    describe(day) {
      newest = day;
      draw();
    },
    clear() {
      running?.abort();
      days = undefined;
      newest = '';
      draw();
    },
    async load(port, windowDays, now) {
      const mine = new AbortController();
      running = mine;
      const from = dayText(now - (windowDays + MAX_WINDOW_DAYS) * DAY_MS);
      const path = requestPath('waits', { UNLOCODE: port, from });
      const outcome = await session.ask(path, mine.signal).catch((thrown: unknown) => {
        if (!mine.signal.aborted) throw thrown;
      });
      // A key without this endpoint, or a failure, leaves the chart as it is: the average alone.
      if (mine.signal.aborted || outcome?.kind !== 'data') return;
      days = JSON.parse(outcome.text) as SpreadDay[];
      draw();
      changed();
    },
  };
}
