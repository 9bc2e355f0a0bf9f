/** The alerts of a port, numbered as they are marked on the trend. */
import { html, type TemplateResult } from 'lit-html';
import type { Alert } from '../../core/contracts/alerts.ts';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { Mark } from '../chart/alert-marks.ts';
import { memoized } from '../view/memo.ts';
import { fieldFirst, fieldName, momentText } from '../view/text.ts';

/** An alert of a day that has ended is dated to that day's last instant, which is the next day's first. */
const lastInstant = (asOf: string): number => Date.parse(asOf) - 1;

/** A level that fell is good news: it has a colour of its own at every severity. */
const tone = ({ type, severity, change_pct }: Alert): Mark['tone'] =>
  type === 'change_point' && change_pct < 0 ? 'fall' : severity;

export const alertMarks = memoized((alerts: readonly Alert[] | undefined): readonly Mark[] =>
  (alerts ?? []).map((alert, i) => ({ number: i + 1, at: lastInstant(alert.as_of), tone: tone(alert) })),
);

const changeText = (fraction: number): string =>
  `${fraction < 0 ? '▼ −' : '▲ +'}${Math.round(Math.abs(fraction) * 100)} %`;

/** Without data there is no alert either, which does not mean that nothing happened. */
function absenceText(asOf: string | null, windowAt: number): string {
  if (asOf === null)
    return 'No data: nothing has been observed of this port, so nothing can be said about alerts.';
  return Date.parse(asOf) < windowAt
    ? `No data in this window: the newest of this port are of ${momentText(asOf)}, so nothing can be said about alerts.`
    : `No alert in this window, on the days that the trend shows, of data up to ${momentText(asOf)}.`;
}

const item = (alert: Alert, i: number): TemplateResult => html`<li>
  <span class="flag tone-${tone(alert)}" aria-label="Mark ${i + 1}" role="img">${i + 1}</span>
  <div>
    <p class="alert-head">
      <b>${alert.severity}</b>${alert.type.replace('_', ' ')}${fieldName(alert.metric)}
      <span class="change change-${tone(alert)}">${changeText(alert.change_pct)}</span>
      <time datetime=${alert.as_of}>${alert.as_of.slice(0, 10)}</time>
    </p>
    <p>${fieldFirst(alert.explain)}</p>
  </div>
</li>`;

/** A sentence when there are none. `windowAt` is where their window begins, epoch milliseconds. */
export const alertList = (
  alerts: readonly Alert[],
  port: PortRecord,
  windowAt: number,
): TemplateResult | string =>
  alerts.length === 0
    ? absenceText(port.as_of, windowAt)
    : html`<div class="alerts-scroll" tabindex="0" role="region" aria-label="List of alerts">
        <ol class="alerts">${alerts.map(item)}</ol>
      </div>`;
