/** Waits and berth stays as a timeline, with a summary for screen readers. */
import { html, type TemplateResult } from 'lit-html';
import type { DwellPeriod } from '../../core/contracts/dwell.ts';
import { cutNote, timeline } from '../chart/timeline.ts';
import { quantile } from '../chart/wait-spread.ts';

const summarize = (periods: readonly DwellPeriod[], kind: DwellPeriod['kind'], name: string): string => {
  const hours = periods.filter((period) => period.kind === kind).map((period) => period.hours);
  const median = quantile(
    hours.toSorted((a, b) => a - b),
    0.5,
  );
  return median === null ? `no ${name}s` : `${hours.length} ${name}s, median ${median.toFixed(1)} h`;
};

/** A sentence when there are none. */
export function dwellTimeline(periods: readonly DwellPeriod[]): TemplateResult | string {
  if (periods.length === 0) return 'No wait or berth stay ended in this window.';
  const summary = `${summarize(periods, 'wait', 'wait')}; ${summarize(periods, 'berth', 'berth stay')}.`;
  return html`<p class="chart-note">${summary} ${cutNote(periods)}</p>${timeline(periods, `Timeline of ${summary}`)}`;
}
