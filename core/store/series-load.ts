/** Loads the values that another service has had into tables that have none of the subject: the way back from `history`. */
import { flagged, type KnownValue, rowKey, type SeriesKind, vintageRows } from './series.ts';
import type { Row, Table } from './table.ts';

/** By key, oldest first. The version of the methodology is a beginning of the subject. */
export type LoadedValues<T> = ReadonlyMap<string, readonly Omit<KnownValue<T>, 'methodology'>[]>;

export interface LoadedSeries<Served, Stored> {
  /** The rows of now; each is known since the newest value of its key, or since its own day where there is none. */
  readonly current: readonly Stored[];
  /** Every value that there has been. */
  readonly values: LoadedValues<Served>;
}

/** Repeating it changes nothing. */
export async function loadSeries<Served extends object, Stored extends Served>(
  kind: SeriesKind<Served, Stored>,
  { table, vintages }: { readonly table: Table; readonly vintages: Table },
  subject: string,
  { current, values }: LoadedSeries<Served, Stored>,
): Promise<void> {
  const present = new Set(current.map((value) => kind.keyOf(value)));
  const past = [...values].flatMap(([key, history]) => {
    const ended = present.has(key) ? history.slice(0, -1) : history;
    return ended.flatMap((known, at) =>
      vintageRows(kind, subject, key, known, history[at + 1]?.since ?? known.since),
    );
  });
  const rows = current.map((value): Row => {
    const newest = values.get(kind.keyOf(value))?.at(-1);
    const knownOn = newest?.since ?? kind.firstDay?.(value);
    return {
      ...rowKey(table, subject, kind.keyOf(value)),
      ...value,
      knownOn,
      ...flagged(newest?.backfilled),
    };
  });
  await vintages.writeMany(past);
  await table.writeMany(rows);
}
