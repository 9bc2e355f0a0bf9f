/** Since when what a fetch changes of a port is known, and what a recomputed port leaves in its vintages. */
import { METHODOLOGY_VERSION } from '../metrics/figures.ts';
import type { Locode } from '../reference/locode.ts';
import { type Day, dayOf, type Instant } from '../reference/time.ts';
import type { ReachedReports } from '../store/ports.ts';
import type { Knowledge } from '../store/series.ts';
import type { BeforeWrite, IngestStores } from './dependencies.ts';

/** A fetch as the writers see it. */
export interface AppliedFetch {
  readonly fetchedAt: Instant;
  /** It is applied long after it was fetched: its rows say so, and a back-fill issues forecasts at its end alone. */
  readonly backfilled: boolean;
  /** Its forecasts are issued all the same, as if it had been polled on its day. */
  readonly asPolled?: boolean;
  /** The source, and until when it is kept what the fetch replaces; absent where that is not kept. */
  readonly kept?: { readonly source: string; readonly untilAt: Instant } | undefined;
  /** When it is applied. */
  readonly nowAt: Instant;
  /** This deployment reads what another has fetched. */
  readonly replays: boolean;
}

/**
 * The day of `fetchedAt`; today where later fetches have been applied already, because the value replaces what they left.
 * `newest`: the newest day since which anything of the subject is known.
 */
export function findKnowledge(
  { fetchedAt, backfilled, nowAt }: AppliedFetch,
  newest: Day | undefined,
): Knowledge {
  const [fetchedDay, today] = [dayOf(fetchedAt), dayOf(nowAt)];
  if (newest === undefined || fetchedDay >= newest) return { day: fetchedDay, backfilled };
  return { day: today > newest ? today : newest, backfilled };
}

/** Ends every row of a port, so that what was served stays known while its calls are recomputed. */
async function endRows(
  { dailyMetrics, waitDays, alerts, alertFeed }: IngestStores,
  port: Locode,
  today: Day,
  beforeWrite: BeforeWrite,
): Promise<void> {
  const knowledge = { day: today, backfilled: true };
  const raised = await alerts.between(port);
  await beforeWrite();
  await alertFeed.update(port, [], raised);
  await alerts.replace(port, [], raised, knowledge, beforeWrite);
  await dailyMetrics.replace(port, [], await dailyMetrics.between(port), knowledge, beforeWrite);
  await waitDays.replace(port, [], await waitDays.between(port), knowledge, beforeWrite);
}

/**
 * Writes since when a port is known, and the version of the methodology, where they are new. A port without clocks is known from
 * this fetch on; one that has vintages all the same is recomputed, from today on, and the rows that it had have `ended`.
 */
export async function beginKnowledge(
  stores: IngestStores,
  port: Locode,
  reached: ReachedReports | undefined,
  fetch: AppliedFetch,
  beforeWrite: BeforeWrite,
): Promise<{ readonly knownOn: Day; readonly ended: boolean }> {
  const today = dayOf(fetch.nowAt);
  let knownOn = reached?.knownOn;
  let ended = false;
  if (knownOn === undefined) {
    ended = (await stores.beginnings.day(port)) !== undefined;
    if (ended) await endRows(stores, port, today, beforeWrite);
    knownOn = ended ? today : dayOf(fetch.fetchedAt);
    // Before anything else, so that a pass that dies in between does not take its own rows for those of an earlier ingest.
    await beforeWrite();
    await stores.portClocks.put(port, { knownOn });
  }
  if (reached?.methodology !== METHODOLOGY_VERSION) {
    const { day: since } = findKnowledge(fetch, knownOn);
    // The clocks have the version when these reports are applied: a pass that dies before them repeats this.
    await beforeWrite();
    await stores.beginnings.note(port, { since, version: METHODOLOGY_VERSION });
  }
  return { knownOn, ended };
}
