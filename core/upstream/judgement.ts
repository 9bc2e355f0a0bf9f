/**
 * The judgement of a reply, between the archive and the tables: from the counts of the reply, and from what the source has
 * shown so far, to a verdict. Pure.
 */
import type { Locode } from '../reference/locode.ts';
import { DAY_MS } from '../reference/time.ts';
import type { ListCount } from './source.ts';

/**
 * `refused`: its structure is not that of the source. `held`: it can be read, and what it says is implausible. Neither changes a
 * figure; an operator may accept it.
 */
export interface Verdict {
  readonly outcome: 'accepted' | 'refused' | 'held';
  /** `parser`: the reply could not be read, and is read again when it is replayed. */
  readonly by: 'judgement' | 'parser' | 'operator';
  /** A short stable word for metrics; absent from an accepted reply. */
  readonly reason?: string;
  /** One sentence for the log and the status page. */
  readonly detail?: string;
}

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

export interface ReplyCounts {
  readonly lists: readonly ListCount[];
  readonly ports: readonly PortCounts[];
  readonly values?: readonly ValueCounts[];
}

/** Counts of one list over accepted replies. */
interface ShownList {
  /** Rows of the newest reply. */
  readonly rows: number;
  /** Means over the last replies: rows a day asked, and refusals a row. */
  readonly rowsPerDay?: number;
  readonly refusedShare: number;
  /** Share of the rows that fill a field, by its name. */
  readonly filledShares?: Readonly<Record<string, number>>;
  /** Replies in the means, at most `REPLIES_KEPT`. */
  readonly replies: number;
}

/** By list and port; depends only on accepted replies. */
export type ShownLists = Readonly<Record<string, ShownList>>;

/** Means cover about this many replies. */
const REPLIES_KEPT = 20;

/**
 * Beyond these limits a reply is not believed. The most that real replies of Kaohsiung reach: 0.18 % of the rows refused, 0.67 % of the open calls
 * withdrawn, 1.1 % of the known calls with another identity, none moved, none at two ports, no id twice, no row outside the span asked.
 */
const LIMITS = {
  /** Refused rows: above this share, in at least `atLeast` rows, where the usual share is below `usually`. */
  refusedRows: { share: 0.05, usually: 0.01, times: 5, atLeast: 20 },
  /** Rows per requested day, as a share of the usual, where at least `atLeast` rows are expected. */
  fewRows: { share: 1 / 3, atLeast: 20 },
  /** Rows that fill a field, as a share of the usual, where at least `atLeast` are expected. */
  emptied: { share: 1 / 3, atLeast: 10 },
  manyRows: { share: 4, atLeast: 200, replies: 5 },
  /** Rows with the id of another row. A list in which every row is doubled states the same facts. */
  repeated: { share: 0.5, atLeast: 10 },
  /** Rows outside the requested span. */
  outside: { share: 0.01, atLeast: 10 },
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

export const ACCEPTED: Verdict = { outcome: 'accepted', by: 'judgement' };

const listKey = ({ list, port }: ListCount): string => (port === undefined ? list : `${list} ${port}`);
const named = ({ list, port }: ListCount): string => (port === undefined ? list : `${port} ${list}`);

const figure = (count: number): string => String(Math.round(count)).replaceAll(/\B(?=(\d{3})+$)/g, ',');
const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)}%`;

const exceeds = (part: number, whole: number, limit: { share: number; atLeast: number }): boolean =>
  part >= limit.atLeast && part > limit.share * whole;

/** The share that chance explains grows with the time since the last accepted reply. */
const grown = (
  { share, atLeast, sharePerDay }: { share: number; atLeast: number; sharePerDay: number },
  sinceMs: number,
): { readonly share: number; readonly atLeast: number } => ({
  share: Math.min(1, share + (sharePerDay * sinceMs) / DAY_MS),
  atLeast,
});

/** A fault of the structure, as a sentence. */
function structureFault(lists: readonly ListCount[], shown: ShownLists): string | undefined {
  const { share, usually, times, atLeast } = LIMITS.refusedRows;
  for (const list of lists) {
    const { rows, refused } = list;
    if (rows < atLeast || refused <= share * rows) continue;
    const usual = shown[listKey(list)]?.refusedShare;
    if (usual === undefined ? refused > rows / 2 : refused > times * Math.max(usual, usually) * rows)
      return `${named(list)}: ${figure(refused)} refusals in ${figure(rows)} rows, ${percent(usual ?? 0)} usually`;
  }
  return undefined;
}

/** A field that most rows usually fill and that is now empty, as a sentence. */
function emptiedField(lists: readonly ListCount[], shown: ShownLists): string | undefined {
  const { share, atLeast } = LIMITS.emptied;
  for (const list of lists)
    for (const [field, filled] of Object.entries(list.filled ?? {})) {
      const expected = (shown[listKey(list)]?.filledShares?.[field] ?? 0) * list.rows;
      if (expected >= atLeast && filled < share * expected)
        return `${named(list)}: ${field} is filled in ${figure(filled)} of ${figure(list.rows)} rows, ${figure(expected)} expected`;
    }
  return undefined;
}

interface Doubt {
  readonly reason: string;
  readonly detail: string;
}

function sizeDoubts(lists: readonly ListCount[], shown: ShownLists): Doubt[] {
  const { fewRows, manyRows } = LIMITS;
  return lists.flatMap((list): Doubt[] => {
    const known = shown[listKey(list)];
    if (list.days === undefined || known?.rowsPerDay === undefined) return [];
    const expected = known.rowsPerDay * list.days;
    const few = expected >= fewRows.atLeast && list.rows < fewRows.share * expected;
    const many =
      known.replies >= manyRows.replies &&
      list.rows >= manyRows.atLeast &&
      list.rows > manyRows.share * expected;
    if (!few && !many) return [];
    const detail = `${named(list)}: ${figure(list.rows)} rows, ${figure(known.rows)} in the last reply, ${figure(expected)} expected`;
    return [{ reason: few ? 'few-rows' : 'many-rows', detail }];
  });
}

/** Lists that contradict themselves, or the request. */
function listDoubts(lists: readonly ListCount[]): Doubt[] {
  return lists.flatMap((list): Doubt[] => {
    const { rows, repeated = 0, outside = 0 } = list;
    const doubt = (reason: string, detail: string): Doubt[] => [
      { reason, detail: `${named(list)}: ${detail}` },
    ];
    if (exceeds(repeated, rows, LIMITS.repeated))
      return doubt('repeated-ids', `${figure(repeated)} of ${figure(rows)} rows have the id of another`);
    if (exceeds(outside, rows, LIMITS.outside))
      return doubt('outside-span', `${figure(outside)} of ${figure(rows)} rows are outside the span asked`);
    return [];
  });
}

/** The counts of all ports together, which say more than those of small ports. */
const summed = (ports: readonly PortCounts[]): PortCounts =>
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

function portDoubts(counts: PortCounts, sinceMs: number): Doubt[] {
  const { port, open, withdrawn, known, moved, movedHours, renamed, listed, elsewhere } = counts;
  const doubts: Doubt[] = [];
  if (exceeds(withdrawn, open, grown(LIMITS.withdrawn, sinceMs)))
    doubts.push({
      reason: 'withdrawn-calls',
      detail: `${port}: ${figure(withdrawn)} of ${figure(open)} open calls would be withdrawn`,
    });
  if (exceeds(moved, known, LIMITS.moved))
    doubts.push({
      reason: 'moved-times',
      detail: `${port}: the times of ${figure(moved)} of ${figure(known)} known calls moved by ${movedHours} h`,
    });
  if (exceeds(renamed, known, LIMITS.renamed))
    doubts.push({
      reason: 'changed-identities',
      detail: `${port}: ${figure(renamed)} of ${figure(known)} known calls have another vessel or type`,
    });
  if (exceeds(counts.expectedOtherwise, counts.expectedAgain, LIMITS.expectedOtherwise))
    doubts.push({
      reason: 'moved-forecasts',
      detail: `${port}: ${figure(counts.expectedOtherwise)} of ${figure(counts.expectedAgain)} known calls were expected at another time`,
    });
  const rewritten = counts.isWhole ? grown(LIMITS.rewrittenOfAll, sinceMs) : LIMITS.rewritten;
  if (exceeds(counts.rewritten, counts.named, rewritten))
    doubts.push({
      reason: 'rewritten-calls',
      detail: `${port}: ${figure(counts.rewritten)} of ${figure(counts.named)} known calls would have another time, place or vessel`,
    });
  if (exceeds(counts.relocated, open, grown(LIMITS.relocated, sinceMs)))
    doubts.push({
      reason: 'relocated-vessels',
      detail: `${port}: ${figure(counts.relocated)} of ${figure(open)} vessels in port would be at another place`,
    });
  if (exceeds(counts.unsaid, counts.due, LIMITS.unsaid))
    doubts.push({
      reason: 'unsaid-changes',
      detail: `${port}: ${figure(counts.unsaid)} of ${figure(counts.due)} changes that were stated before are missing`,
    });
  const { strangersOfChanges } = LIMITS;
  const isFilledUp = !counts.isWhole && counts.past - counts.strangers < strangersOfChanges.known;
  if (
    !isFilledUp &&
    exceeds(counts.strangers, counts.past, counts.isWhole ? LIMITS.strangers : strangersOfChanges)
  )
    doubts.push({
      reason: 'unknown-calls',
      detail: `${port}: ${figure(counts.strangers)} of ${figure(counts.past)} past events are of calls that no reply had`,
    });
  if (exceeds(elsewhere, listed, LIMITS.elsewhere))
    doubts.push({
      reason: 'two-ports',
      detail: `${port}: ${figure(elsewhere)} of ${figure(listed)} calls are at another port too`,
    });
  return doubts;
}

function valueDoubts(values: readonly ValueCounts[], shown: ShownLists): Doubt[] {
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

/**
 * The verdict on a reply.
 * @param sinceMs time since the last accepted reply; the limits widen with it
 */
export function judge(
  { lists, ports, values = [] }: ReplyCounts,
  shown: ShownLists,
  sinceMs: number,
): Verdict {
  const fault = structureFault(lists, shown);
  if (fault !== undefined)
    return { outcome: 'refused', by: 'judgement', reason: 'refused-rows', detail: fault };
  const emptied = emptiedField(lists, shown);
  if (emptied !== undefined)
    return { outcome: 'refused', by: 'judgement', reason: 'emptied-field', detail: emptied };
  // A feed of changes may be empty.
  const isEmpty = ports.every(({ listed }) => listed === 0);
  const counts = isEmpty ? ports.map((port) => ({ ...port, unsaid: 0 })) : ports;
  const single = counts.flatMap((port) => portDoubts(port, sinceMs));
  const together = single.length === 0 && counts.length > 1 ? portDoubts(summed(counts), sinceMs) : [];
  const [first, ...more] = [
    ...sizeDoubts(lists, shown),
    ...listDoubts(lists),
    ...single,
    ...together,
    ...valueDoubts(values, shown),
  ];
  if (first === undefined) return ACCEPTED;
  const detail = [first, ...more]
    .slice(0, 3)
    .map((doubt) => doubt.detail)
    .join('; ');
  return { outcome: 'held', by: 'judgement', reason: first.reason, detail };
}

/** The counts of past replies, updated with an accepted reply. */
export function learned(shown: ShownLists, lists: readonly ListCount[]): ShownLists {
  const next: Record<string, ShownList> = { ...shown };
  for (const list of lists) {
    const { rows, refused, days } = list;
    const before = next[listKey(list)];
    const replies = Math.min((before?.replies ?? 0) + 1, REPLIES_KEPT);
    const mean = (usual: number | undefined, now: number): number =>
      usual === undefined ? now : usual + (now - usual) / replies;
    next[listKey(list)] = {
      rows,
      refusedShare: mean(before?.refusedShare, rows === 0 ? 0 : refused / rows),
      ...(list.filled && {
        filledShares: Object.fromEntries(
          Object.entries(list.filled).map(([field, filled]) => [
            field,
            mean(
              before?.filledShares?.[field],
              rows === 0 ? (before?.filledShares?.[field] ?? 0) : filled / rows,
            ),
          ]),
        ),
      }),
      ...(days !== undefined && days > 0 && { rowsPerDay: mean(before?.rowsPerDay, rows / days) }),
      replies,
    };
  }
  return next;
}
