/** One port while its reports are applied: what the tables hold of it, kept in step with what is written. */
import { isDeepStrictEqual } from 'node:util';
import { clocksOf, LEDGER_REACH_MS, type Ledger, type PortClocks } from '../calls/ledger.ts';
import type { PortReport } from '../calls/observation.ts';
import type { PortCall } from '../calls/port-call.ts';
import { ALERT_MEMORY_DAYS, evaluateAlerts } from '../metrics/alerts.ts';
import { dailySeries } from '../metrics/daily.ts';
import type { DailyMetrics } from '../metrics/figures.ts';
import { snapshotAt } from '../metrics/snapshot.ts';
import {
  addDays,
  DAY_MS,
  type Day,
  dayOf,
  daysBetween,
  type Instant,
  startOfDay,
} from '../reference/time.ts';
import { alertKeyOf } from '../store/alerts.ts';
import type { PortRow } from '../store/ports.ts';
import {
  ALERT_DAYS,
  type HeldPort,
  type PortStores,
  readPort,
  SERIES_DAYS,
  unfinishedAmong,
} from './held-port.ts';
import { changesOf, olderCallsSince } from './port-changes.ts';
import { groupedByDay, sameStays, staysByDay } from './stays-by-day.ts';
import { stayEndDays } from './touched.ts';

/** A day's figures look back over at most 28 days of berthings, and the ledger reaches back 35. */
const EXACT_DAYS = 7;
/** Berthings of 28 days count into a day, of vessels that arrived up to 60 days before. */
const DEEP_REACH_MS = (28 + 60 + 1) * DAY_MS;

/** What one writing is about. */
interface Work {
  readonly ledger: Ledger;
  /** Touched calls, in every state they had and have. */
  readonly states: readonly PortCall[];
  readonly written: readonly PortCall[];
  readonly removedIds: ReadonlySet<string>;
  /** Calls that an interrupted pass left, so that what it wrote for them is not known. */
  readonly unfinished: readonly PortCall[];
  readonly fromAt: Instant;
  readonly asOfAt: Instant;
}

export class PortBook {
  private constructor(
    private readonly stores: PortStores,
    private row: PortRow<PortClocks>,
    private held: HeldPort,
  ) {}

  /** Opens the book of a port from its tables, as of `asOfAt`. */
  static async open(stores: PortStores, row: PortRow<PortClocks>, asOfAt: Instant): Promise<PortBook> {
    return new PortBook(stores, row, await readPort(stores, row, asOfAt));
  }

  /** Whether the port's row is still the one that this book was left at. */
  isCurrent(row: PortRow<PortClocks>): boolean {
    return isDeepStrictEqual(row.clocks, this.row.clocks);
  }

  /**
   * Applies the reports of one fetch, in order of time, and writes what they change, the port's row last; returns
   * the number of changed calls. Repeated after a failure at any point, it ends in the same tables. `keep` comes before
   * each write and throws when it is no longer this pass's to make.
   */
  async apply(reports: readonly PortReport[], keep: () => Promise<void>): Promise<number> {
    const { port } = this.row;
    const before = this.held.ledger;
    const olderSince = olderCallsSince(before, reports);
    const older = olderSince === undefined ? [] : await this.stores.portCalls.since(port, olderSince);
    const { ledger, written, removed, states, firstTouchedAt } = changesOf(before, reports, older);
    if (firstTouchedAt === undefined) return 0;
    const asOfAt = ledger.lastObservedAt ?? firstTouchedAt;
    const unfinished = [...this.held.unfinished, ...unfinishedAmong(older, before)];
    const unfinishedAts = unfinished.map(({ ataAt, firstAtaAt }) => Math.min(ataAt, firstAtaAt));
    const fromAt = Math.min(firstTouchedAt, ...unfinishedAts);
    const removedIds = new Set(removed.map(({ callId }) => callId));
    const work: Work = { ledger, states, written, removedIds, unfinished, fromAt, asOfAt };

    await keep();
    await this.stores.portCalls.write(written, []);
    await this.writeStays(work, keep);
    const series = await this.writeMetrics(work, keep);
    // Only days that are over raise alerts, so there is something to tell when one ended or a past one changed.
    const dayEnded = dayOf(fromAt) < dayOf(asOfAt);
    const alerts = dayEnded ? await this.writeAlerts(series, asOfAt, keep) : this.held.alerts;
    // Deleted when nothing speaks of them any more: a pass that dies before finds them again, and all they touch.
    await keep();
    await this.stores.portCalls.write([], removed);
    const row = {
      ...this.row,
      clocks: clocksOf(ledger),
      snapshot: snapshotAt({ asOfAt, calls: [...ledger.calls.values()] }),
    };
    await keep();
    await this.stores.ports.put(row);

    this.row = row;
    this.held = { ledger, series, alerts, unfinished: [] };
    return written.length + removed.length;
  }

  /** Writes the days on which touched stays ended; what an interrupted pass left, where the table says otherwise. */
  private async writeStays(work: Work, keep: () => Promise<void>): Promise<void> {
    const { port } = this.row;
    const days = stayEndDays(work.states);
    const recovered = work.unfinished.length > 0 ? daysBetween(dayOf(work.fromAt), dayOf(work.asOfAt)) : [];
    const all = [...new Set([...days, ...recovered])].sort();
    const [first, last] = [all[0], all.at(-1)];
    if (first === undefined || last === undefined) return;
    const ledgerFromDay = dayOf(work.asOfAt - LEDGER_REACH_MS + DAY_MS);
    const isAsked = first < ledgerFromDay || recovered.length > 0;
    const stored = isAsked ? await this.stores.stayDays.between(port, first, last) : [];
    const stays = staysByDay({
      days: all,
      ledgerFromDay,
      ledger: work.ledger.calls.values(),
      touched: [...work.unfinished, ...work.written],
      removedIds: work.removedIds,
      stored,
    });
    const storedOn = groupedByDay(stored);
    const changed = [...stays].filter(
      ([day, of]) => days.has(day) || !sameStays(of, storedOn.get(day) ?? []),
    );
    await keep();
    await this.stores.stayDays.write(port, new Map(changed));
  }

  /** Writes the days whose metrics differ from those known, and gives the series with them in it. */
  private async writeMetrics(
    { ledger, removedIds, fromAt, asOfAt }: Work,
    keep: () => Promise<void>,
  ): Promise<Map<Day, DailyMetrics>> {
    const { port } = this.row;
    const { coverage } = ledger;
    const today = dayOf(asOfAt);
    const seriesFromDay = addDays(today, -SERIES_DAYS);
    const firstDay = dayOf(Math.max(fromAt, coverage[0]?.fromAt ?? asOfAt));
    const past =
      firstDay < seriesFromDay ? await this.stores.dailyMetrics.between(port, firstDay, seriesFromDay) : [];
    const known = new Map([...this.held.series, ...past.map((metrics) => [metrics.day, metrics] as const)]);
    const calls = await this.callsFor(firstDay, ledger, removedIds, asOfAt);
    const changed = dailySeries({ days: daysBetween(firstDay, today), calls, coverage, asOfAt }).filter(
      (metrics) => !isDeepStrictEqual(metrics, known.get(metrics.day)),
    );
    await keep();
    if (changed.length > 0) await this.stores.dailyMetrics.write(port, changed);
    for (const metrics of changed) known.set(metrics.day, metrics);
    return new Map([...known].filter(([day]) => day >= seriesFromDay));
  }

  /** The ledger's calls, or more from the table when days are computed for which the ledger does not reach back. */
  private async callsFor(
    firstDay: Day,
    ledger: Ledger,
    removedIds: ReadonlySet<string>,
    asOfAt: Instant,
  ): Promise<PortCall[]> {
    if (firstDay >= addDays(dayOf(asOfAt), -EXACT_DAYS)) return [...ledger.calls.values()];
    const older = await this.stores.portCalls.since(this.row.port, startOfDay(firstDay) - DEEP_REACH_MS);
    const kept = older.filter(({ callId }) => !removedIds.has(callId));
    return [...new Map([...kept, ...ledger.calls.values()].map((call) => [call.callId, call])).values()];
  }

  private async writeAlerts(
    series: ReadonlyMap<Day, DailyMetrics>,
    asOfAt: Instant,
    keep: () => Promise<void>,
  ) {
    const fromDay = addDays(dayOf(asOfAt), -ALERT_DAYS);
    const firstDay = addDays(fromDay, -ALERT_MEMORY_DAYS);
    const days = [...series.values()]
      .filter(({ day }) => day >= firstDay)
      .sort((a, b) => (a.day < b.day ? -1 : 1));
    const alerts = evaluateAlerts(days, { asOfAt, fromDay });
    const held = this.held.alerts.filter((alert) => alert.asOfAt > startOfDay(fromDay));
    const heldByKey = new Map(held.map((alert) => [alertKeyOf(alert), alert]));
    const keys = new Set(alerts.map(alertKeyOf));
    const added = alerts.filter((alert) => !isDeepStrictEqual(alert, heldByKey.get(alertKeyOf(alert))));
    const removed = held.filter((alert) => !keys.has(alertKeyOf(alert)));
    await keep();
    if (added.length + removed.length > 0) await this.stores.alerts.replace(this.row.port, added, removed);
    return alerts;
  }
}
