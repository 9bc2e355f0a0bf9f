/** The change of one port within a week, in words. */
import type { PortChange } from '../../core/contracts/changes.ts';
import { hoursText, isStill, movedText, scoreText, vesselsText } from '../view/quantity.ts';

type Figures = Omit<PortChange, 'port' | 'name' | 'country' | 'scores'>;

function scorePart({ congestion_score: score, congestion_score_change: change }: Figures): string {
  if (score === null) return 'Nothing has been observed yet';
  if (change === null) return `Score ${scoreText(score)}`;
  if (isStill(change)) return `Score ${scoreText(score)}, as a week ago`;
  return `Score ${movedText(score, change)}`;
}

function anchorPart({ at_anchor: count, at_anchor_change: change }: Figures): string | undefined {
  if (count === null) return undefined;
  const now = `${vesselsText(count)} at anchor`;
  if (change === null) return now;
  if (change === 0) return `${now}, unchanged`;
  return `${now}, ${Math.abs(change)} ${change > 0 ? 'more' : 'fewer'} than a week ago`;
}

/** A wait that differs by less than this is the same for a reader. Hours. */
const SAME_HOURS = 0.5;

function waitPart({ avg_wait_hours: hours, avg_wait_hours_change: change }: Figures): string | undefined {
  if (hours === null) return undefined;
  const now = `average wait for a berth ${hoursText(hours)}`;
  if (change === null || Math.abs(change) < SAME_HOURS) return now;
  return `${now} (${hoursText(Math.max(0, hours - change))} a week ago)`;
}

/** For example `Score rose from 0.29 to 0.41. 21 vessels at anchor, 12 more than a week ago; average wait for a berth 29 h (21 h a week ago).` */
export function moverSentence(figures: Figures): string {
  const rest = [anchorPart(figures), waitPart(figures)].filter((part) => part !== undefined).join('; ');
  return rest === '' ? `${scorePart(figures)}.` : `${scorePart(figures)}. ${capitalized(rest)}.`;
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
