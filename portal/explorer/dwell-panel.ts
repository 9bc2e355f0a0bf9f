/** Waits and berth stays as a timeline, with what a screen reader is told of it. */
import type { DwellRecord } from '../../core/contracts/dwell.ts';
import { type Period, timeline } from '../chart/timeline.ts';
import { element } from '../view/element.ts';

/** More bars than these are a grey mass: the newest are drawn, and the page says so. */
const MOST_BARS = 3000;

const median = (hours: readonly number[]): number => {
  const sorted = hours.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = 0, high = 0] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
};

const told = (records: readonly DwellRecord[], kind: DwellRecord['kind'], name: string): string => {
  const hours = records.filter((record) => record.kind === kind).map((record) => record.hours);
  return hours.length === 0
    ? `no ${name}s`
    : `${hours.length} ${name}s, median ${median(hours).toFixed(1)} h`;
};

/** The sentence above the timeline. */
const dwellSummary = (records: readonly DwellRecord[]): string =>
  `${told(records, 'wait', 'wait')}; ${told(records, 'berth', 'berth stay')}.`;

/** Draws `records` into `body`; a sentence instead when there are none. */
export function drawDwell(body: HTMLElement, records: readonly DwellRecord[]): string | undefined {
  if (records.length === 0) return 'No wait or berth stay ended in this window.';
  const newest = records.slice(-MOST_BARS);
  const periods: Period[] = newest.map(({ start, end, kind, hours }) => ({
    kind,
    hours,
    startAt: Date.parse(start),
    endAt: Date.parse(end),
  }));
  const summary = dwellSummary(records);
  const host = element('div', { class: 'timeline-host' });
  const cut = records.length > newest.length ? ` Drawn are the newest ${newest.length}.` : '';
  body.append(element('p', { class: 'chart-note' }, summary + cut), host);
  timeline(host, periods, `Timeline of ${summary}`);
  return undefined;
}
