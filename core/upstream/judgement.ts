/**
 * The judgement of a reply, between the archive and the tables: one table of rules, and the verdict that they give on the counts of a
 * reply and of earlier accepted replies. Pure.
 *
 * Figures of real replies: 54 polls of Hong Kong (October 2025), Kaohsiung by the hour and by the day (January to September 2025), US
 * imports by chapter (2013 to June 2021). No run of real replies of Finland, Singapore or Korea was at hand: their limits are estimates.
 */
import type { Locode } from '../reference/codes.ts';
import { DAY_MS } from '../reference/time.ts';
import type { ListCount } from './source.ts';

// What the lists of accepted replies had: rows, refusals and filled fields, by list and port. Pure.

/** Counts of one list over accepted replies. */
interface ListHistory {
  /** Rows of the newest. */
  readonly rows: number;
  /** Means over the last replies: rows per requested day, and refusals per row. */
  readonly rowsPerDay?: number;
  readonly refusedShare: number;
  /** Share of the rows that fill a field, by its name. */
  readonly filledShares?: Readonly<Record<string, number>>;
  /** Replies in the means, at most `REPLIES_KEPT`. */
  readonly replies: number;
}

/** By list and port; depends only on accepted replies. */
export type ShownLists = Readonly<Record<string, ListHistory>>;

/** Means cover about this many replies. */
const REPLIES_KEPT = 20;

const listKey = ({ list, port }: ListCount): string => (port === undefined ? list : `${list} ${port}`);

/** Rows that a list states once: a row repeated states nothing more. */
const distinctRows = ({ rows, repeated = 0 }: ListCount): number => rows - repeated;

/** The counts of past replies, updated with an accepted reply. */
export function learned(shown: ShownLists, lists: readonly ListCount[]): ShownLists {
  const next: Record<string, ListHistory> = { ...shown };
  for (const list of lists) {
    const { rows, refused, days, filled } = list;
    const before = next[listKey(list)];
    const replies = Math.min((before?.replies ?? 0) + 1, REPLIES_KEPT);
    const mean = (usual: number | undefined, now: number): number =>
      usual === undefined ? now : usual + (now - usual) / replies;
    /** An empty list says nothing about its fields. */
    const filledShare = ([field, count]: [string, number]): [string, number] => {
      const usual = before?.filledShares?.[field];
      return [field, mean(usual, rows === 0 ? (usual ?? 0) : count / rows)];
    };
    next[listKey(list)] = {
      rows: distinctRows(list),
      refusedShare: mean(before?.refusedShare, rows === 0 ? 0 : refused / rows),
      ...(filled && { filledShares: Object.fromEntries(Object.entries(filled).map(filledShare)) }),
      ...(days !== undefined &&
        days > 0 && { rowsPerDay: mean(before?.rowsPerDay, distinctRows(list) / days) }),
      replies,
    };
  }
  return next;
}

/** `refused`: of another structure. `held`: implausible. Neither changes a figure. `revoked`: accepted once, and taken back. */
export interface Verdict {
  readonly outcome: 'accepted' | 'refused' | 'held' | 'revoked';
  /** `parser`: the reply could not be read, and is read again when it is replayed. `recovery`: later replies have shown what is true. */
  readonly by: 'judgement' | 'parser' | 'operator' | 'recovery';
  /** A short stable word for metrics; absent from an accepted reply. */
  readonly reason?: string;
  /** One sentence for the log and the status page. */
  readonly detail?: string;
}

export const ACCEPTED: Verdict = { outcome: 'accepted', by: 'judgement' };

/**
 * How a reply states calls or values. `list`: all open calls, or all of a span, as of now. `feed`: what has changed since a time.
 * `window`: the calls that arrived in a span, which it does not state as complete. `periods`: values of months.
 */
const FORMS = ['list', 'feed', 'window', 'periods'] as const;
type Form = (typeof FORMS)[number];

/** How a reply compares with what is known of one port. */
export interface PortCounts {
  readonly port: Locode;
  readonly form: Exclude<Form, 'periods'>;
  /** Known calls that the reply should mention: of vessels in port, of a window all that arrived in it. */
  readonly open: number;
  /** How many of `open` the reply would withdraw, would end without a stated departure, or lacks. */
  readonly withdrawn: number;
  /** Known calls of vessels in port, and how many of them the reply ends. */
  readonly inPort: number;
  readonly ended: number;
  /** Known calls, in port or not, for which the reply restates a time. */
  readonly known: number;
  /** Largest number of `known` whose times moved by the same whole hours. */
  readonly moved: number;
  readonly movedHours: number;
  /** Known calls that the reply names, and how many of them have another vessel, traffic or class. */
  readonly compared: number;
  readonly renamed: number;
  /** Known calls whose expected time the reply restates, and how many of them are now expected at another time. */
  readonly expectedAgain: number;
  readonly expectedOtherwise: number;
  /** Calls that the reply lists at this port, and how many of them it or the tables list at another. */
  readonly listed: number;
  readonly elsewhere: number;
  /** Known calls with an event in the reply, and how many of them would get another time, place or vessel. */
  readonly named: number;
  readonly rewritten: number;
  /** Vessels in port whose place differs from the last reply. */
  readonly relocated: number;
  /** Events long before the last accepted reply, and how many of them belong to calls that no reply has listed. */
  readonly past: number;
  readonly strangers: number;
  /** Events of one list of a poll, over an hour before the last accepted reply, and how many of them no earlier reply had. */
  readonly listedEvents: number;
  readonly lateEvents: number;
  /**
   * Known calls that changed within the span of a feed of changes, and how many of them the feed omits or states as before. For a window,
   * known calls whose log it states again, and how many of them with fewer stops.
   */
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
  /** New months beside a known or stated one, by chapter. */
  readonly months: readonly MonthCounts[];
}

/** A new month of a measure against an earlier one, over the chapters. */
export interface MonthCounts {
  readonly month: string;
  /** Months between the two: 1 or 12. */
  readonly back: number;
  /** Chapters that both have, how many of them differ by more than a factor of two, and the median ratio of new to old. */
  readonly chapters: number;
  readonly apart: number;
  readonly medianRatio: number;
}

export interface ReplyCounts {
  readonly lists: readonly ListCount[];
  readonly ports: readonly PortCounts[];
  readonly values?: readonly ValueCounts[];
}

/** Doubtful above this share of all, if it is at least this many. */
interface Limit {
  readonly share: number;
  readonly atLeast: number;
  /** Added to the share for each day since the last accepted reply, or for each after some days. */
  readonly sharePerDay?: number;
  readonly afterDays?: number;
}

/** What a rule compares: a part with a whole. */
interface Case {
  readonly where: string;
  readonly form: Form;
  readonly part: number;
  readonly whole: number;
  /** In the place of the limit's share, where the source's own history gives it. */
  readonly share?: number;
  /** Words in the place of `%`. */
  readonly more?: string;
}

interface Rule {
  /** A short stable word for metrics. */
  readonly reason: string;
  readonly outcome: 'refused' | 'held';
  /** What it means, for the runbook. */
  readonly meaning: string;
  /** Text of the detail; `#` stands for the part and the whole. */
  readonly words: string;
  /** By form; a form without a limit is not judged by the rule. */
  readonly limits: Partial<Readonly<Record<Form, Limit>>>;
  /** The largest in real replies. */
  readonly real: string;
  cases(counts: ReplyCounts, shown: ShownLists): readonly Case[];
}

const everyForm = (limit: Limit): Rule['limits'] => Object.fromEntries(FORMS.map((form) => [form, limit]));

const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)}%`;

const casesOfLists =
  (
    caseOf: (
      list: ListCount,
      shown: ShownLists[string] | undefined,
    ) => Omit<Case, 'where' | 'form'> | undefined,
  ) =>
  ({ lists, values = [] }: ReplyCounts, shown: ShownLists): Case[] =>
    lists.flatMap((list) => {
      const found = caseOf(list, shown[listKey(list)]);
      const where = list.port === undefined ? list.list : `${list.port} ${list.list}`;
      return found === undefined ? [] : [{ where, form: values.length > 0 ? 'periods' : 'list', ...found }];
    });

/** Counts that all ports have together, which say more than those of small ports. */
function summed(ports: readonly PortCounts[]): PortCounts[] {
  const [first, ...others] = ports;
  if (first === undefined || others.length === 0) return [];
  const sum: { -readonly [Name in keyof PortCounts]: PortCounts[Name] } = { ...first, port: 'all ports' };
  const names = (Object.keys(first) as (keyof PortCounts)[]).filter(
    (name): name is PortCount => name !== 'port' && name !== 'form' && name !== 'movedHours',
  );
  for (const other of others) {
    if (other.form !== first.form) return [];
    for (const name of names)
      if (name !== 'moved' || other.movedHours === sum.movedHours) sum[name] += other[name];
  }
  return [sum];
}

type PortCount = {
  [Name in keyof PortCounts]: PortCounts[Name] extends number ? Name : never;
}[keyof PortCounts];

/** The ports one by one, then all together. */
const casesOfPorts =
  (part: PortCount, whole: PortCount, isJudged: (counts: PortCounts) => boolean = () => true) =>
  ({ ports }: ReplyCounts): Case[] =>
    [...ports, ...summed(ports)].filter(isJudged).map((counts) => ({
      where: counts.port,
      form: counts.form,
      part: counts[part],
      whole: counts[whole],
      more: String(counts.movedHours),
    }));

const casesOfValues =
  (part: 'revised' | 'displaced', whole: 'known' | 'changed') =>
  ({ values = [] }: ReplyCounts): Case[] => {
    const sum = (key: typeof part | typeof whole): number =>
      values.reduce((all, counts) => all + counts[key], 0);
    return [{ where: 'all values', form: 'periods', part: sum(part), whole: sum(whole) }];
  };

/** Chapters that a comparison of two months needs. */
const FEW_CHAPTERS = 30;

const casesOfMonths =
  (part: (month: MonthCounts) => number) =>
  ({ values = [] }: ReplyCounts): Case[] =>
    values.flatMap(({ list, months }) =>
      months
        .filter(({ chapters }) => chapters >= FEW_CHAPTERS)
        .map((month) => ({
          where: `${list} ${month.month}`,
          form: 'periods',
          part: part(month),
          whole: month.chapters,
          more: `${month.back === 1 ? 'the month before' : 'the year before'} (median ${month.medianRatio.toPrecision(3)})`,
        })),
    );

/** How far the median ratio over the chapters may lie from 1, by the months between: real ones 0.88 to 1.24, and 0.75 to 1.41. */
const FACTORS: Readonly<Record<number, number>> = { 1: 1.5, 12: 2 };

/** With fewer known calls than this, a feed that has been filled up says nothing about strangers. */
const KNOWN_IN_FEED = 20;

/** Where nothing is known of a list, a reply with this share of refused rows is of another structure. */
const REFUSED_AT_FIRST = 0.5;
/** A share of refused rows is unusual above this many times the usual one, which counts as one in a hundred at least. */
const UNUSUAL = { times: 5, atLeast: 0.01 };

/** In the order of the runbook: structure, size, known calls, strangers, values. */
export const RULES: readonly Rule[] = [
  {
    reason: 'refused-rows',
    outcome: 'refused',
    meaning:
      'over five times the usual share of the rows cannot be read (counted as 1% at least), or half of a first reply',
    words: '# rows are refused, % usually',
    limits: everyForm({ share: REFUSED_AT_FIRST, atLeast: 4 }),
    real: 'Kaohsiung 0.18%',
    cases: casesOfLists(({ rows, refused }, known) => ({
      part: rows < 20 ? 0 : refused,
      whole: rows,
      ...(known && { share: UNUSUAL.times * Math.max(known.refusedShare, UNUSUAL.atLeast) }),
      more: percent(known?.refusedShare ?? 0),
    })),
  },
  {
    reason: 'emptied-field',
    outcome: 'refused',
    meaning: 'a field that most rows filled is empty in over two thirds of them',
    words: '# rows that should fill it do not: %',
    limits: everyForm({ share: 2 / 3, atLeast: 7 }),
    real: 'below 2 rows',
    cases: ({ lists }, shown) =>
      lists.flatMap((list) =>
        Object.entries(list.filled ?? {}).map(([field, filled]): Case => {
          const whole = (shown[listKey(list)]?.filledShares?.[field] ?? 0) * list.rows;
          const where = list.port === undefined ? list.list : `${list.port} ${list.list}`;
          return { where, form: 'list', part: whole - filled, whole, more: field };
        }),
      ),
  },
  {
    reason: 'few-rows',
    outcome: 'held',
    meaning: 'a list has under a third of its usual distinct rows a day asked',
    words: '# usual rows are missing; the last reply had %',
    limits: everyForm({ share: 2 / 3, atLeast: 14 }),
    real: 'Hong Kong 8.4%',
    cases: casesOfLists((list, known) => {
      if (list.days === undefined || known?.rowsPerDay === undefined) return undefined;
      const whole = known.rowsPerDay * list.days;
      return { part: whole - distinctRows(list), whole, more: String(known.rows) };
    }),
  },
  {
    reason: 'many-rows',
    outcome: 'held',
    meaning: 'a list has over four times its usual distinct rows a day asked',
    words: '# rows more than usual; the last reply had %',
    limits: everyForm({ share: 3, atLeast: 150 }),
    real: 'below 2 rows',
    cases: casesOfLists((list, known) => {
      if (list.days === undefined || known?.rowsPerDay === undefined || known.replies < 5) return undefined;
      const whole = known.rowsPerDay * list.days;
      return { part: distinctRows(list) - whole, whole, more: String(known.rows) };
    }),
  },
  {
    reason: 'repeated-ids',
    outcome: 'held',
    meaning: 'over half of the rows of a list have the id of another row',
    words: '# rows have the id of another',
    limits: everyForm({ share: 0.5, atLeast: 10 }),
    real: 'none',
    cases: casesOfLists(({ repeated = 0, rows }) => ({ part: repeated, whole: rows })),
  },
  {
    reason: 'outside-span',
    outcome: 'held',
    meaning: 'rows are outside the span asked: the list of another day',
    words: '# rows are outside the span asked',
    limits: everyForm({ share: 0.01, atLeast: 10 }),
    real: 'none',
    cases: casesOfLists(({ outside = 0, rows }) => ({ part: outside, whole: rows })),
  },
  {
    reason: 'withdrawn-calls',
    outcome: 'held',
    meaning:
      'too many known calls would vanish without a departure, or are missing from a list that should have them',
    words: '# known calls would be withdrawn, or are missing',
    limits: {
      // Lists state the departures of the last day. Without that, half a list wins as a later truth over the state of a day ago.
      list: { share: 0.04, atLeast: 3, sharePerDay: 0.5, afterDays: 1 },
      feed: { share: 0.1, atLeast: 3, sharePerDay: 0.3 },
      window: { share: 0.05, atLeast: 3, sharePerDay: 0.1 },
    },
    real: 'Hong Kong 1 of 60, Kaohsiung 0.67%',
    cases: casesOfPorts('withdrawn', 'open'),
  },
  {
    reason: 'departed-calls',
    outcome: 'held',
    meaning: 'too many vessels in port would have left since the last accepted reply',
    words: '# vessels in port would have left',
    limits: {
      list: { share: 0.2, atLeast: 8, sharePerDay: 1 },
      feed: { share: 0.3, atLeast: 10, sharePerDay: 1 },
      window: { share: 0.2, atLeast: 8, sharePerDay: 1 },
    },
    real: 'Kaohsiung 8.5% in an hour, 18% in four, 38% in twelve; Hong Kong 5.0% in a poll',
    cases: casesOfPorts('ended', 'inPort'),
  },
  {
    reason: 'moved-times',
    outcome: 'held',
    meaning: 'the times of known calls moved by the same whole hours: another time zone or form',
    words: 'the times of # known calls moved by % h',
    limits: {
      list: { share: 0.5, atLeast: 5 },
      feed: { share: 0.5, atLeast: 5 },
      window: { share: 0.5, atLeast: 5 },
    },
    real: 'none',
    cases: casesOfPorts('moved', 'known'),
  },
  {
    reason: 'changed-identities',
    outcome: 'held',
    meaning: 'too many known calls have another vessel or type',
    words: '# known calls have another vessel or type',
    limits: {
      list: { share: 0.1, atLeast: 5 },
      feed: { share: 0.3, atLeast: 10 },
      window: { share: 0.1, atLeast: 5 },
    },
    real: 'Kaohsiung 1.1%',
    cases: casesOfPorts('renamed', 'compared'),
  },
  {
    reason: 'moved-forecasts',
    outcome: 'held',
    meaning: 'too many known calls are expected at another time',
    words: '# known calls were expected at another time',
    limits: { list: { share: 0.3, atLeast: 10 } },
    real: 'one in ten, by estimate: final lists show no corrected forecast',
    cases: casesOfPorts('expectedOtherwise', 'expectedAgain'),
  },
  {
    reason: 'rewritten-calls',
    outcome: 'held',
    meaning: 'too many known calls would have another time, place or vessel than was stated',
    words: '# known calls would have another time, place or vessel',
    limits: {
      list: { share: 0.03, atLeast: 12, sharePerDay: 0.03 },
      // Agents correct a feed by hand.
      feed: { share: 0.3, atLeast: 5 },
      window: { share: 0.05, atLeast: 8, sharePerDay: 0.03 },
    },
    real: 'Hong Kong 1.5%',
    cases: casesOfPorts('rewritten', 'named'),
  },
  {
    reason: 'relocated-vessels',
    outcome: 'held',
    meaning: 'too many vessels in port would be at another place',
    words: '# vessels in port would be at another place',
    limits: { list: { share: 0.1, atLeast: 5, sharePerDay: 2.5 } },
    real: 'Hong Kong 6.3% in 20 minutes; in four hours nearly half of a busy port moves on',
    cases: casesOfPorts('relocated', 'open', ({ open }) => open > 0),
  },
  {
    reason: 'unsaid-changes',
    outcome: 'held',
    meaning:
      'a feed of changes lacks calls that changed in its span, or states them as they were; logs of calls have lost their stops',
    words: '# changes that were stated before are missing',
    limits: { feed: { share: 0.3, atLeast: 5 }, window: { share: 0.1, atLeast: 5 } },
    real: 'not measured',
    // A feed of changes may be empty.
    cases: (counts) =>
      counts.ports.every(({ form, listed }) => form === 'feed' && listed === 0)
        ? []
        : casesOfPorts('unsaid', 'due')(counts),
  },
  {
    reason: 'unknown-calls',
    outcome: 'held',
    meaning:
      'events long before the last accepted reply, of calls that no reply had: another port, month or numbering',
    words: '# past events are of calls that no reply had',
    limits: {
      list: { share: 0.3, atLeast: 10 },
      // After an outage of its own a feed delivers its past at once.
      feed: { share: 0.85, atLeast: 20 },
      window: { share: 0.3, atLeast: 10 },
    },
    real: 'Hong Kong 1.0%',
    cases: casesOfPorts(
      'strangers',
      'past',
      ({ form, past, strangers }) => form !== 'feed' || past - strangers >= KNOWN_IN_FEED,
    ),
  },
  {
    reason: 'late-events',
    outcome: 'held',
    meaning:
      'a list of a poll states events from over an hour before the last accepted reply that no earlier reply had',
    words: '# past events of a list are new',
    limits: { list: { share: 0.04, atLeast: 4, sharePerDay: 0.5 } },
    real: 'Hong Kong 2 of 74, and 4 of 66 in two and a half hours',
    cases: casesOfPorts('lateEvents', 'listedEvents'),
  },
  {
    reason: 'two-ports',
    outcome: 'held',
    meaning: 'calls of one port are listed at another: a reply to another question',
    words: '# calls are at another port too',
    limits: {
      list: { share: 0.05, atLeast: 3 },
      feed: { share: 0.05, atLeast: 3 },
      window: { share: 0.05, atLeast: 3 },
    },
    real: 'none',
    cases: casesOfPorts('elsewhere', 'listed'),
  },
  {
    reason: 'unknown-codes',
    outcome: 'held',
    meaning: 'monthly values of codes that no publication had',
    words: '# values are of codes that no publication had',
    limits: { periods: { share: 0.3, atLeast: 20 } },
    real: 'none',
    cases: ({ values = [] }, shown) =>
      values
        .filter(({ list }) => shown[list] !== undefined)
        .map(({ list, stated, strangers }) => ({
          where: list,
          form: 'periods',
          part: strangers,
          whole: stated,
        })),
  },
  {
    reason: 'displaced-values',
    outcome: 'held',
    meaning: 'new values equal, digit by digit, known ones of another month or code',
    words: '# new values are known ones of another month or code',
    limits: { periods: { share: 0.2, atLeast: 3 } },
    real: 'none of 9,996',
    cases: casesOfValues('displaced', 'changed'),
  },
  {
    reason: 'revised-values',
    outcome: 'held',
    meaning: 'too many known values would change by more than a tenth',
    words: '# known values would change by more than a tenth',
    limits: { periods: { share: 0.3, atLeast: 20 } },
    real: 'not measured',
    cases: casesOfValues('revised', 'known'),
  },
  {
    reason: 'strange-month',
    outcome: 'held',
    meaning:
      'the chapters of a new month are, in the median, 1.5 times those of the month before, or twice those of the year before: another unit',
    words: '# chapters are of another size than in %',
    limits: { periods: { share: 0, atLeast: 1 } },
    real: '1.24 and 1.41 times',
    cases: casesOfMonths(({ back, medianRatio, chapters }) =>
      Math.max(medianRatio, 1 / medianRatio) > (FACTORS[back] ?? 2) ? chapters : 0,
    ),
  },
  {
    reason: 'scattered-month',
    outcome: 'held',
    meaning:
      'too many chapters of a new month are over twice or under half of the month before: values of other chapters',
    words: '# chapters differ by a factor of two from %',
    limits: { periods: { share: 0.2, atLeast: 6 } },
    real: '6.1% (April 2020)',
    cases: casesOfMonths(({ back, apart }) => (back === 1 ? apart : 0)),
  },
];

const figure = (count: number): string => Math.round(count).toLocaleString('en-US');

/** The doubts of one rule: each port or list that exceeds its limit; all ports together only where none does alone. */
function doubtsOf(
  { words, limits, cases }: Rule,
  counts: ReplyCounts,
  shown: ShownLists,
  sinceMs: number,
): string[] {
  const found = cases(counts, shown).filter(({ form, part, whole, share }) => {
    const limit = limits[form];
    if (limit === undefined) return false;
    const allowed =
      share ??
      Math.min(
        limit.share >= 1 ? limit.share : 1,
        limit.share + (limit.sharePerDay ?? 0) * Math.max(0, sinceMs / DAY_MS - (limit.afterDays ?? 0)),
      );
    return part >= limit.atLeast && part > allowed * whole;
  });
  const alone = found.filter(({ where }) => where !== 'all ports');
  return (alone.length > 0 ? alone : found).map(
    ({ where, part, whole, more = '' }) =>
      `${where}: ${words.replace('#', `${figure(part)} of ${figure(whole)}`).replace('%', more)}`,
  );
}

/** The verdict on a reply; the limits widen with the time since the last accepted one. */
export function judge(counts: ReplyCounts, shown: ShownLists, sinceMs: number): Verdict {
  for (const outcome of ['refused', 'held'] as const) {
    const doubts = RULES.filter((rule) => rule.outcome === outcome).flatMap((rule) =>
      doubtsOf(rule, counts, shown, sinceMs).map((detail) => ({ reason: rule.reason, detail })),
    );
    const [first] = doubts;
    if (first === undefined) continue;
    const details = doubts.slice(0, 3).map(({ detail }) => detail);
    return { outcome, by: 'judgement', reason: first.reason, detail: details.join('; ') };
  }
  return ACCEPTED;
}

const limitText = (limit: Limit | undefined): string => {
  if (limit === undefined) return '–';
  const after = limit.afterDays === undefined ? '' : ` after day ${limit.afterDays}`;
  const perDay =
    limit.sharePerDay === undefined ? '' : ` + ${Math.round(limit.sharePerDay * 100)}% a day${after}`;
  return `${Math.round(limit.share * 1000) / 10}%${perDay}, from ${limit.atLeast}`;
};

/** The table of rules as Markdown, for the runbook. */
export const rulesTable = (): string =>
  [
    '| Reason | Meaning | Full list | Change feed (estimate) | Window (estimate) | Periods | Largest in real replies |',
    '|---|---|---|---|---|---|---|',
    ...RULES.map(
      ({ reason, meaning, limits, real }) =>
        `| \`${reason}\` | ${meaning} | ${FORMS.map((form) => limitText(limits[form])).join(' | ')} | ${real} |`,
    ),
  ].join('\n');
