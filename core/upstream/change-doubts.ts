/** Doubts about what a reply would change of what is known: calls of a port, and monthly values. */
import type { Locode } from '../reference/locode.ts';
import { DAY_MS } from '../reference/time.ts';
import { compare, type Doubt, type Limit, type ShownLists } from './list-doubts.ts';

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

/** Each doubt about a port: the part and the whole that are compared, and what the part would mean. */
const PORT_DOUBTS = [
  ['withdrawn-calls', 'withdrawn', 'open', '# open calls would be withdrawn'],
  ['moved-times', 'moved', 'known', 'the times of # known calls moved by % h'],
  ['changed-identities', 'renamed', 'known', '# known calls have another vessel or type'],
  ['moved-forecasts', 'expectedOtherwise', 'expectedAgain', '# known calls were expected at another time'],
  ['rewritten-calls', 'rewritten', 'named', '# known calls would have another time, place or vessel'],
  ['relocated-vessels', 'relocated', 'open', '# vessels in port would be at another place'],
  ['unsaid-changes', 'unsaid', 'due', '# changes that were stated before are missing'],
  ['unknown-calls', 'strangers', 'past', '# past events are of calls that no reply had'],
  ['two-ports', 'elsewhere', 'listed', '# calls are at another port too'],
] as const;

interface PortLimit extends Limit {
  /** Added to the share for each day since the last accepted reply. */
  readonly sharePerDay?: number;
}
type PortLimits = Readonly<Record<(typeof PORT_DOUBTS)[number][1], PortLimit>>;

const WHOLE_LIST_LIMITS: PortLimits = {
  withdrawn: { share: 0.1, atLeast: 3, sharePerDay: 0.3 },
  moved: { share: 0.5, atLeast: 5 },
  renamed: { share: 0.3, atLeast: 10 },
  /** The forecast of a vessel at anchor may be corrected: about one known call in ten, by estimate. */
  expectedOtherwise: { share: 0.3, atLeast: 10 },
  rewritten: { share: 0.03, atLeast: 12, sharePerDay: 0.03 },
  /** Over four hours of a busy port nearly half of the vessels move on. */
  relocated: { share: 0.1, atLeast: 5, sharePerDay: 2.5 },
  unsaid: { share: 0.3, atLeast: 5 },
  strangers: { share: 0.3, atLeast: 10 },
  elsewhere: { share: 0.2, atLeast: 5 },
};
/** A feed of changes has many corrections, and after an outage of its own it delivers its past at once. */
const FEED_LIMITS: PortLimits = {
  ...WHOLE_LIST_LIMITS,
  rewritten: { share: 0.3, atLeast: 5 },
  strangers: { share: 0.85, atLeast: 20 },
};
/** With fewer known calls than this, a feed that has been filled up says nothing about strangers. */
const KNOWN_IN_FEED = 20;

/** The counts of all ports together, which say more than those of small ports. */
export function summed(ports: readonly [PortCounts, ...PortCounts[]]): PortCounts {
  const [first, ...others] = ports;
  const sum = { ...first, port: 'all ports', isWhole: ports.every(({ isWhole }) => isWhole) };
  const names = new Set(PORT_DOUBTS.flatMap(([, part, whole]) => [part, whole]));
  for (const other of others)
    for (const name of names)
      if (name !== 'moved' || other.movedHours === sum.movedHours) sum[name] += other[name];
  return sum;
}

/** @param sinceMs time since the last accepted reply */
export function portDoubts(counts: PortCounts, sinceMs: number): Doubt[] {
  const { port, isWhole, past, strangers, movedHours } = counts;
  const limits = isWhole ? WHOLE_LIST_LIMITS : FEED_LIMITS;
  const isFilledUp = !isWhole && past - strangers < KNOWN_IN_FEED;
  return PORT_DOUBTS.flatMap(([reason, part, whole, words]) => {
    if (isFilledUp && part === 'strangers') return [];
    const { share, atLeast, sharePerDay = 0 } = limits[part];
    const limit = { share: Math.min(1, share + (sharePerDay * sinceMs) / DAY_MS), atLeast };
    const detail = `${port}: ${words.replace('%', String(movedHours))}`;
    return compare(reason, counts[part], counts[whole], limit, detail);
  });
}

const VALUE_LIMITS = {
  revised: { share: 0.3, atLeast: 20 },
  unknownCodes: { share: 0.3, atLeast: 20 },
  displaced: { share: 0.2, atLeast: 3 },
} as const;

export function valueDoubts(values: readonly ValueCounts[], shown: ShownLists): Doubt[] {
  const sum = (key: 'known' | 'revised' | 'changed' | 'displaced'): number =>
    values.reduce((total, counts) => total + counts[key], 0);
  const { unknownCodes, displaced, revised } = VALUE_LIMITS;
  const displacedWords = '# new values are known ones of another month or code';
  const revisedWords = '# known values would change by more than a tenth';
  return [
    ...values
      .filter(({ list }) => shown[list] !== undefined)
      .flatMap(({ list, stated, strangers }) => {
        const words = `${list}: # values are of codes that no publication had`;
        return compare('unknown-codes', strangers, stated, unknownCodes, words);
      }),
    ...compare('displaced-values', sum('displaced'), sum('changed'), displaced, displacedWords),
    ...compare('revised-values', sum('revised'), sum('known'), revised, revisedWords),
  ];
}
