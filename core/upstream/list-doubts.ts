/** Doubts about the lists of a reply: against themselves, the request, and what the source has shown so far. */
import type { ListCount } from './source.ts';

/** A doubt about a reply. */
export interface Doubt {
  /** A short stable word for metrics. */
  readonly reason: string;
  readonly detail: string;
}

/** Doubtful above this share of all, if it is at least this many. */
export interface Limit {
  readonly share: number;
  readonly atLeast: number;
}

const figure = (count: number): string => Math.round(count).toLocaleString('en-US');

/** The doubt of a part that exceeds its limit; `#` in the detail stands for the part and the whole. */
export const compare = (
  reason: string,
  part: number,
  whole: number,
  { share, atLeast }: Limit,
  detail: string,
): Doubt[] =>
  part >= atLeast && part > share * whole
    ? [{ reason, detail: detail.replace('#', `${figure(part)} of ${figure(whole)}`) }]
    : [];

/** Counts of one list over accepted replies. */
interface ShownList {
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
export type ShownLists = Readonly<Record<string, ShownList>>;

/** Means cover about this many replies. */
const REPLIES_KEPT = 20;

const LIMITS = {
  /** Refused rows: above this share of at least `atLeast` rows, and above `times` the usual share, which counts as `usually` at least. */
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
} as const;

const listKey = ({ list, port }: ListCount): string => (port === undefined ? list : `${list} ${port}`);
const named = ({ list, port }: ListCount): string => (port === undefined ? list : `${port} ${list}`);

const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)}%`;

/** More rows refused than usual: another structure. */
export function structureFault(lists: readonly ListCount[], shown: ShownLists): Doubt | undefined {
  const { share, usually, times, atLeast } = LIMITS.refusedRows;
  for (const list of lists) {
    const { rows, refused } = list;
    if (rows < atLeast || refused <= share * rows) continue;
    const usual = shown[listKey(list)]?.refusedShare;
    if (usual === undefined ? refused > rows / 2 : refused > times * Math.max(usual, usually) * rows) {
      const detail = `${named(list)}: ${figure(refused)} refusals in ${figure(rows)} rows, ${percent(usual ?? 0)} usually`;
      return { reason: 'refused-rows', detail };
    }
  }
  return undefined;
}

/** A field that most rows usually fill, and that is now empty. */
export function emptiedField(lists: readonly ListCount[], shown: ShownLists): Doubt | undefined {
  const { share, atLeast } = LIMITS.emptied;
  for (const list of lists)
    for (const [field, filled] of Object.entries(list.filled ?? {})) {
      const expected = (shown[listKey(list)]?.filledShares?.[field] ?? 0) * list.rows;
      if (expected >= atLeast && filled < share * expected) {
        const detail = `${named(list)}: ${field} is filled in ${figure(filled)} of ${figure(list.rows)} rows, ${figure(expected)} expected`;
        return { reason: 'emptied-field', detail };
      }
    }
  return undefined;
}

export function sizeDoubts(lists: readonly ListCount[], shown: ShownLists): Doubt[] {
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
export const listDoubts = (lists: readonly ListCount[]): Doubt[] =>
  lists.flatMap((list) => {
    const { rows, repeated = 0, outside = 0 } = list;
    const [doubled, strayed] = ['# rows have the id of another', '# rows are outside the span asked'];
    const [first] = [
      ...compare('repeated-ids', repeated, rows, LIMITS.repeated, `${named(list)}: ${doubled}`),
      ...compare('outside-span', outside, rows, LIMITS.outside, `${named(list)}: ${strayed}`),
    ];
    return first ?? [];
  });

/** The counts of past replies, updated with an accepted reply. */
export function learned(shown: ShownLists, lists: readonly ListCount[]): ShownLists {
  const next: Record<string, ShownList> = { ...shown };
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
      rows,
      refusedShare: mean(before?.refusedShare, rows === 0 ? 0 : refused / rows),
      ...(filled && { filledShares: Object.fromEntries(Object.entries(filled).map(filledShare)) }),
      ...(days !== undefined && days > 0 && { rowsPerDay: mean(before?.rowsPerDay, rows / days) }),
      replies,
    };
  }
  return next;
}
