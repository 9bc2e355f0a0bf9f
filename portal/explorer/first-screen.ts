/** The first screen: which port is worst and which has changed most, in words; the map beside the movers; the ports below. */
import { html, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import type { PortChange } from '../../core/contracts/changes.ts';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { MapPort } from '../map/clusters.ts';
import { worldMap } from '../map/later-map.ts';
import { scoreLegend } from '../map/legend.ts';
import { averageWaitText } from '../view/average-wait.ts';
import { choiceRow } from '../view/choice.ts';
import { isReal } from '../view/evidence.ts';
import { memoized } from '../view/memo.ts';
import { type ScoreLines, scoreClass } from '../view/score-class.ts';
import { isStill, momentText, movedText, scoreText, vesselsText } from '../view/text.ts';
import { type Explorer, findNamed, isRecorded } from './explorer.ts';
import { heatMap } from './heat-map.ts';
import { movers } from './movers.ts';
import { type MapRoute, mapSearch } from './page-route.ts';
import { CHANGES, readChanges, readPorts } from './port-index.ts';
import { portList } from './port-list.ts';

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

const anchorFacts = ({ at_anchor: waiting }: PortRecord): string[] =>
  waiting === null ? [] : [`${vesselsText(waiting)} at anchor`];

/** `ports`: stopped ones, and then worst first. Undefined where none has a score. `isRecorded`: the figures are not of now. */
export function worstSentence(
  ports: readonly PortRecord[],
  lines: ScoreLines,
  isRecorded: boolean,
): LeadSentence | undefined {
  const [worst] = ports;
  if (worst === undefined || worst.congestion_score === null) return undefined;
  const { port, name, congestion_score: score, avg_wait_hours: hours, stopped_since: stoppedSince } = worst;
  const when = moment(worst.evidence, isRecorded);
  if (stoppedSince !== null) {
    const others = ports.filter(({ stopped_since: since }) => since !== null).length - 1;
    const facts = [`since ${momentText(stoppedSince)}`, ...anchorFacts(worst)];
    const more = others === 0 ? '' : ` and ${others} more`;
    return { before: `Stopped ${when}: `, port, name, after: ` (${facts.join('; ')})${more}.` };
  }
  const { label, from } = scoreClass(score, lines);
  const facts = [
    `${label}, score ${scoreText(score)} of 1`,
    ...anchorFacts(worst),
    ...(hours === null ? [] : [averageWaitText(hours, worst.wait_basis)]),
  ];
  const before = `${from >= lines.low ? 'Most congested' : 'Highest score'} ${when}: `;
  return { before, port, name, after: ` (${facts.join('; ')}).` };
}

/** `changes`: the largest first. A stopped port has its own sentence: its score falls because nothing moves. */
export function changeSentence(
  changes: readonly PortChange[],
  isStopped: (port: string) => boolean,
): LeadSentence | undefined {
  const first = changes.find(({ port }) => !isStopped(port));
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

const mapPort = (port: PortRecord, change: PortChange | undefined): MapPort => ({
  port: port.port,
  name: port.name,
  latitude: port.latitude,
  longitude: port.longitude,
  score: port.congestion_score ?? undefined,
  atAnchor: port.at_anchor ?? 0,
  inPort: port.in_port ?? 0,
  isReal: isReal(port),
  weekChange: change?.congestion_score_change ?? undefined,
  isStopped: port.stopped_since !== null,
});

const mapPorts = memoized(
  (ports: readonly PortRecord[], changes: readonly PortChange[]): readonly MapPort[] => {
    const byPort = new Map(changes.map((change) => [change.port, change]));
    return ports.map((port) => mapPort(port, byPort.get(port.port)));
  },
);

/** While nothing is known, as in the page itself. */
const INTRODUCTION = 'Congestion of seaports, from open port-call data.';

interface FirstScreen {
  /** Above the chosen port. */
  readonly top: TemplateResult;
  /** All ports, as a table or a heat map. */
  readonly all: TemplateResult;
}

export function firstScreen(explorer: Explorer, route: MapRoute): FirstScreen {
  const { lines, go, responses } = explorer;
  const [ports, changes] = [readPorts(explorer), readChanges(explorer)];
  const portHref = (port: string): string => mapSearch({ ...route, port });
  const isStopped = (port: string): boolean =>
    (findNamed(ports.records, port)?.stopped_since ?? null) !== null;
  const byPort = new Map(changes.records.map((change) => [change.port, change]));
  const still = noChangeText(changes.records, isRecorded(explorer));
  const sentences = [
    worstSentence(ports.records, lines, isRecorded(explorer)),
    changeSentence(changes.records, isStopped),
  ].filter((sentence) => sentence !== undefined);
  const lead = sentences.map(
    ({ before, port, name, after }) =>
      html`<span>${before}<a href=${portHref(port)}>${name}</a>${after} </span>`,
  );
  const mapped = mapPorts(ports.records, changes.records);
  const list = { ports: ports.records, changes: byPort, selected: route.port, portHref };
  return {
    top: html`<div class="first-screen">
      <p class="lead">${lead.length > 0 || still !== '' ? html`${lead}${still}` : INTRODUCTION}</p>
      <div class="overview">
        <div class="map-side">
          <figure class="map" ${worldMap(mapped, route.port, lines, (port) => go(portHref(port)))}></figure>
          ${scoreLegend(lines)}
        </div>
        ${movers({
          changes: ports.failure || responses.key === '' ? undefined : changes,
          hasMoved: still === '',
          lines,
          selected: route.port,
          findPort: (port) => findNamed(ports.records, port),
          portHref,
          retry: () => responses.retry(CHANGES),
        })}
      </div>
    </div>`,
    all: html`<section class="all-ports" aria-labelledby="all-ports">
      <header class="all-head">
        <h2 id="all-ports">All ports, worst first</h2>
        ${choiceRow(
          'How ports are listed',
          { table: 'table', 'heat map': 'heat map' },
          route.listing,
          (listing) => go(mapSearch({ ...route, listing })),
        )}
      </header>
      <div class="listing">
        ${
          route.listing === 'table'
            ? portList(explorer, list)
            : guard([changes.records, ports.records, location.search], () =>
                heatMap(changes.records, ports.records, lines, portHref),
              )
        }
      </div>
    </section>`,
  };
}
