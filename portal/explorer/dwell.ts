/** Waits and berth stays as a timeline, with a summary for screen readers. */
import { html, type TemplateResult } from 'lit-html';
import type { DwellPeriod } from '../../core/contracts/dwell.ts';
import type { ListedSource } from '../api/source-list.ts';
import { cutNote, timeline } from '../chart/timeline.ts';
import { quantileOf } from '../chart/wait-spread.ts';

const summarize = (periods: readonly DwellPeriod[], kind: DwellPeriod['kind'], name: string): string => {
  const hours = periods.filter((period) => period.kind === kind).map((period) => period.hours);
  const median = quantileOf(
    hours.toSorted((a, b) => a - b),
    0.5,
  );
  return median === null ? `no ${name}s` : `${hours.length} ${name}s, median ${median.toFixed(1)} h`;
};

/** The publishers behind a port whose terms do not let single calls be passed on: a release has none of them. */
export const withoutCalls = (sources: readonly ListedSource[]): string[] =>
  sources.filter(({ passesOnCalls }) => !passesOnCalls).map(({ publisher }) => publisher);

/** A sentence when there are none. */
export function dwellTimeline(
  periods: readonly DwellPeriod[],
  silent: readonly string[],
): TemplateResult | string {
  if (periods.length === 0)
    return silent.length === 0
      ? 'No wait or berth stay ended in this window.'
      : `No single stays here: these days were begun with daily figures, because ${silent.join(' and ')} grants no right to pass on single calls. A deployment that reads the port has its stays from its first reading on.`;
  const summary = `${summarize(periods, 'wait', 'wait')}; ${summarize(periods, 'berth', 'berth stay')}.`;
  return html`<p class="chart-note">${summary} ${cutNote(periods)}</p>${timeline(periods, `Timeline of ${summary}`)}`;
}
