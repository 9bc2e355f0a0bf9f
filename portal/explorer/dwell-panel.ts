/** Waits and berth stays as a timeline, with a summary for screen readers. */
import type { Period } from '../chart/response-series.ts';
import { cutNote, timeline } from '../chart/timeline.ts';
import { element } from '../view/element.ts';

const median = (hours: readonly number[]): number => {
  const sorted = hours.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = 0, high = 0] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
};

const summaryOf = (periods: readonly Period[], kind: Period['kind'], name: string): string => {
  const hours = periods.filter((period) => period.kind === kind).map((period) => period.hours);
  return hours.length === 0
    ? `no ${name}s`
    : `${hours.length} ${name}s, median ${median(hours).toFixed(1)} h`;
};

/** The sentence above the timeline. */
const dwellSummary = (periods: readonly Period[]): string =>
  `${summaryOf(periods, 'wait', 'wait')}; ${summaryOf(periods, 'berth', 'berth stay')}.`;

/** Draws `periods` into `body`; a sentence instead when there are none. */
export function drawDwell(body: HTMLElement, periods: readonly Period[]): string | undefined {
  if (periods.length === 0) return 'No wait or berth stay ended in this window.';
  const summary = dwellSummary(periods);
  const host = element('div', { class: 'timeline-host' });
  body.append(element('p', { class: 'chart-note' }, `${summary} ${cutNote(periods)}`), host);
  timeline(host, periods, `Timeline of ${summary}`);
  return undefined;
}
