/** The first sentence of the first screen: which port is worst, and which has changed most. */
import type { PortChange } from '../../core/contracts/changes.ts';
import type { PortRecord } from '../../core/contracts/ports.ts';
import { hoursText, isStill, scoreText, vesselsText } from '../view/quantity.ts';
import { type ScoreLines, scoreClassOf } from '../view/score-class.ts';

/** A sentence around the name of its port, which is a link. */
export interface LeadSentence {
  readonly before: string;
  readonly port: string;
  readonly name: string;
  readonly after: string;
}

/** `ports`: worst first. Undefined where none has a score. */
export function worstSentence([worst]: readonly PortRecord[], lines: ScoreLines): LeadSentence | undefined {
  if (worst === undefined || worst.congestion_score === null) return undefined;
  const { port, name, congestion_score: score, at_anchor: waiting, avg_wait_hours: hours } = worst;
  const { label, from } = scoreClassOf(score, lines);
  const facts = [
    `${label}, score ${scoreText(score)} of 1`,
    ...(waiting === null ? [] : [`${vesselsText(waiting)} at anchor`]),
    ...(hours === null ? [] : [`average wait for a berth ${hoursText(hours)}`]),
  ];
  const before =
    from >= lines.low
      ? 'Most congested now: '
      : 'No port is above ordinary now; the highest score is that of ';
  return { before, port, name, after: ` (${facts.join('; ')}).` };
}

/** `changes`: the largest first. */
export function changeSentence([first]: readonly PortChange[]): LeadSentence | undefined {
  const change = first?.congestion_score_change ?? null;
  if (first === undefined || change === null || isStill(change)) return undefined;
  const { port, name, congestion_score: score } = first;
  const to = score === null ? '' : ` to ${scoreText(score)}`;
  const after = ` (${change > 0 ? 'up' : 'down'} ${scoreText(Math.abs(change))}${to}).`;
  return { before: 'Changed most in seven days: ', port, name, after };
}
