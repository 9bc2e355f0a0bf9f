/**
 * The congestion score of docs/methodology.md: (delay + wait + queue + flow) / 3, at most 1, of terms from 0 to 1;
 * where one of the first three is missing, the mean of the other two, and flow / 3. Where berthings have surely
 * stopped, at least 0.6 times the share of them that is missing.
 */
import { mean, round, SCORE_DECIMALS } from '../reference/statistics.ts';
import type { ScoreTerms } from './figures.ts';

/** Pseudo-calls that shrink the delayed share of a port with few calls toward the world median, and that median. */
const PRIOR_CALLS = 5;
const PRIOR_DELAYED_SHARE = 0.3;
/** Average wait at which the wait term is one half: the 95th percentile of port-months, in hours. */
const HALF_WAIT_HOURS = 24;
/** Added to the vessels in port, so that one vessel at anchor in an empty port does not count as a full queue. */
const QUEUE_DAMPING_VESSELS = 2;
/** Berthings are short below this share of the usual number. */
const SHORT_SHARE = 0.5;
/** With fewer usual berthings a day, half of them may be chance. */
const MIN_USUAL_BERTHINGS = 5;
/** Added to the vessels that wait, so that a single one does not count as a held-up port. */
const WAITING_DAMPING_VESSELS = 2;
/** Score of a port where nothing berths any more: the line of a medium alert. */
const STOPPED_SCORE = 0.6;
/** A score needs two of delay, wait and queue. */
export const TERMS = 3;
const MIN_TERMS = 2;

/** Share of the berthings that were delayed, shrunk toward the world median by five pseudo-calls. */
export const delayedShare = (delayed: number, berthings: number): number =>
  (delayed + PRIOR_CALLS * PRIOR_DELAYED_SHARE) / (berthings + PRIOR_CALLS);

/** 0 without a wait, one half at 24 h, and toward 1 beyond. */
export const waitTerm = (waitHours: number): number => waitHours / (waitHours + HALF_WAIT_HOURS);

/** Share of the vessels in port that are at anchor, damped for small ports. `inPort` includes `atAnchor`. */
export const queueTerm = (atAnchor: number, inPort: number): number =>
  atAnchor / (inPort + QUEUE_DAMPING_VESSELS);

/**
 * How far the berthings of 24 hours fall short of half of the usual number, 0 to 1, and 0 where fewer than five a day
 * are usual. Waiting vessels distinguish a shortfall from chance; where the flow is surely broken they are not needed.
 */
export function flowTerm(
  berthings: number,
  usualBerthings: number,
  { waiting, isBroken }: { readonly waiting: number; readonly isBroken: boolean },
): number {
  if (usualBerthings < MIN_USUAL_BERTHINGS) return 0;
  const shortfall = Math.max(0, 1 - berthings / (SHORT_SHARE * usualBerthings));
  return isBroken ? shortfall : (shortfall * waiting) / (waiting + WAITING_DAMPING_VESSELS);
}

/**
 * Mean of the known terms of delay, wait and queue, plus a third of the flow term, which is added so that no term
 * lowers the score; 3 decimals. Undefined with fewer than two of the three.
 */
export function queueScore(terms: ScoreTerms): number | undefined {
  const known = [terms.delayedShare, terms.waitTerm, terms.queueTerm].filter((term) => term !== undefined);
  if (known.length < MIN_TERMS) return undefined;
  const score = mean(known) + (terms.flowTerm ?? 0) / TERMS;
  return round(Math.min(1, Math.max(0, score)), SCORE_DECIMALS);
}

/** The score by delay, wait and queue alone: what it is where vessels berth as usual. */
export const calmScore = ({ delayedShare, waitTerm, queueTerm }: ScoreTerms): number | undefined =>
  queueScore({
    ...(delayedShare !== undefined && { delayedShare }),
    ...(waitTerm !== undefined && { waitTerm }),
    ...(queueTerm !== undefined && { queueTerm }),
  });

/**
 * The served score: that of the queue or, where more berthings are missing, what they imply. A storm empties the
 * anchorage, so a closed port has no queue in sight.
 */
export function congestionScore(terms: ScoreTerms): number | undefined {
  const score = queueScore(terms);
  const stopped = round(STOPPED_SCORE * (terms.stoppedShare ?? 0), SCORE_DECIMALS);
  return score === undefined ? undefined : Math.max(score, stopped);
}
