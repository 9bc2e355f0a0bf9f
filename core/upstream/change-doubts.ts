/** Doubts about what a reply would change of what is known: calls of a port, and monthly values. */
import type { Locode } from '../reference/locode.ts';
import { DAY_MS } from '../reference/time.ts';
import { type Doubt, exceeds, figure, type Limit } from './doubt.ts';
import type { ShownLists } from './list-doubts.ts';

/** How a reply compares with what is known of one port. */
export interface PortCounts {
  readonly port: Locode;
  /** Known calls of vessels in port that the reply should mention. */
  readonly open: number;
  /** Of these, the calls that it would withdraw, or end without a stated departure. */
  readonly withdrawn: number;
  /** Known calls, in port or not, for which the reply restates a time. */
  readonly known: number;
  /** Of these, the calls whose times moved by the same whole hours, at most. */
  readonly moved: number;
  readonly movedHours: number;
  /** Of the known calls, those whose vessel, traffic or class has changed. */
  readonly renamed: number;
  /** Known calls whose expected time the reply restates, and how many of them are now expected at another time. */
  readonly expectedAgain: number;
  readonly expectedOtherwise: number;
  /** Calls that the reply lists at this port, and how many of them it or the tables list at another. */
  readonly listed: number;
  readonly elsewhere: number;
  /** Whether the reply is a whole list, not a feed of changes. */
  readonly isWhole: boolean;
  /** Known calls that the reply names, and how many of them would get another time, place or vessel. */
  readonly named: number;
  readonly rewritten: number;
  /** Vessels in port whose place differs from the last reply. */
  readonly relocated: number;
  /** Events long before the last accepted reply, and how many of them belong to calls that no reply has listed. */
  readonly past: number;
  readonly strangers: number;
  /** Known calls that changed within the span of a feed of changes, and how many of them the feed omits or states as before. */
  readonly due: number;
  readonly unsaid: number;
}

/** Monthly values of one list: a measure at one level. */
export interface ValueCounts {
  readonly list: string;
  /** Known values that are restated, and how many of them change by more than a tenth. */
  readonly known: number;
  readonly revised: number;
  /** All values of the list, and how many of them have a code that is new. */
  readonly stated: number;
  readonly strangers: number;
  /** Values that are new or differ, and how many of them equal, digit by digit, the known value of another month or code. */
  readonly changed: number;
  readonly displaced: number;
}

const LIMITS = {
  /** Open calls withdrawn: more than this share and this number, and more with every hour since the last accepted reply. */
  withdrawn: { share: 0.1, atLeast: 3, sharePerDay: 0.3 },
  /** Vessels in port at another place: over four hours of a busy port nearly half of them move on. */
  relocated: { share: 0.1, atLeast: 5, sharePerDay: 2.5 },
  /** Known calls whose times all moved by the same whole hours. */
  moved: { share: 0.5, atLeast: 5 },
  renamed: { share: 0.3, atLeast: 10 },
  /** The forecast of a vessel at anchor may be corrected: about one known call in ten, by estimate. */
  expectedOtherwise: { share: 0.3, atLeast: 10 },
  /** A feed of changes has many corrections, a whole list few. */
  rewritten: { share: 0.3, atLeast: 5 },
  rewrittenOfAll: { share: 0.03, atLeast: 12, sharePerDay: 0.03 },
  strangers: { share: 0.3, atLeast: 10 },
  /** For a feed of changes with at least `known` known calls: after an outage of its own, it delivers its past at once. */
  strangersOfChanges: { share: 0.85, atLeast: 20, known: 20 },
  unsaid: { share: 0.3, atLeast: 5 },
  elsewhere: { share: 0.2, atLeast: 5 },
  revised: { share: 0.3, atLeast: 20 },
  unknownCodes: { share: 0.3, atLeast: 20 },
  displaced: { share: 0.2, atLeast: 3 },
} as const;

/** The share that chance explains grows with the time since the last accepted reply. */
const grown = (
  { share, atLeast, sharePerDay }: Limit & { readonly sharePerDay: number },
  sinceMs: number,
): Limit => ({ share: Math.min(1, share + (sharePerDay * sinceMs) / DAY_MS), atLeast });

/** The counts of all ports together, which say more than those of small ports. */
export const summed = (ports: readonly PortCounts[]): PortCounts =>
  ports.reduce((sum, port) => ({
    port: 'all ports',
    open: sum.open + port.open,
    withdrawn: sum.withdrawn + port.withdrawn,
    known: sum.known + port.known,
    moved: sum.moved + (sum.movedHours === port.movedHours ? port.moved : 0),
    movedHours: sum.movedHours,
    renamed: sum.renamed + port.renamed,
    listed: sum.listed + port.listed,
    isWhole: sum.isWhole && port.isWhole,
    named: sum.named + port.named,
    rewritten: sum.rewritten + port.rewritten,
    relocated: sum.relocated + port.relocated,
    past: sum.past + port.past,
    strangers: sum.strangers + port.strangers,
    due: sum.due + port.due,
    unsaid: sum.unsaid + port.unsaid,
    expectedAgain: sum.expectedAgain + port.expectedAgain,
    expectedOtherwise: sum.expectedOtherwise + port.expectedOtherwise,
    elsewhere: sum.elsewhere + port.elsewhere,
  }));

export function portDoubts(counts: PortCounts, sinceMs: number): Doubt[] {
  const { port, open, known, past, strangers, isWhole } = counts;
  const doubts: Doubt[] = [];
  const compare = (
    reason: string,
    part: number,
    whole: number,
    limit: Limit,
    words: (share: string) => string,
  ) => {
    if (exceeds(part, whole, limit))
      doubts.push({ reason, detail: `${port}: ${words(`${figure(part)} of ${figure(whole)}`)}` });
  };
  compare(
    'withdrawn-calls',
    counts.withdrawn,
    open,
    grown(LIMITS.withdrawn, sinceMs),
    (share) => `${share} open calls would be withdrawn`,
  );
  compare(
    'moved-times',
    counts.moved,
    known,
    LIMITS.moved,
    (share) => `the times of ${share} known calls moved by ${counts.movedHours} h`,
  );
  compare(
    'changed-identities',
    counts.renamed,
    known,
    LIMITS.renamed,
    (share) => `${share} known calls have another vessel or type`,
  );
  compare(
    'moved-forecasts',
    counts.expectedOtherwise,
    counts.expectedAgain,
    LIMITS.expectedOtherwise,
    (share) => `${share} known calls were expected at another time`,
  );
  const rewritten = isWhole ? grown(LIMITS.rewrittenOfAll, sinceMs) : LIMITS.rewritten;
  compare(
    'rewritten-calls',
    counts.rewritten,
    counts.named,
    rewritten,
    (share) => `${share} known calls would have another time, place or vessel`,
  );
  compare(
    'relocated-vessels',
    counts.relocated,
    open,
    grown(LIMITS.relocated, sinceMs),
    (share) => `${share} vessels in port would be at another place`,
  );
  compare(
    'unsaid-changes',
    counts.unsaid,
    counts.due,
    LIMITS.unsaid,
    (share) => `${share} changes that were stated before are missing`,
  );
  const isFilledUp = !isWhole && past - strangers < LIMITS.strangersOfChanges.known;
  if (!isFilledUp)
    compare(
      'unknown-calls',
      strangers,
      past,
      isWhole ? LIMITS.strangers : LIMITS.strangersOfChanges,
      (share) => `${share} past events are of calls that no reply had`,
    );
  compare(
    'two-ports',
    counts.elsewhere,
    counts.listed,
    LIMITS.elsewhere,
    (share) => `${share} calls are at another port too`,
  );
  return doubts;
}

export function valueDoubts(values: readonly ValueCounts[], shown: ShownLists): Doubt[] {
  const sum = (key: 'known' | 'revised' | 'changed' | 'displaced'): number =>
    values.reduce((total, counts) => total + counts[key], 0);
  const doubts = values.flatMap(({ list, stated, strangers }): Doubt[] => {
    if (shown[list] === undefined || !exceeds(strangers, stated, LIMITS.unknownCodes)) return [];
    const detail = `${list}: ${figure(strangers)} of ${figure(stated)} values are of codes that no publication had`;
    return [{ reason: 'unknown-codes', detail }];
  });
  if (exceeds(sum('displaced'), sum('changed'), LIMITS.displaced))
    doubts.push({
      reason: 'displaced-values',
      detail: `${figure(sum('displaced'))} of ${figure(sum('changed'))} new values are known ones of another month or code`,
    });
  if (exceeds(sum('revised'), sum('known'), LIMITS.revised))
    doubts.push({
      reason: 'revised-values',
      detail: `${figure(sum('revised'))} of ${figure(sum('known'))} known values would change by more than a tenth`,
    });
  return doubts;
}
