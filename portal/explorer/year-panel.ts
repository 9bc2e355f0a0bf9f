/** Twelve months of one port: median and 90th percentile of the waits, the year before behind them, alerts as marks. */

import type { PortRecord } from '../../core/contracts/ports.ts';
import { addDays } from '../../core/reference/time.ts';
import { requestPath, type Session } from '../api/session.ts';
import type { Mark } from '../chart/alert-marks.ts';
import { DRAWN_DAYS, lineChart, TOO_SHORT } from '../chart/line-chart.ts';
import { usualWait } from '../chart/usual-wait.ts';
import { type SpreadDay, type WaitHistory, waitHistory } from '../chart/wait-spread.ts';
import { yearChart, yearTable } from '../chart/year-chart.ts';
import { type YearSeries, yearSeries } from '../chart/year-series.ts';
import { valuesBehind } from '../view/data-table.ts';
import { element, REDRAW } from '../view/element.ts';
import { emptyNotice } from '../view/notice.ts';
import { createPanel } from '../view/panel.ts';
import { planText } from '../view/text.ts';
import { compareSearch } from './page-route.ts';

export interface YearPanel {
  readonly section: HTMLElement;
  load(port: PortRecord, today: string): Promise<void>;
}

const SPAN_DAYS = 365;

/** What the lines mean, and with what the sentence of the port compares. */
function noteText(waits: WaitHistory, lastDay: string): string {
  const usual = usualWait(waits.spreads, lastDay);
  const compared =
    usual === undefined
      ? ''
      : ` What is usual is the median of the daily averages ${usual.month === undefined ? 'of the 90 days before this week' : `of ${usual.month}`}.`;
  return `Each day is that of the vessels that berthed in the week up to it, or in 14 or 28 days where fewer than three did; those that still wait are only in the average.${compared}`;
}

/** `marksNow` are the alerts known so far; `told` gets the waits whenever more of them are known. */
export function createYearPanel(
  session: Session,
  marksNow: () => readonly Mark[],
  told: (waits: WaitHistory) => void,
): YearPanel {
  let waits = waitHistory([]);
  let lastDay = '';
  /** What is drawn, until the days of another port are there. */
  let series: YearSeries = yearSeries(waits.spreads, '1970-01-01');
  let running = new AbortController();
  const values = element('div', {});
  const note = element('p', { class: 'chart-note' });
  const compare = element('a', { class: 'button' }, 'Compare with other ports');

  const tell = (): void => {
    series = yearSeries(waits.spreads, lastDay);
    note.textContent = noteText(waits, lastDay);
    values.replaceChildren(valuesBehind(yearTable(series), 'Waits of twelve months'));
    told(waits);
  };
  const panel = createPanel(session, {
    title: 'Waits of twelve months',
    what: 'waits of twelve months',
    controls: compare,
    absence: ({ status }) => (status === 403 ? planText('Waits day by day', 'waits') : undefined),
    draw(body, { text }) {
      const days = JSON.parse(text) as SpreadDay[];
      if (days.length === 0) return 'Nothing has been observed of this port in these twelve months.';
      waits = waitHistory(days);
      tell();
      if (series.days.length < DRAWN_DAYS) {
        body.append(emptyNotice(TOO_SHORT), note, values);
        return undefined;
      }
      const host = element('div', { class: 'chart chart-year' });
      body.append(host, note, values);
      lineChart(host, () => yearChart(series, marksNow()));
      return undefined;
    },
  });
  /** Adds the year before the days that are there. */
  async function loadBefore(UNLOCODE: string, to: string, signal: AbortSignal): Promise<void> {
    const path = requestPath('waits', { UNLOCODE, from: addDays(to, -SPAN_DAYS), to });
    const outcome = await session.ask(path, signal);
    // A failure leaves the year without the one before it.
    if (outcome?.kind !== 'data') return;
    waits = waitHistory([...(JSON.parse(outcome.text) as SpreadDay[]), ...waits.days]);
    tell();
    document.dispatchEvent(new Event(REDRAW));
  }
  return {
    section: panel.section,
    async load({ port, first_day, last_day }, today) {
      running.abort();
      running = new AbortController();
      const { signal } = running;
      waits = waitHistory([]);
      lastDay = last_day ?? today;
      compare.setAttribute('href', compareSearch([port]));
      const from = addDays(lastDay, -SPAN_DAYS);
      await panel.load(requestPath('waits', { UNLOCODE: port, from, to: lastDay }));
      if (signal.aborted || waits.days.length === 0 || first_day === null || first_day >= from) return;
      await loadBefore(port, addDays(from, -1), signal);
    },
  };
}
