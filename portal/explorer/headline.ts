/** The sentence of the first screen: an open closure, else a queue, else the latest closure, else the worst week of a season, else the highest score. */
import type { PortChange } from '../../core/contracts/changes.ts';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { Stop } from '../../core/contracts/published-files.ts';
import { addDays, DAY_MS } from '../../core/reference/time.ts';
import { type ScoreLines, scoreClass } from '../view/score-class.ts';
import {
  averageWaitText,
  countText,
  dayOfYearText,
  daysText,
  hoursText,
  isEstimate,
  isStill,
  latestOf,
  momentText,
  movedText,
  scoreText,
  sentence,
  TOO_FEW,
  timesText,
  vesselsText,
} from '../view/text.ts';
import { type SeasonWeek, seasonText } from './seasons.ts';
import { ranked } from './shown-ports.ts';

/** A sentence around the name of its port, which is a link. */
interface Headline {
  readonly before: string;
  readonly port: Pick<PortRecord, 'port' | 'name'>;
  readonly after: string;
}

export interface Moment {
  /** Stopped ones, and then worst first. */
  readonly ports: readonly PortRecord[];
  /** Those known by then, oldest first. */
  readonly stops: readonly Stop[];
  /** The worst week of a season; undefined on a past day, and without one. */
  readonly week: SeasonWeek | undefined;
  /** The UTC day at whose end this was known; undefined for the newest figures. */
  readonly day: string | undefined;
  readonly isRecorded: boolean;
  readonly lines: ScoreLines;
}

function whenText({ evidence }: PortRecord, { day, isRecorded }: Moment): string {
  if (day !== undefined) return 'that day';
  if (evidence === 'simulated') return 'in the sample';
  return isRecorded ? 'in the recording' : 'now';
}

function anchorFacts({ at_anchor: waiting }: PortRecord): string[] {
  if (waiting === null) return [];
  return [waiting === 0 ? 'none at anchor' : `${waiting} at anchor`];
}

function waitFacts({ avg_wait_hours: hours, wait_basis: basis }: PortRecord): string[] {
  if (hours === null) return [];
  return [isEstimate(basis) ? TOO_FEW : `${hoursText(hours)} average wait`];
}

/** Longest time from the first closed hour of a closure to its alert. */
const NEW_STOP_DAYS = 3;

function stoppedHeadline(port: PortRecord, since: string, { ports, stops, day }: Moment): Headline {
  const stop = stops.findLast((known) => known.port === port.port);
  const isSame =
    stop !== undefined && Math.abs(Date.parse(stop.first_day) - Date.parse(since)) <= NEW_STOP_DAYS * DAY_MS;
  const usual =
    isSame && stop.usual !== null ? `; ${Math.round(stop.usual)} vessels berth on a usual day` : '';
  const others = ports.filter(({ stopped_since: at }) => at !== null).length - 1;
  const more =
    others === 0
      ? ''
      : ` ${sentence(`${countText(others)} more ${others === 1 ? 'port is' : 'ports are'} stopped`)}`;
  const facts = sentence([...anchorFacts(port), ...waitFacts(port)].join(', '));
  const state =
    day === undefined
      ? 'is stopped: hardly any vessel has berthed'
      : 'was stopped: hardly any vessel had berthed';
  return { before: '', port, after: ` ${state} since ${momentText(since)}${usual}. ${facts}${more}` };
}

function queueHeadline(port: PortRecord, score: number, moment: Moment): Headline {
  const { at_anchor: waiting, avg_wait_hours: hours } = port;
  const facts = [
    ...(waiting === null ? [] : [`${vesselsText(waiting)} at anchor`]),
    ...(hours === null ? [] : [averageWaitText(hours, port.wait_basis)]),
    `score ${scoreText(score)} of 1, ${scoreClass(score, moment.lines).label}`,
  ];
  const before = `Most congested ${whenText(port, moment)}: `;
  return { before, port, after: `. ${sentence(facts.join(', '))}` };
}

const YEAR_DAYS = 365;

/** The latest one; on a day, and where ports are observed now, of the year up to then. */
function latestStop({ ports, stops, day, isRecorded }: Moment): Stop | undefined {
  if (day !== undefined)
    return stops.findLast(
      ({ last_day, lowest }) => (lowest?.date ?? '') <= day && last_day >= addDays(day, -YEAR_DAYS),
    );
  const newest = latestOf(ports.map(({ as_of }) => as_of));
  const from = isRecorded || newest === undefined ? '' : addDays(newest.slice(0, 10), -YEAR_DAYS);
  return stops.findLast(({ last_day }) => last_day >= from);
}

const berthedText = (count: number): string =>
  count === 0 ? 'no vessel berthed' : `${vesselsText(count)} berthed`;

function stopHeadline(stop: Stop, moment: Moment): Headline {
  const { lowest, usual } = stop;
  const all = moment.stops.filter(({ port }) => port === stop.port);
  const year = stop.first_day.slice(0, 4);
  const span = all.every(({ first_day: day }) => day.startsWith(year)) ? `in ${year}` : 'within a year';
  const worst =
    lowest === null || usual === null
      ? `Stopped on ${dayOfYearText(stop.first_day)}.`
      : `On ${dayOfYearText(lowest.date)} ${berthedText(lowest.berthed)}; ${Math.round(usual)} is usual.`;
  const now = moment.ports.find(({ port }) => port === stop.port);
  const facts = now === undefined ? [] : [...waitFacts(now), ...anchorFacts(now)];
  const isToday = moment.day === undefined && !moment.isRecorded;
  const on = now?.as_of ? (isToday ? 'Today' : `On ${dayOfYearText(now.as_of)}`) : '';
  const state = facts.length === 0 || on === '' ? '' : ` ${on}: ${facts.join(', ')}.`;
  return { before: '', port: stop, after: ` stopped ${timesText(all.length)} ${span}. ${worst}${state}` };
}

function weekHeadline({ season, first_day, last_day, berthed, hours }: SeasonWeek): Headline {
  const after = `, ${seasonText(season)}: the ${vesselsText(berthed)} that berthed from ${daysText(first_day, last_day)} took ${hoursText(hours)} from arrival to berth on average, longer than in any other week.`;
  return { before: '', port: season, after };
}

function scoreHeadline(port: PortRecord, score: number, moment: Moment): Headline {
  const facts = [`score ${scoreText(score)} of 1`, ...anchorFacts(port), ...waitFacts(port)];
  const before = `Highest score ${whenText(port, moment)}: `;
  return { before, port, after: ` (${facts.join('; ')}).` };
}

/** Undefined where no port has a score and none has stopped. */
export function headline(moment: Moment): Headline | undefined {
  const [worst] = ranked(moment.ports);
  const stopped = worst?.stopped_since ?? null;
  if (worst !== undefined && stopped !== null) return stoppedHeadline(worst, stopped, moment);
  const score = worst?.congestion_score ?? null;
  if (worst !== undefined && score !== null && score >= moment.lines.low)
    return queueHeadline(worst, score, moment);
  const stop = latestStop(moment);
  if (stop !== undefined) return stopHeadline(stop, moment);
  if (moment.week !== undefined) return weekHeadline(moment.week);
  return worst === undefined || score === null ? undefined : scoreHeadline(worst, score, moment);
}

/** `changes`: the largest first. A stopped port has its own sentence: its score falls because nothing moves. */
export function changeSentence(
  changes: readonly PortChange[],
  isStopped: (port: string) => boolean,
): Headline | undefined {
  const first = changes.find(({ port }) => !isStopped(port));
  const change = first?.congestion_score_change ?? null;
  const score = first?.congestion_score ?? null;
  if (first === undefined || score === null || change === null || isStill(change)) return undefined;
  const after = ` (${movedText(score, change)}).`;
  return { before: 'Changed most in seven days: ', port: first, after };
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
