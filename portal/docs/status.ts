/** The live part of the status page: each source with its newest fetch and its outages of the last days. */
import { html, nothing, render, svg, type TemplateResult } from 'lit-html';
import {
  type ServiceStatus,
  type SourceState,
  STATUS_DAYS,
  STATUS_FILE,
} from '../../core/contracts/published-files.ts';
import { DAY_MS, dayOf, HOUR_MS } from '../../core/reference/time.ts';
import { durationText, minutesSince, portalJson } from '../api/source-list.ts';
import { dayYearText, momentText } from '../view/text.ts';

interface OutageDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** Hours of outage in it; undefined for a day before anything is known. */
  readonly outageHours: number | undefined;
}

/** Hours of all outages together, those that last up to `time`: of their parts from `startAt` to `endAt`, epoch milliseconds. */
export const outageHoursOf = (
  { outages }: Pick<SourceState, 'outages'>,
  time: string,
  startAt = -Infinity,
  endAt = Infinity,
): number =>
  outages.reduce((sum, { from, to = time }) => {
    const sharedMs = Math.min(Date.parse(to), endAt) - Math.max(Date.parse(from), startAt);
    return sum + Math.max(0, sharedMs) / HOUR_MS;
  }, 0);

/** One entry for each of the last `STATUS_DAYS` days up to that of `time`, oldest first. */
export function outageDays(
  state: Pick<SourceState, 'known_since_iso' | 'outages'>,
  time: string,
): OutageDay[] {
  const todayAt = Math.floor(Date.parse(time) / DAY_MS) * DAY_MS;
  const knownAt = state.known_since_iso === undefined ? Infinity : Date.parse(state.known_since_iso);
  return Array.from({ length: STATUS_DAYS }, (_, i) => {
    const startAt = todayAt - (STATUS_DAYS - 1 - i) * DAY_MS;
    const endAt = startAt + DAY_MS;
    const outageHours = knownAt >= endAt ? undefined : outageHoursOf(state, time, startAt, endAt);
    return { day: dayOf(startAt), outageHours };
  });
}

const MINUTES_PER_HOUR = 60;
const HOURS_PER_DAY = 24;
const TAGS = { fresh: 'fresh', late: 'late', stale: 'stale', recorded: 'late' } as const;

/** Units of the drawing: the step from day to day, the width of a bar, and the height of a whole day. */
const STEP = 4;
const WIDTH = 3;
const HEIGHT = 24;
/** A short outage stays visible. */
const MIN_SHARE = 0.15;

function bar({ day, outageHours }: OutageDay, i: number): TemplateResult {
  const isKnown = outageHours !== undefined;
  const title = isKnown ? `${durationText(outageHours * MINUTES_PER_HOUR)} of outage` : 'not known';
  const height = outageHours ? HEIGHT * Math.max(MIN_SHARE, outageHours / HOURS_PER_DAY) : 0;
  const x = i * STEP;
  return svg`<rect class="day-${isKnown ? 'up' : 'unknown'}" x=${x} width=${WIDTH} y="0" height=${HEIGHT}><title>${day}: ${title}</title></rect>${
    height === 0
      ? nothing
      : svg`<rect class="day-down" x=${x} width=${WIDTH} y=${HEIGHT - height} height=${height}></rect>`
  }`;
}

/** `2 outages in 90 days, 5.2 h together`. */
function outageText(state: SourceState, time: string): string {
  const { outages, known_since_iso } = state;
  if (known_since_iso === undefined && outages.length === 0) return 'Outages are not known yet';
  if (outages.length === 0) return `No outage in ${STATUS_DAYS} days`;
  const hours = durationText(outageHoursOf(state, time) * MINUTES_PER_HOUR);
  return `${outages.length} ${outages.length === 1 ? 'outage' : 'outages'} in ${STATUS_DAYS} days, ${hours} together`;
}

const outageList = ({ outages }: SourceState): unknown =>
  outages.length === 0
    ? nothing
    : html`<details><summary>Each outage</summary><ul>${outages
        .toReversed()
        .map(
          ({ from, to }) =>
            html`<li>${momentText(from)} to ${to === undefined ? 'now: it lasts' : momentText(to)}</li>`,
        )}</ul></details>`;

function fetchText({ last_fetch_iso }: SourceState, { time, recorded }: ServiceStatus): string {
  if (last_fetch_iso === undefined) return 'never fetched with success';
  const age = `, ${durationText(minutesSince(last_fetch_iso, Date.parse(time)))} before`;
  return `newest fetch ${momentText(last_fetch_iso)}${recorded ? '' : age}`;
}

/** `Replies are held since 20 Nov, 12:00: ...`. */
const doubtText = ({ since, outcome, detail }: NonNullable<SourceState['doubt']>): string =>
  `Replies are ${outcome} since ${momentText(since)}: ${detail}. The last good figures stay.`;

function outageBars(state: SourceState, time: string): TemplateResult {
  const { name, known_since_iso } = state;
  const text = outageText(state, time);
  const known =
    known_since_iso === undefined ? '' : ` Known since ${dayYearText.format(Date.parse(known_since_iso))}.`;
  const box = `0 0 ${STATUS_DAYS * STEP} ${HEIGHT}`;
  return html`<svg class="outage-bars" role="img" aria-label="${name}, by day: ${text}." viewBox=${box} preserveAspectRatio="none">${outageDays(state, time).map(bar)}</svg>
    <p class="muted">${text}.${known}</p>
    ${outageList(state)}`;
}

/** Recordings are from chosen days, so the time between them does not count as an outage. */
function sourceRow(state: SourceState, status: ServiceStatus): TemplateResult {
  const { source, name, every_minutes, stale_after_minutes } = state;
  const label = status.recorded ? 'recorded' : state.state;
  return html`<section class="source-state" data-source=${source} aria-label=${name}>
    <p class="source-head"><b>${name}</b> <code>${source}</code> <span class="tag tag-${TAGS[label]}">${label}</span></p>
    <p class="muted">${fetchText(state, status)}; fetched every ${durationText(every_minutes)}, stale after ${durationText(stale_after_minutes)}</p>
    ${state.doubt === undefined ? nothing : html`<p>${doubtText(state.doubt)}</p>`}
    ${status.recorded ? nothing : outageBars(state, status.time)}
  </section>`;
}

function drawn(status: ServiceStatus): TemplateResult {
  const { time, recorded, sources } = status;
  const head = recorded
    ? `Recorded replies up to ${momentText(time)}: nothing is fetched, and the time between recordings does not count as an outage.`
    : `As of ${momentText(time)}.`;
  const rows = sources.map((state) => sourceRow(state, status));
  return html`<p>${head}</p>${rows.length === 0 ? html`<p>No source has been fetched yet.</p>` : rows}`;
}

/** Fills `host`; without the file it says so. */
export async function startStatus(host: HTMLElement): Promise<void> {
  const status = await portalJson<ServiceStatus>(STATUS_FILE).catch(() => undefined);
  const content = status
    ? drawn(status)
    : html`<p role="alert">The status cannot be read now. Reload the page to try again.</p>`;
  host.replaceChildren();
  render(content, host);
}
