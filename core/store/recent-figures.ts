/**
 * What led to a snapshot as one short text, because the list of ports reads the row that holds it: two characters for each
 * score, then the three changes.
 */
import type { RecentFigures } from '../metrics/figures.ts';

/** A score has three decimals, so that a thousandth is the unit and 1,000 the largest number: two digits of this base. */
const BASE = 36;
const THOUSAND = 1000;
const DIGITS = 2;
const NO_SCORE = '..';

/** For example `0k1c..`, a bar, and `0.012,-1.5,3`; nothing behind the bar without a change. */
export function packRecent({ scores, change }: RecentFigures): string {
  const packed = scores.map((score) =>
    score === null
      ? NO_SCORE
      : Math.round(score * THOUSAND)
          .toString(BASE)
          .padStart(DIGITS, '0'),
  );
  const changes = change ? [change.congestionScore, change.avgWaitHours, change.atAnchor] : [];
  return `${packed.join('')}|${changes.join(',')}`;
}

export function unpackRecent(text: string): RecentFigures {
  const [packed = '', changes = ''] = text.split('|');
  const scores = (packed.match(/../g) ?? []).map((digits) =>
    digits === NO_SCORE ? null : Number.parseInt(digits, BASE) / THOUSAND,
  );
  if (changes === '') return { scores };
  const [congestionScore = 0, avgWaitHours = 0, atAnchor = 0] = changes.split(',').map(Number);
  return { scores, change: { congestionScore, avgWaitHours, atAnchor } };
}
