/** The stops of a port as cards: what happened, the queue after, how soon it was known, and the score through the days. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';
import type { Stop } from '../../core/contracts/published-files.ts';
import { hoursBetween } from '../../core/reference/time.ts';
import {
  dayOfYearText,
  daysText,
  dayText,
  hoursText,
  longDayText,
  momentText,
  scoreText,
  vesselsText,
} from '../view/text.ts';
import { type MapRoute, mapSearch } from './page-route.ts';
import reported from './reported-events.json' with { type: 'json' };
import { sparkline } from './sparkline.ts';

function datesText({ first_day: first, last_day: last }: Stop): string {
  if (first === last) return longDayText(first);
  return `${daysText(first, last)} ${last.slice(0, 4)}`;
}

/** A stop as it was known at the end of a UTC day, or is now. */
export interface KnownStop extends Stop {
  /** It was not known then whether it was over. */
  readonly isOpen: boolean;
}

/** `day`: undefined for now. Undefined before the alert. */
export function stopThen(stop: Stop, day: string | undefined): KnownStop | undefined {
  if (day === undefined) return { ...stop, isOpen: false };
  if (stop.alerted_at.slice(0, 10) > day) return undefined;
  const isOpen = stop.last_day >= day;
  return {
    ...stop,
    isOpen,
    last_day: isOpen ? day : stop.last_day,
    ...(stop.ended !== undefined && { ended: isOpen ? null : stop.ended }),
    lowest: stop.lowest !== null && stop.lowest.date <= day ? stop.lowest : null,
    queue: stop.queue !== null && stop.queue.date <= day ? stop.queue : null,
    scores: stop.scores.filter(({ date }) => date <= day),
  };
}

function berthings({ lowest, usual, isOpen }: KnownStop): string {
  if (usual !== null && lowest !== null)
    return `${lowest.berthed} berthed on ${dayOfYearText(lowest.date)}, ${Math.round(usual)} is usual.`;
  if (isOpen)
    return `Hardly any vessel berths${usual === null ? '' : `, ${Math.round(usual)} a day is usual`}.`;
  return 'The day is covered in part only: its berthings are not counted.';
}

const queue = ({ queue: after }: Stop): string =>
  after === null
    ? ''
    : `Queue after: ${vesselsText(after.waiting)} at the end of ${dayOfYearText(after.date)}.`;

function alerted({ stopped_since: since, alerted_at: at }: Stop): string {
  if (since === null) return `Alert at ${momentText(at)}.`;
  const hours = hoursBetween(Date.parse(since), Date.parse(at));
  return `Closed from ${momentText(since)}; alert ${hoursText(Math.max(0, hours))} later.`;
}

/** Nothing while it was not known whether it was over. */
function ended({ ended: at, isOpen }: KnownStop): string {
  if (isOpen || at === undefined) return '';
  return at === null ? ' Its end is not known.' : ` Open again from ${momentText(at)}.`;
}

function scores({ scores: days, last_day: last }: Stop): unknown {
  const known = days.filter(({ score }) => score !== null);
  if (known.length === 0) return nothing;
  const highest = Math.max(...known.filter(({ date }) => date <= last).map(({ score }) => score ?? 0));
  const after = known.findLast(({ date }) => date > last)?.score ?? null;
  const isHole = days.some(({ date, score }) => date === last && score === null);
  const during = isHole ? 'No score of the day' : `Score up to ${scoreText(highest)}`;
  return html`${sparkline(days.map(({ score }) => score))}<p>${during}${after === null ? '' : `, ${scoreText(after)} after`}.</p>`;
}

/** What public pages report of any day of a span at a port. A report dates an event at the place; none says that it was the cause. */
export const reportedEvents = ({
  port,
  first_day,
  last_day,
}: Pick<Stop, 'port' | 'first_day' | 'last_day'>) =>
  reported.filter(
    (event) => event.port === port && event.first_day <= last_day && first_day <= event.last_day,
  );

/** What was reported of the days of a stop by then, each with the page that says it. */
function reports(stop: Stop, day: string | undefined): unknown {
  const known = reportedEvents(stop).filter(({ published }) => day === undefined || published <= day);
  if (known.length === 0) return nothing;
  return html`<p class="stop-report">Reported there: ${known.map(
    ({ event, publisher, published, address }) =>
      html`${event} (<a href=${address} rel="noopener">${publisher}, ${dayText.format(Date.parse(published))}</a>)`,
  )}</p>`;
}

/** Scrolls the cards, not the page, to the one of the day. */
function intoView(card: Element | undefined): void {
  if (!(card instanceof HTMLElement)) return;
  // It is in the page once it is drawn.
  requestAnimationFrame(() => {
    const frame = card.closest<HTMLElement>('.stops-scroll');
    if (frame) frame.scrollLeft = card.offsetLeft - frame.offsetLeft;
  });
}

/** Each leads to the first screen as it was known at the end of its worst day. */
export function stopCards(stops: readonly KnownStop[], route: MapRoute): unknown {
  const { day } = route;
  if (stops.length === 0) return nothing;
  const card = (stop: KnownStop, i: number): TemplateResult => {
    const shown = stop.lowest?.date ?? stop.alerted_at.slice(0, 10);
    const isShown = day !== undefined && day >= stop.first_day && day <= stop.last_day;
    return html`<li class="stop-card ${isShown ? 'selected' : ''}" ${ref(isShown ? intoView : undefined)}>
      <p class="stop-head"><span class="stop-number">${i + 1}</span> <a href=${mapSearch({ ...route, day: shown })} aria-current=${isShown ? 'true' : nothing}>${datesText(stop)}</a></p>
      <p>${berthings(stop)} ${queue(stop)}</p>
      <p>${alerted(stop)}${ended(stop)}</p>
      <div class="stop-scores">${scores(stop)}</div>
      ${reports(stop, day)}
    </li>`;
  };
  return html`<section class="stops" aria-labelledby="stops-title">
    <h2 id="stops-title">${stops[0]?.name}: when berthings stopped</h2>
    <div class="stops-scroll" tabindex="0" role="region" aria-label="Stops, oldest first"><ol class="stop-cards">${stops.map(card)}</ol></div>${
      stops.some((stop) => reportedEvents(stop).length > 0)
        ? html`<p class="stop-note">Reports are of the weather at the place in those days. None of them says why the berthings stopped, and the figures do not know it.</p>`
        : nothing
    }
  </section>`;
}
