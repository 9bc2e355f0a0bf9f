/** The first screen: the headline, the story of its port with the days, the map, the stops, and all ports with what changed. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { Stop } from '../../core/contracts/published-files.ts';
import type { MapPort } from '../map/clusters.ts';
import { worldMap } from '../map/later-map.ts';
import { scoreLegend } from '../map/port-marks.ts';
import { memoized } from '../view/memo.ts';
import { dateText, dayUpTo, longDayText, recordLine } from '../view/text.ts';
import { type Explorer, findNamed } from './explorer.ts';
import { changeSentence, headline, noChangeText } from './headline.ts';
import { movers } from './movers.ts';
import { isOwnDay, type MapRoute, mapSearch, portSearch } from './page-route.ts';
import { isOneRanking, listGroups, portList } from './port-list.ts';
import { readSeasons, readWorstWeek, type Season, seasonSwitch, seasonText } from './seasons.ts';
import {
  absenceText,
  ranked,
  readChanges,
  readPorts,
  readShownPorts,
  type ShownPorts,
} from './shown-ports.ts';
import { type KnownStop, stopCards, stopThen } from './stop-cards.ts';
import { stopsOf, story } from './story.ts';
import { unheldLine } from './unheld.ts';

/** Seasons have their months beside their names, and other ports that are not ranked the day of their figures. */
const mapPorts = memoized(({ ports, held }: ShownPorts, seasons: readonly Season[]): readonly MapPort[] => {
  const current = new Set(ranked(ports).map(({ port }) => port));
  return ports.map((port) => {
    const { as_of, congestion_score } = port;
    const season = as_of === null ? undefined : findNamed(seasons, port.port);
    const dated = as_of === null || current.has(port.port) ? undefined : dateText(dayUpTo(as_of));
    return {
      ...port,
      absence: congestion_score === null ? absenceText(port, held) : undefined,
      isSeason: season !== undefined,
      dated: season === undefined ? dated : seasonText(season),
    };
  });
});

/** While nothing is known, as in the page itself. */
const INTRODUCTION = 'Congestion of seaports, from open port-call data.';

const stopsThen = (stops: readonly Stop[], day: string | undefined): KnownStop[] =>
  stops.flatMap((stop) => stopThen(stop, day) ?? []);

const headlineOf = (explorer: Explorer, ports: readonly PortRecord[], day: string | undefined) =>
  headline({
    ports,
    stops: stopsThen(explorer.days.index()?.stops ?? [], day),
    week: day === undefined ? readWorstWeek(explorer) : undefined,
    day,
    isRecorded: explorer.isRecorded,
    lines: explorer.lines,
  });

function lead(explorer: Explorer, ports: readonly PortRecord[], route: MapRoute): TemplateResult {
  const { day } = route;
  const first = headlineOf(explorer, ports, day);
  const isStopped = (port: string): boolean => (findNamed(ports, port)?.stopped_since ?? null) !== null;
  // A closure, open or over, says enough; for a single day, show only this.
  const hasMore = day === undefined && first?.before !== '';
  const changes = hasMore ? ranked(readChanges(explorer).records) : [];
  const changed = changeSentence(changes, isStopped);
  const still = noChangeText(changes, explorer.isRecorded);
  const sentences = [first, changed].filter((sentence) => sentence !== undefined);
  const text = sentences.map(
    ({ before, port: { port, name }, after }) =>
      html`<span>${before}<a href=${mapSearch({ ...route, port })}>${name}</a>${after} </span>`,
  );
  const date = day === undefined ? '' : html`<span class="lead-day">${longDayText(day)}. </span>`;
  // The sentence waits for the stops: another one in its place would move the reader on.
  const isKnown = sentences.length > 0 && explorer.days.index() !== undefined;
  return html`<p class="lead">${isKnown ? html`${date}${text}${still}` : INTRODUCTION}</p>`;
}

/** The port whose story is shown: that of the newest headline, or of the season of the shown day. It stays the same while the days move. */
function storyPort(explorer: Explorer, { port: chosen, day }: MapRoute): PortRecord | undefined {
  const { records } = readPorts(explorer);
  if (chosen !== undefined) return findNamed(records, chosen);
  if (explorer.days.index() === undefined) return undefined;
  const headlinePort = findNamed(records, headlineOf(explorer, records, undefined)?.port.port);
  if (day === undefined || (headlinePort && isOwnDay(headlinePort, day))) return headlinePort;
  return readSeasons(explorer).find((season) => isOwnDay(season, day)) ?? headlinePort;
}

/** How far the last forecasts of a port were off, with a link to the whole record; nothing where no port has thirty. */
function saidLine({ days }: Explorer, port: string | undefined): unknown {
  const record = days.record();
  const line = record && recordLine(record, port);
  if (line === undefined) return nothing;
  const query = port === undefined ? '' : `?port=${port}`;
  return html`<p class="said">${line} <a href="/docs/record.html${query}">Track record</a></p>`;
}

/** The story of the port that the headline of the newest figures is about, or that is chosen, and the map. */
function overview(
  explorer: Explorer,
  shown: ShownPorts,
  route: MapRoute,
  shownPort: PortRecord | undefined,
): TemplateResult {
  const { lines, go, chosen, choose } = explorer;
  const { port, day } = route;
  const stops = stopsThen(stopsOf(explorer, shownPort?.port), day);
  const show = (code: string): void =>
    go(portSearch(route, findNamed(readPorts(explorer).records, code) ?? { port: code }));
  const drawn = (): void => {
    if (!chosen.isMapDrawn) choose({ isMapDrawn: true });
  };
  return html`<div class="overview">
        ${story(explorer, route, shownPort)}
        <div class="map-side">
          <figure class="map" ${worldMap(mapPorts(shown, readSeasons(explorer)), port, lines, show, drawn)}></figure>
          ${unheldLine(explorer, shown, day)}
          ${scoreLegend(lines)}
          ${port === undefined || shownPort !== undefined ? saidLine(explorer, shownPort?.port) : nothing}
        </div>
      </div>
      ${stopCards(stops, route)}`;
}

function allPorts(explorer: Explorer, shown: ShownPorts, route: MapRoute): TemplateResult {
  const { days, responses } = explorer;
  const { day } = route;
  const isAwaited = responses.key !== '' && !readPorts(explorer).complete;
  // Nothing below the stops and the headline is drawn before they are known: it would move.
  return html`<div class="ports-row" ?hidden=${days.index() === undefined || isAwaited}>
      <section class="all-ports" aria-labelledby="all-ports">
      <header class="all-head">
        <h2 id="all-ports">${isOneRanking(listGroups(shown.ports, readSeasons(explorer))) ? 'All ports, worst first' : 'All ports'}</h2>
        ${day === undefined ? nothing : html`<p class="all-day">As known at the end of ${longDayText(day)}; changes are of the newest figures. <a href=${mapSearch({ ...route, day: undefined })}>Show those</a></p>`}
      </header>
      ${portList(explorer, shown, route)}
    </section>
    ${day === undefined ? movers(explorer, route) : nothing}
    </div>`;
}

export function firstScreen(explorer: Explorer, route: MapRoute) {
  const shown = readShownPorts(explorer, route.day);
  const shownPort = storyPort(explorer, route);
  return {
    seasons: seasonSwitch(explorer, route, shownPort?.port),
    top: lead(explorer, shown.ports, route),
    overview: overview(explorer, shown, route, shownPort),
    all: allPorts(explorer, shown, route),
  };
}
