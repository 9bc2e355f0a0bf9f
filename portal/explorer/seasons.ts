/** Seasons: ports with months of figures that are not of now. They stand apart from ports with a few days, and a switch leads from one to another. */
import { html, nothing } from 'lit-html';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { WorstWeek } from '../../core/contracts/published-files.ts';
import { DAY_MS } from '../../core/reference/time.ts';
import { memoized } from '../view/memo.ts';
import {
  countryText,
  countText,
  daysText,
  hoursText,
  monthOfYearText,
  sentence,
  timesText,
} from '../view/text.ts';
import { type Explorer, findNamed } from './explorer.ts';
import { type MapRoute, portSearch } from './page-route.ts';
import { ranked, readPorts } from './shown-ports.ts';
import { stopsOf } from './story.ts';

export type Season = PortRecord & Readonly<Record<'as_of' | 'first_day' | 'last_day', string>>;

/** Smallest number of days of a season. */
const MIN_DAYS = 60;
/** Largest number of seasons that the switch shows: more ports are a list. */
const MAX_SEASONS = 6;

const isLong = (port: PortRecord): port is Season =>
  port.as_of !== null &&
  port.first_day !== null &&
  port.last_day !== null &&
  Date.parse(port.last_day) - Date.parse(port.first_day) >= (MIN_DAYS - 1) * DAY_MS;

/** The newest first. `isRecorded`: no port has figures of now. */
export function seasonsOf(ports: readonly PortRecord[], isRecorded: boolean): readonly Season[] {
  const current = new Set(isRecorded ? [] : ranked(ports).map(({ port }) => port));
  const found = ports.filter(isLong).filter(({ port }) => !current.has(port));
  return found.length > MAX_SEASONS ? [] : found.sort((a, b) => (a.last_day < b.last_day ? 1 : -1));
}

const knownSeasons = memoized(seasonsOf);
export const readSeasons = (explorer: Explorer): readonly Season[] =>
  knownSeasons(readPorts(explorer).records, explorer.isRecorded);

/** `2019`, `Jan to Oct 2025`, `Nov 2024 to Oct 2025`. */
export function seasonText({
  first_day: first,
  last_day: last,
}: Pick<Season, 'first_day' | 'last_day'>): string {
  const [from, to] = [first.slice(0, 4), last.slice(0, 4)];
  if (from === to && first.slice(5) <= '01-07' && last.slice(5) >= '12-25') return to;
  return `${monthOfYearText(first)}${from === to ? '' : ` ${from}`} to ${monthOfYearText(last)} ${to}`;
}

const weekOf = ({ days }: Explorer, { port }: Season): WorstWeek | undefined =>
  findNamed(days.index()?.worst_weeks ?? [], port);

export interface SeasonWeek extends WorstWeek {
  readonly season: Season;
}

/** The worst week of the newest season that has one. */
export function readWorstWeek(explorer: Explorer): SeasonWeek | undefined {
  for (const season of readSeasons(explorer)) {
    const week = weekOf(explorer, season);
    if (week !== undefined) return { ...week, season };
  }
  return undefined;
}

/** What happened in a season: how often berthings stopped, else its slowest week. */
function newsText(explorer: Explorer, season: Season): string {
  const stops = stopsOf(explorer, season.port).length;
  if (stops > 0) return `Berthings stopped ${timesText(stops)}`;
  const week = weekOf(explorer, season);
  return week === undefined
    ? ''
    : `Slowest week: ${daysText(week.first_day, week.last_day)}, ${hoursText(week.hours)} to the berth`;
}

/** Links to the seasons, if there are two or more. `shown`: the port of the story. */
export function seasonSwitch(explorer: Explorer, route: MapRoute, shown: string | undefined): unknown {
  const seasons = readSeasons(explorer);
  // The place is kept, so that nothing moves.
  if (!readPorts(explorer).complete && explorer.isRecorded && explorer.responses.key !== '')
    return html`<div class="seasons"></div>`;
  if (seasons.length < 2) return nothing;
  const link = (season: Season): unknown => {
    const isShown = season.port === shown;
    return html`<li><a class="season ${isShown ? 'selected' : ''}" href=${portSearch(route, season)} aria-current=${isShown ? 'true' : nothing}>
      <span class="season-name"><b>${season.name}, ${countryText(season.country)}</b> <span>${seasonText(season)}</span></span>
      <span class="season-news">${newsText(explorer, season)}</span>
    </a></li>`;
  };
  return html`<nav class="seasons" aria-labelledby="seasons-title">
    <h2 id="seasons-title">${sentence(`${countText(seasons.length)} seasons`)}</h2>
    <p>Chart, stops, days and record are those of the one you choose.</p>
    <ul>${seasons.map(link)}</ul>
  </nav>`;
}
