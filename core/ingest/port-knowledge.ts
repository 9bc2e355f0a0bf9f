/** Since when what a fetch changes of a port is known, and what a port that is computed anew leaves in its vintages. */
import type { Locode } from '../reference/locode.ts';
import { type Day, dayOf, type Instant } from '../reference/time.ts';
import { ALERTS_SERIES } from '../store/alerts.ts';
import { TREND_SERIES } from '../store/daily-metrics.ts';
import { ended, type Kept, type Knowledge, type SeriesKind } from '../store/knowledge.ts';
import type { KnownDays } from '../store/ports.ts';
import type { Row } from '../store/table.ts';
import { seriesKey } from '../store/vintages.ts';
import { WAITS_SERIES } from '../store/wait-days.ts';
import type { BeforeWrite, PortStores } from './dependencies.ts';

/** A fetch as the writers see it. */
export interface AppliedFetch {
  readonly fetchedAt: Instant;
  /** A back-fill applies it. */
  readonly backfilled: boolean;
}

/** The day of `fetchedAt`; today where the port has later fetches already, because the value replaces what they left. */
export function findKnowledge(
  { fetchedAt, backfilled }: AppliedFetch,
  { from, to }: KnownDays,
  today: Day,
): Knowledge {
  const fetchedDay = dayOf(fetchedAt);
  const day = fetchedDay >= to ? fetchedDay : today > to ? today : to;
  return { day, from, backfilled };
}

const ALWAYS = { first: '0000-01-01', last: '9999-12-31', fromAt: 0, toAt: Date.UTC(9999, 0) };

const ends = <T>(kind: SeriesKind<T>, rows: readonly Kept<T>[], knowledge: Knowledge): Row[] =>
  rows.flatMap((row) => ended(kind, row, knowledge));

/** Ends every row of a port, so that what was served stays known while its calls are computed anew. */
async function endRows(
  { dailyMetrics, waitDays, alerts, vintages }: PortStores,
  port: Locode,
  knowledge: Knowledge,
  beforeWrite: BeforeWrite,
): Promise<void> {
  const { first, last, fromAt, toAt } = ALWAYS;
  const [days, waits, raised] = await Promise.all([
    dailyMetrics.between(port, first, last),
    waitDays.between(port, first, last),
    alerts.between(port, fromAt, toAt),
  ]);
  await beforeWrite();
  await vintages.write(seriesKey(TREND_SERIES, port), ends(TREND_SERIES, days, knowledge));
  await beforeWrite();
  await vintages.write(seriesKey(WAITS_SERIES, port), ends(WAITS_SERIES, waits, knowledge));
  await beforeWrite();
  await vintages.write(seriesKey(ALERTS_SERIES, port), ends(ALERTS_SERIES, raised, knowledge));
  await beforeWrite();
  await dailyMetrics.delete(
    port,
    days.map(({ day }) => day),
  );
  await beforeWrite();
  await waitDays.write(
    port,
    [],
    waits.map(({ day }) => day),
  );
  await alerts.replace(port, [], raised, { beforeWrite });
}

/**
 * The known days of a port that has none yet: from this fetch on. A port without clocks that has vintages all the same is
 * computed anew, from today on, and the rows that it had have `ended`.
 */
export async function beginKnownDays(
  stores: PortStores,
  port: Locode,
  hasClocks: boolean,
  fetchedDay: Day,
  today: Day,
  beforeWrite: BeforeWrite,
): Promise<{ readonly days: KnownDays; readonly ended: boolean }> {
  const began = hasClocks ? undefined : await stores.vintages.begin(port);
  if (began === undefined) return { days: { from: fetchedDay, to: fetchedDay }, ended: false };
  await endRows(stores, port, { day: today, from: began, backfilled: true }, beforeWrite);
  return { days: { from: began, to: today }, ended: true };
}
