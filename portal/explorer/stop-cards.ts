/** The stops of a port as cards: what happened, the queue after, how soon it was known, and the score through the days. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Stop } from '../../core/contracts/known-days.ts';
import { hoursBetween } from '../../core/reference/time.ts';
import { dayOfYearText, hoursText, longDayText, momentText, scoreText, vesselsText } from '../view/text.ts';
import { sparkline } from './sparkline.ts';

function datesText({ first_day: first, last_day: last }: Stop): string {
  if (first === last) return longDayText.format(Date.parse(first));
  return `${first.slice(0, 7) === last.slice(0, 7) ? Number(first.slice(8)) : dayOfYearText(first)} to ${longDayText.format(Date.parse(last))}`;
}

const berthings = ({ lowest, usual }: Stop): string =>
  lowest === null || usual === null
    ? 'The day is covered in part only: its berthings are not counted.'
    : `${lowest.berthed} berthed on ${dayOfYearText(lowest.date)}, ${Math.round(usual)} is usual.`;

const queue = ({ queue: after }: Stop): string =>
  after === null
    ? ''
    : `Queue after: ${vesselsText(after.waiting)} at the end of ${dayOfYearText(after.date)}.`;

function alerted({ stopped_since: since, alerted_at: at }: Stop): string {
  if (since === null) return `Alert at ${momentText(at)}.`;
  const hours = hoursBetween(Date.parse(since), Date.parse(at));
  return `Alert ${hoursText(Math.max(0, hours))} after the first closed hour.`;
}

function scores({ scores: days }: Stop): unknown {
  const known = days.flatMap(({ score }) => score ?? []);
  if (known.length === 0) return nothing;
  return html`${sparkline(days.map(({ score }) => score))}<p>Score up to ${scoreText(Math.max(...known))}, ${scoreText(known.at(-1) ?? 0)} after.</p>`;
}

/** `dayHref`: the address of the first screen as it was known at the end of a day. */
export function stopCards(
  stops: readonly Stop[],
  day: string | undefined,
  dayHref: (day: string) => string,
): unknown {
  if (stops.length === 0) return nothing;
  const card = (stop: Stop, i: number): TemplateResult => {
    const shown = stop.lowest?.date ?? stop.first_day;
    const isShown = day !== undefined && day >= stop.first_day && day <= stop.last_day;
    return html`<li class="stop-card ${isShown ? 'selected' : ''}">
      <p class="stop-head"><span class="stop-number">${i + 1}</span> <a href=${dayHref(shown)} aria-current=${isShown ? 'true' : nothing}>${datesText(stop)}</a></p>
      <p>${berthings(stop)} ${queue(stop)}</p>
      <p>${alerted(stop)}</p>
      <div class="stop-scores">${scores(stop)}</div>
    </li>`;
  };
  return html`<section class="stops" aria-labelledby="stops-title">
    <h2 id="stops-title">${stops[0]?.name}: when berthings stopped</h2>
    <div class="stops-scroll" tabindex="0" role="region" aria-label="Stops, oldest first"><ol class="stop-cards">${stops.map(card)}</ol></div>
  </section>`;
}
