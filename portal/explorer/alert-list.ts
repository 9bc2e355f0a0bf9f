/** The alerts of a port, numbered as they are marked on the trend. */
import type { Alert } from '../../core/contracts/alerts.ts';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { Mark } from '../chart/alert-marks.ts';
import { momentText } from '../view/date-text.ts';
import { element } from '../view/element.ts';
import { fieldFirst, fieldName } from '../view/field-name.ts';

/** An alert of a day that has ended is dated to that day's last instant, which is the next day's first. */
const lastInstantOf = (asOf: string): number => Date.parse(asOf) - 1;

/** A level that fell is good news: it has a colour of its own at every severity. */
const toneOf = ({ type, severity, change_pct }: Alert): Mark['tone'] =>
  type === 'change_point' && change_pct < 0 ? 'fall' : severity;

export const marksOf = (alerts: readonly Alert[]): Mark[] =>
  alerts.map((alert, i) => ({ number: i + 1, at: lastInstantOf(alert.as_of), tone: toneOf(alert) }));

const changeText = (fraction: number): string =>
  `${fraction < 0 ? '▼ −' : '▲ +'}${Math.round(Math.abs(fraction) * 100)} %`;

/** Without data there is no alert either, which does not mean that nothing happened. */
function absenceText(asOf: string | null | undefined, windowAt: number): string {
  if (asOf == null)
    return 'No data: nothing has been observed of this port, so nothing can be said about alerts.';
  return Date.parse(asOf) < windowAt
    ? `No data in this window: the newest of this port are of ${momentText(asOf)}, so nothing can be said about alerts.`
    : `No alert in this window, on the days that the trend shows, of data up to ${momentText(asOf)}.`;
}

/** Draws `alerts` into `body`; a sentence instead when there are none. `windowAt` is where their window begins. */
export function drawAlerts(
  body: HTMLElement,
  alerts: readonly Alert[],
  port: PortRecord | undefined,
  windowAt: number,
): string | undefined {
  if (alerts.length === 0) return absenceText(port?.as_of, windowAt);
  const items = alerts.map((alert, i) =>
    element(
      'li',
      {},
      element(
        'span',
        { class: `flag tone-${toneOf(alert)}`, 'aria-label': `Mark ${i + 1}`, role: 'img' },
        String(i + 1),
      ),
      element(
        'div',
        {},
        element(
          'p',
          { class: 'alert-head' },
          element('b', {}, alert.severity),
          alert.type.replace('_', ' '),
          fieldName(alert.metric),
          element('span', { class: `change change-${toneOf(alert)}` }, changeText(alert.change_pct)),
          element('time', { datetime: alert.as_of }, alert.as_of.slice(0, 10)),
        ),
        element('p', {}, ...fieldFirst(alert.explain)),
      ),
    ),
  );
  const region = { class: 'alerts-scroll', tabindex: 0, role: 'region', 'aria-label': 'List of alerts' };
  body.append(element('div', region, element('ol', { class: 'alerts' }, ...items)));
  return undefined;
}
