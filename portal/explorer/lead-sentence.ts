/** The first sentence of the first screen: which port is worst, and which has changed most. */
import type { PortChange } from '../../core/contracts/changes.ts';
import type { PortRecord } from '../../core/contracts/ports.ts';
import { hoursText, isStill, movedText, scoreText, vesselsText } from '../view/quantity.ts';
import { type ScoreLines, scoreClassOf } from '../view/score-class.ts';

/** A sentence around the name of its port, which is a link. */
export interface LeadSentence {
  readonly before: string;
  readonly port: string;
  readonly name: string;
  readonly after: string;
}

/** Of when the figures are. */
function momentOf(evidence: PortRecord['evidence'], isRecorded: boolean): string {
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
  const { label, from } = scoreClassOf(score, lines);
  const facts = [
    `${label}, score ${scoreText(score)} of 1`,
    ...(waiting === null ? [] : [`${vesselsText(waiting)} at anchor`]),
    ...(hours === null ? [] : [`average wait for a berth ${hoursText(hours)}`]),
  ];
  const when = momentOf(worst.evidence, isRecorded);
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
