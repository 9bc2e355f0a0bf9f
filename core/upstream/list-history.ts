/** What the lists of accepted replies had: rows, refusals and filled fields, by list and port. Pure. */
import type { ListCount } from './source.ts';

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

export const listKey = ({ list, port }: ListCount): string => (port === undefined ? list : `${list} ${port}`);

/** Rows that a list states once: a row repeated states nothing more. */
export const distinctRows = ({ rows, repeated = 0 }: ListCount): number => rows - repeated;

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
