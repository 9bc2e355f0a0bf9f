/** The first screen: which port is worst and which has changed most, in words; the map beside the movers; the ports below. */
import type { PortChange } from '../../core/contracts/changes.ts';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { MapPort } from '../map/clusters.ts';
import { scoreLegend } from '../map/legend.ts';
import type { WorldMap } from '../map/world-map.ts';
import type { PortalSettings } from '../settings-block.ts';
import { createChoice } from '../view/choice.ts';
import { element } from '../view/element.ts';
import { type ScoreLines, scoreClass } from '../view/score-class.ts';
import { hoursText, isStill, movedText, scoreText, vesselsText } from '../view/text.ts';
import { heatMap } from './heat-map.ts';
import { createMovers } from './movers.ts';
import { LISTINGS, type Listing, type MapRoute, mapSearch } from './page-route.ts';
import type { PortIndex } from './port-index.ts';
import { type Changes, createPortList } from './port-list.ts';

// The first sentence of the first screen: which port is worst, and which has changed most.

/** A sentence around the name of its port, which is a link. */
interface LeadSentence {
  readonly before: string;
  readonly port: string;
  readonly name: string;
  readonly after: string;
}

/** Of when the figures are. */
function moment(evidence: PortRecord['evidence'], isRecorded: boolean): string {
  if (evidence === 'simulated') return 'in the sample';
  return isRecorded ? 'in the recording' : 'now';
}

/** `ports`: worst first. Undefined where none has a score. `isRecorded`: the figures are not of now. */
export function worstSentence(
  [worst]: readonly PortRecord[],
  lines: ScoreLines,
  isRecorded: boolean,
): LeadSentence | undefined {
  if (worst === undefined || worst.congestion_score === null) return undefined;
  const { port, name, congestion_score: score, at_anchor: waiting, avg_wait_hours: hours } = worst;
  const { label, from } = scoreClass(score, lines);
  const facts = [
    `${label}, score ${scoreText(score)} of 1`,
    ...(waiting === null ? [] : [`${vesselsText(waiting)} at anchor`]),
    ...(hours === null ? [] : [`average wait for a berth ${hoursText(hours)}`]),
  ];
  const when = moment(worst.evidence, isRecorded);
  const before = from >= lines.low ? `Most congested ${when}: ` : `No port is congested ${when}; highest: `;
  return { before, port, name, after: ` (${facts.join('; ')}).` };
}

/** `changes`: the largest first. */
export function changeSentence([first]: readonly PortChange[]): LeadSentence | undefined {
  const change = first?.congestion_score_change ?? null;
  const score = first?.congestion_score ?? null;
  if (first === undefined || score === null || change === null || isStill(change)) return undefined;
  const { port, name } = first;
  return { before: 'Changed most in seven days: ', port, name, after: ` (${movedText(score, change)}).` };
}

/** Why no port has changed most; empty where one has, or nothing is known. */
export function noChangeText(changes: readonly PortChange[], isRecorded: boolean): string {
  const known = changes.flatMap(({ congestion_score_change: change }) => change ?? []);
  if (changes.length === 0 || known.some((change) => !isStill(change))) return '';
  if (known.length > 0) return 'No score has moved within seven days.';
  return isRecorded
    ? 'The recording is too short to say what changed.'
    : 'No port has been observed for two weeks, so nothing can be said of changes yet.';
}

/** The build defines it. */
declare const MAP_SCRIPT: string;

interface FirstScreen {
  /** Above the chosen port. */
  readonly top: HTMLElement;
  /** All ports, as a table or a heat map. */
  readonly all: HTMLElement;
  /** `isAsking`: whether there is a key to ask with. */
  show(index: PortIndex, route: MapRoute, isAsking: boolean): void;
}

interface FirstScreenOptions {
  readonly lines: ScoreLines;
  readonly settings: PortalSettings;
  readonly go: (address: string) => void;
  readonly retry: () => void;
  /** The route that is shown, to which links add. */
  readonly route: () => MapRoute;
}

const mapPort = (port: PortRecord, change: PortChange | undefined): MapPort => ({
  port: port.port,
  name: port.name,
  latitude: port.latitude,
  longitude: port.longitude,
  score: port.congestion_score ?? undefined,
  atAnchor: port.at_anchor ?? 0,
  inPort: port.in_port ?? 0,
  isMeasured: port.evidence === 'observed' || port.evidence === 'recorded',
  weekChange: change?.congestion_score_change ?? undefined,
});

const sentence = ({ before, port, name, after }: LeadSentence, href: (port: string) => string): HTMLElement =>
  element('span', {}, before, element('a', { href: href(port) }, name), after, ' ');

/** While nothing is known, as in the page itself. */
const INTRODUCTION = 'Congestion of seaports, from open port-call data.';

/** After the first picture of the page, so that the map does not delay it. */
const afterFirstPaint = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));

export function createFirstScreen({ lines, settings, go, retry, route }: FirstScreenOptions): FirstScreen {
  const isRecorded = settings.recordedUntil !== undefined;
  const portHref = (port: string): string => mapSearch({ ...route(), port });
  const lead = element('p', { class: 'lead' }, INTRODUCTION);
  const figure = element('figure', { class: 'map' });
  const movers = createMovers(portHref, retry);
  const list = createPortList(lines, portHref);
  const listing = element('div', { class: 'listing' });
  const choice = createChoice('How ports are listed', LISTINGS, (wanted) =>
    go(mapSearch({ ...route(), listing: wanted as Listing })),
  );
  let map: WorldMap | undefined;
  let asked = false;
  let drawMap = (): void => {};

  const loadMap = async (): Promise<void> => {
    if (asked) return;
    asked = true;
    await afterFirstPaint();
    const { createWorldMap } = (await import(MAP_SCRIPT)) as typeof import('../map/world-map.ts');
    map = await createWorldMap(figure, lines, (port) => go(portHref(port)));
    drawMap();
  };
  return {
    top: element(
      'div',
      { class: 'first-screen' },
      lead,
      element(
        'div',
        { class: 'overview' },
        element('div', { class: 'map-side' }, figure, scoreLegend(lines)),
        movers.node,
      ),
    ),
    all: element(
      'section',
      { class: 'all-ports', 'aria-labelledby': 'all-ports' },
      element(
        'header',
        { class: 'all-head' },
        element('h2', { id: 'all-ports' }, 'All ports, highest score first'),
        choice.group,
      ),
      listing,
    ),
    show({ ports, changes }, { port: selected, listing: wanted }, isAsking) {
      const byPort: Changes = new Map(changes.records.map((change) => [change.port, change]));
      const sentences = [worstSentence(ports.records, lines, isRecorded), changeSentence(changes.records)];
      const still = noChangeText(changes.records, isRecorded);
      const parts = [...sentences.flatMap((lead) => (lead ? [sentence(lead, portHref)] : [])), still].filter(
        (part) => part !== '',
      );
      lead.replaceChildren(...(parts.length > 0 ? parts : [INTRODUCTION]));
      movers.show(ports.failure || !isAsking ? undefined : changes, still, selected);
      list.show(ports.records, byPort, selected);
      choice.show(wanted);
      if (wanted === 'heat map') listing.replaceChildren(heatMap(changes.records, lines, portHref));
      else if (list.node.parentElement !== listing) listing.replaceChildren(list.node);
      drawMap = () =>
        map?.show(
          ports.records.map((port) => mapPort(port, byPort.get(port.port))),
          selected,
        );
      drawMap();
      void loadMap();
    },
  };
}
