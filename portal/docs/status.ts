/** The live part of the status page: each source with its newest fetch and its outages of the last days. */
import {
  type ServiceStatus,
  type SourceState,
  STATUS_DAYS,
  STATUS_FILE,
} from '../../core/contracts/status.ts';
import { DAY_MS, dayOf, HOUR_MS } from '../../core/reference/time.ts';
import { durationText } from '../api/source-list.ts';
import { element, svgElement } from '../view/element.ts';
import { dayYearText, momentText } from '../view/text.ts';

// The outages of a source by UTC day, as the bars of the status page show them.

export interface OutageDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** Hours of outage in it; undefined for a day before anything is known. */
  readonly outageHours: number | undefined;
}

/** Hours of the interval that lie between two times, all in epoch milliseconds. */
const sharedHours = (from: number, to: number, start: number, end: number): number =>
  Math.max(0, Math.min(to, end) - Math.max(from, start)) / HOUR_MS;

/** One entry for each of the last `STATUS_DAYS` days up to that of `time`, oldest first. */
export function outageDays(
  { known_since_iso, outages }: Pick<SourceState, 'known_since_iso' | 'outages'>,
  time: string,
): OutageDay[] {
  const nowAt = Date.parse(time);
  const todayAt = Math.floor(nowAt / DAY_MS) * DAY_MS;
  const knownAt = known_since_iso === undefined ? Infinity : Date.parse(known_since_iso);
  return Array.from({ length: STATUS_DAYS }, (_, i) => {
    const startAt = todayAt - (STATUS_DAYS - 1 - i) * DAY_MS;
    const endAt = startAt + DAY_MS;
    const hours = outages.reduce(
      (sum, { from, to = time }) => sum + sharedHours(Date.parse(from), Date.parse(to), startAt, endAt),
      0,
    );
    return {
      day: dayOf(startAt),
      outageHours: knownAt >= endAt ? undefined : hours,
    };
  });
}

/** Hours of all outages together, those that last up to `time`. */
export const outageHoursOf = ({ outages }: Pick<SourceState, 'outages'>, time: string): number =>
  outages.reduce((sum, { from, to = time }) => sum + (Date.parse(to) - Date.parse(from)) / HOUR_MS, 0);

const MINUTE_MS = 60_000;
const MINUTES_PER_HOUR = 60;
const HOURS_PER_DAY = 24;
const TAGS = { fresh: 'fresh', late: 'late', stale: 'stale', offline: 'late', recorded: 'late' } as const;

/** Units of the drawing: the step from day to day, the width of a bar, and the height of a whole day. */
const STEP = 4;
const WIDTH = 3;
const HEIGHT = 24;
/** A short outage stays visible. */
const MIN_SHARE = 0.15;

function toBars(days: readonly OutageDay[], label: string): SVGElement {
  const bars = days.flatMap(({ day, outageHours }, i) => {
    const known = outageHours === undefined ? 'unknown' : 'up';
    const share = outageHours ? Math.max(MIN_SHARE, outageHours / HOURS_PER_DAY) : 0;
    const place = { x: i * STEP, width: WIDTH };
    const title =
      outageHours === undefined ? 'not known' : `${durationText(outageHours * MINUTES_PER_HOUR)} of outage`;
    const whole = svgElement(
      'rect',
      { class: `day-${known}`, ...place, y: 0, height: HEIGHT },
      svgElement('title', {}, `${day}: ${title}`),
    );
    if (share === 0) return [whole];
    return [
      whole,
      svgElement('rect', { class: 'day-down', ...place, y: HEIGHT * (1 - share), height: HEIGHT * share }),
    ];
  });
  const viewBox = `0 0 ${STATUS_DAYS * STEP} ${HEIGHT}`;
  return svgElement(
    'svg',
    { class: 'outage-bars', role: 'img', 'aria-label': label, viewBox, preserveAspectRatio: 'none' },
    ...bars,
  );
}

/** `2 outages in 90 days, 5.2 h together`. */
function outageText(state: SourceState, time: string): string {
  const { outages, known_since_iso } = state;
  if (known_since_iso === undefined && outages.length === 0) return 'Outages are not known yet';
  if (outages.length === 0) return `No outage in ${STATUS_DAYS} days`;
  const hours = durationText(outageHoursOf(state, time) * MINUTES_PER_HOUR);
  return `${outages.length} ${outages.length === 1 ? 'outage' : 'outages'} in ${STATUS_DAYS} days, ${hours} together`;
}

const outageList = ({ outages }: SourceState): HTMLElement[] =>
  outages.length === 0
    ? []
    : [
        element(
          'details',
          {},
          element('summary', {}, 'Each outage'),
          element(
            'ul',
            {},
            ...outages
              .toReversed()
              .map(({ from, to }) =>
                element(
                  'li',
                  {},
                  `${momentText(from)} to ${to === undefined ? 'now: it lasts' : momentText(to)}`,
                ),
              ),
          ),
        ),
      ];

function fetchText({ last_fetch_iso }: SourceState, { time, recorded }: ServiceStatus): string {
  if (last_fetch_iso === undefined) return 'never fetched with success';
  const minutes = Math.max(0, (Date.parse(time) - Date.parse(last_fetch_iso)) / MINUTE_MS);
  return recorded
    ? `newest fetch ${momentText(last_fetch_iso)}`
    : `newest fetch ${momentText(last_fetch_iso)}, ${durationText(minutes)} before`;
}

/** `Replies are held since 20 Nov, 12:00: ...`. */
const doubtText = ({ since, outcome, detail }: NonNullable<SourceState['doubt']>): string =>
  `Replies are ${outcome} since ${momentText(since)}: ${detail}. The last good figures stay.`;

function sourceRow(state: SourceState, status: ServiceStatus): HTMLElement {
  const { source, name, every_minutes, stale_after_minutes, known_since_iso } = state;
  const label = status.recorded ? 'recorded' : state.state;
  const text = outageText(state, status.time);
  const known =
    known_since_iso === undefined ? '' : ` Known since ${dayYearText.format(Date.parse(known_since_iso))}.`;
  return element(
    'section',
    { class: 'source-state', 'data-source': source, 'aria-label': name },
    element(
      'p',
      { class: 'source-head' },
      element('b', {}, name),
      ' ',
      element('code', {}, source),
      ' ',
      element('span', { class: `tag tag-${TAGS[label]}` }, label),
    ),
    element(
      'p',
      { class: 'muted' },
      `${fetchText(state, status)}; fetched every ${durationText(every_minutes)}, stale after ${durationText(stale_after_minutes)}`,
    ),
    ...(state.doubt === undefined ? [] : [element('p', {}, doubtText(state.doubt))]),
    toBars(outageDays(state, status.time), `${name}, by day: ${text}.`),
    element('p', { class: 'muted' }, `${text}.${known}`),
    ...outageList(state),
  );
}

function drawn(status: ServiceStatus): HTMLElement[] {
  const { time, recorded, sources } = status;
  const head = recorded
    ? `Recorded replies up to ${momentText(time)}: nothing is fetched. Gaps between recordings count as outages.`
    : `As of ${momentText(time)}.`;
  if (sources.length === 0)
    return [element('p', {}, head), element('p', {}, 'No source has been fetched yet.')];
  return [element('p', {}, head), ...sources.map((state) => sourceRow(state, status))];
}

/** Fills `host`; without the file it says so. */
export async function startStatus(host: Element): Promise<void> {
  const response = await fetch(STATUS_FILE).catch(() => undefined);
  if (response?.ok) host.replaceChildren(...drawn((await response.json()) as ServiceStatus));
  else
    host.replaceChildren(
      element('p', { role: 'alert' }, 'The status cannot be read now. Reload the page to try again.'),
    );
}
