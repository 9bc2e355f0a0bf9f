/** The slider over the days as they were known: under the chart, on the same axis, with keyboard and play. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { addDays, DAY_MS } from '../../core/reference/time.ts';
import { longDayText } from '../view/text.ts';
import type { Explorer } from './explorer.ts';
import { type MapRoute, mapSearch } from './page-route.ts';

const STEP_MS = 160;
let timer: ReturnType<typeof setInterval> | undefined;

export interface Days {
  /** Where the axis of the chart begins, a UTC day, and its last whole day. The step after it is the newest figures. */
  readonly axisFirst: string;
  readonly axisLast: string;
  readonly first: string;
  readonly last: string;
  /** What the newest figures are called. */
  readonly newest: string;
}

const daysFrom = (first: string, day: string): number => (Date.parse(day) - Date.parse(first)) / DAY_MS;

/** `day` where it is known, or the nearest that is; undefined behind the last one, where the newest figures are. */
export function knownDay({ first, last }: Pick<Days, 'first' | 'last'>, day: string): string | undefined {
  if (day > last) return undefined;
  return day < first ? first : day;
}

function move(explorer: Explorer, day: string | undefined): void {
  explorer.choose({ moved: { day } });
}

function settle(explorer: Explorer, route: MapRoute, day: string | undefined): void {
  clearInterval(timer);
  timer = undefined;
  explorer.go(mapSearch({ ...route, day }), 'replace');
}

function play(explorer: Explorer, route: MapRoute, days: Days): void {
  let day = route.day ?? days.first;
  move(explorer, day);
  timer = setInterval(() => {
    const next = knownDay(days, addDays(day, 1));
    if (next === undefined) {
      settle(explorer, route, undefined);
      return;
    }
    day = next;
    move(explorer, day);
  }, STEP_MS);
}

export function daySlider(explorer: Explorer, route: MapRoute, days: Days): TemplateResult {
  const count = daysFrom(days.axisFirst, days.axisLast) + 1;
  const at = route.day === undefined ? count : daysFrom(days.axisFirst, route.day);
  const text = route.day === undefined ? days.newest : `As known at the end of ${longDayText(route.day)}`;
  const dayAt = ({ target }: Event): string | undefined => {
    const { valueAsNumber: chosen } = target as HTMLInputElement;
    return chosen >= count ? undefined : knownDay(days, addDays(days.axisFirst, chosen));
  };
  const toggle = (): void =>
    timer === undefined ? play(explorer, route, days) : settle(explorer, route, route.day);
  const newest = (): void => settle(explorer, route, undefined);
  return html`<div class="day-slider">
    <input type="range" min="0" max=${count} .valueAsNumber=${at} aria-label="Day" aria-valuetext=${text}
      @input=${(event: Event) => move(explorer, dayAt(event))} @change=${(event: Event) => settle(explorer, route, dayAt(event))}>
    <div class="day-row">
      <button type="button" class="button" @click=${toggle}>${timer === undefined ? '▶ Play the days' : '❚❚ Pause'}</button>
      <output>${text}</output>
      ${route.day === undefined ? nothing : html`<button type="button" class="button" @click=${newest}>Newest</button>`}
    </div>
  </div>`;
}
