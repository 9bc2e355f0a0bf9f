/** The first screen: the headline, the story of its port with the days, the map, the stops, and all ports with what changed. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import type { PortChange } from '../../core/contracts/changes.ts';
import type { Stop } from '../../core/contracts/known-days.ts';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { MapPort } from '../map/clusters.ts';
import { worldMap } from '../map/later-map.ts';
import { scoreLegend } from '../map/legend.ts';
import { choiceRow } from '../view/choice.ts';
import { memoized } from '../view/memo.ts';
import { recordLine } from '../view/record-text.ts';
import { dayYearText, longDayText } from '../view/text.ts';
import { type Explorer, findNamed, isRecorded } from './explorer.ts';
import { changeSentence, headline, noChangeText } from './headline.ts';
import { heatMap } from './heat-map.ts';
import { movers } from './movers.ts';
import { type MapRoute, mapSearch } from './page-route.ts';
import { CHANGES, readPorts } from './port-index.ts';
import { portList } from './port-list.ts';
import { absenceText, readShownPorts, type ShownPorts } from './shown-ports.ts';
import { stopCards, stopThen } from './stop-cards.ts';
import { stopsOf, story } from './story.ts';
import { unheldLine } from './unheld.ts';

/** Figures that are older than the newest of any port by more are dated on the map. */
const OLD_MS = 3 * 86_400_000;

const mapPort = (
  port: PortRecord,
  change: PortChange | undefined,
  newestAt: number,
  shown: Pick<ShownPorts, 'held'>,
): MapPort => ({
  port: port.port,
  name: port.name,
  latitude: port.latitude,
  longitude: port.longitude,
  score: port.congestion_score ?? undefined,
  absence: port.congestion_score === null ? absenceText(port, shown) : undefined,
  atAnchor: port.at_anchor ?? 0,
  inPort: port.in_port ?? 0,
  dated:
    port.as_of !== null && newestAt - Date.parse(port.as_of) > OLD_MS
      ? dayYearText.format(Date.parse(port.as_of))
      : undefined,
  weekChange: change?.congestion_score_change ?? undefined,
  isStopped: port.stopped_since !== null,
});

const mapPorts = memoized(
  (
    ports: readonly PortRecord[],
    changes: readonly PortChange[],
    held: ReadonlySet<string>,
  ): readonly MapPort[] => {
    const byPort = new Map(changes.map((change) => [change.port, change]));
    const newestAt = Math.max(...ports.flatMap(({ as_of }) => (as_of === null ? [] : Date.parse(as_of))));
    return ports.map((port) => mapPort(port, byPort.get(port.port), newestAt, { held }));
  },
);

/** The list of ports will come. */
function isAwaited(explorer: Explorer): boolean {
  const { records, complete, failure } = readPorts(explorer);
  return explorer.responses.key !== '' && records.length === 0 && !complete && !failure;
}

/** While nothing is known, as in the page itself. */
const INTRODUCTION = 'Congestion of seaports, from open port-call data.';

const stopsBy = memoized((stops: readonly Stop[], day: string | undefined) =>
  stops.flatMap((stop) => stopThen(stop, day) ?? []),
);

/** The sentence above everything, and which port it is about. */
function lead(explorer: Explorer, shown: ShownPorts, route: MapRoute, portHref: (port: string) => string) {
  const { lines } = explorer;
  const { day } = route;
  const stops = stopsBy(explorer.days.index()?.stops ?? [], day);
  const moment = { ports: shown.ports.records, stops, day, isRecorded: isRecorded(explorer), lines };
  const first = headline(moment);
  const isStopped = (port: string): boolean =>
    (findNamed(shown.ports.records, port)?.stopped_since ?? null) !== null;
  // A stop, open or over, says enough; of a day only this is told.
  const hasMore = day === undefined && first?.before !== '';
  const changed = hasMore ? changeSentence(shown.changes.records, isStopped) : undefined;
  const still = hasMore ? noChangeText(shown.changes.records, moment.isRecorded) : '';
  const told = [first, changed].filter((sentence) => sentence !== undefined);
  const text = told.map(
    ({ before, port, name, after }) =>
      html`<span>${before}<a href=${portHref(port)}>${name}</a>${after} </span>`,
  );
  const date =
    day === undefined ? '' : html`<span class="lead-day">${longDayText.format(Date.parse(day))}. </span>`;
  // The sentence waits for the stops: another one in its place would move the reader on.
  const isKnown = told.length > 0 && explorer.days.index() !== undefined;
  return html`<p class="lead">${isKnown ? html`${date}${text}${still}` : INTRODUCTION}</p>`;
}

interface FirstScreen {
  readonly top: TemplateResult;
  /** The story of the port that the headline of the newest figures is about, or that is chosen, and the map. */
  readonly overview: TemplateResult;
  /** All ports, as a table or a heat map, and what changed. */
  readonly all: TemplateResult;
}

/** The port whose story is told: it stays the same while the days move. */
function storyPort(explorer: Explorer, chosen: string | undefined): PortRecord | undefined {
  const { records } = readPorts(explorer);
  if (chosen !== undefined) return findNamed(records, chosen);
  const stops = explorer.days.index()?.stops;
  if (stops === undefined) return undefined;
  const told = headline({
    ports: records,
    stops,
    day: undefined,
    isRecorded: isRecorded(explorer),
    lines: explorer.lines,
  });
  return told && findNamed(records, told.port);
}

/** How far the last forecasts of a port were off, with a link to the whole record; nothing where no port has thirty. */
function saidLine({ days }: Explorer, port: string | undefined): unknown {
  const record = days.record();
  const line = record && recordLine(record, port);
  if (line === undefined) return nothing;
  const query = port === undefined ? '' : `?port=${port}`;
  return html`<p class="said">${line} <a href="/docs/record.html${query}">What we said</a></p>`;
}

export function firstScreen(explorer: Explorer, route: MapRoute): FirstScreen {
  const { lines, go, responses, days, chosen, choose } = explorer;
  const shown = readShownPorts(explorer, route.day);
  const { ports, changes } = shown;
  const portHref = (port: string): string => mapSearch({ ...route, port });
  const told = storyPort(explorer, route.port);
  const stops = days.index()?.stops ?? [];
  const byPort = new Map(changes.records.map((change) => [change.port, change]));
  const mapped = mapPorts(ports.records, changes.records, shown.held);
  const list = { ports: ports.records, changes: byPort, selected: route.port, portHref, held: shown.held };
  const drawn = (): void => {
    if (!chosen.isMapDrawn) choose({ isMapDrawn: true });
  };
  const isNewest = route.day === undefined;
  const storyStops = stopsBy(stopsOf(stops, told?.port ?? ''), route.day);
  return {
    top: lead(explorer, shown, route, portHref),
    overview: html`<div class="overview">
        ${story(explorer, route, told, days.index())}
        <div class="map-side">
          <figure class="map" ${worldMap(mapped, route.port, lines, (port) => go(portHref(port)), drawn)}></figure>
          ${unheldLine(explorer, shown, route.day)}
          ${scoreLegend(lines)}
          ${route.port === undefined || told !== undefined ? saidLine(explorer, told?.port) : nothing}
        </div>
      </div>
      ${stopCards(storyStops, route.day, (day) => mapSearch({ ...route, day }))}`,
    // Nothing below the stops and the headline is drawn before they are known: it would move.
    all: html`<div class="ports-row" ?hidden=${days.index() === undefined || isAwaited(explorer)}>
      <section class="all-ports" aria-labelledby="all-ports">
      <header class="all-head">
        <h2 id="all-ports">All ports, worst first</h2>
        ${
          isNewest
            ? choiceRow(
                'How ports are listed',
                { table: 'table', 'heat map': 'heat map' },
                route.listing,
                (listing) => go(mapSearch({ ...route, listing })),
              )
            : html`<p class="all-day">As known at the end of ${longDayText.format(Date.parse(route.day ?? ''))}; heat map and changes are of the newest figures. <a href=${mapSearch({ ...route, day: undefined })}>Show those</a></p>`
        }
      </header>
      <div class="listing">
        ${
          route.listing === 'table' || !isNewest
            ? portList(explorer, list)
            : guard([changes.records, ports.records, stops, location.search], () =>
                heatMap(changes.records, ports.records, { lines, portHref, stops }),
              )
        }
      </div>
    </section>
    ${
      isNewest
        ? movers({
            changes: ports.failure || responses.key === '' ? undefined : changes,
            hasMoved: noChangeText(changes.records, isRecorded(explorer)) === '',
            lines,
            selected: route.port,
            findPort: (port) => findNamed(ports.records, port),
            portHref,
            retry: () => responses.retry(CHANGES),
          })
        : nothing
    }
    </div>`,
  };
}
