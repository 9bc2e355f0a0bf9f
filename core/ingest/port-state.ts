/** The state of one port, read from its tables once, and kept from one pass to the next. */
import { deserialize, serialize } from 'node:v8';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Coverage } from '../calls/coverage.ts';
import { LEDGER_REACH_MS, type Ledger, NO_CLOCKS, openLedger, type PortClocks } from '../calls/ledger.ts';
import type { PortReport } from '../calls/observation.ts';
import type { PortCall } from '../calls/port-call.ts';
import { ALERT_MEMORY_DAYS, MAX_PERIOD_DAYS } from '../metrics/alerts.ts';
import { stoppedSince } from '../metrics/closures.ts';
import type { Alert, DailyMetrics, Snapshot } from '../metrics/figures.ts';
import type { RaisedAlert } from '../metrics/raised-alerts.ts';
import { recentFigures, snapshotAt } from '../metrics/snapshot.ts';
import type { Locode } from '../reference/locode.ts';
import { addDays, DAY_MS, type Day, dayOf, type Instant, startOfDay } from '../reference/time.ts';
import { alertRange } from '../store/alerts.ts';
import { type PortRow, packRecent, type SettledDays } from '../store/ports.ts';
import type { Known } from '../store/series.ts';
import type { WaitDayPart } from '../store/wait-days.ts';
import type { IngestStores } from './dependencies.ts';
import { overlappedSince, unknownIds } from './port-changes.ts';

/** Days of metrics from which the alerts of the running quarter are made. */
export const SERIES_DAYS = MAX_PERIOD_DAYS + ALERT_MEMORY_DAYS;
/** A day's metrics look back over at most 28 days of berthings, and the ledger reaches back 35. */
export const LEDGER_DAYS = 7;

export interface PortState {
  /** As stored after the newest report; undefined before the first. */
  readonly clocks: PortClocks | undefined;
  readonly ledger: Ledger;
  /** Metrics by day, of the last `SERIES_DAYS` days, oldest first. */
  readonly series: ReadonlyMap<Day, Known<DailyMetrics>>;
  /** Waits by day, of the last `LEDGER_DAYS` days. */
  readonly waits: ReadonlyMap<Day, Known<WaitDayPart>>;
  /** Alerts of the last `MAX_PERIOD_DAYS` days. */
  readonly alerts: readonly Known<Alert>[];
  /** Episodes of alerts that began in the last `SERIES_DAYS` days. */
  readonly raised: readonly RaisedAlert[];
  /** Calls that an interrupted pass may have written without the rows that follow from them. */
  readonly unfinished: readonly PortCall[];
}

/** Packed bytes of one process. A port beyond them is read from the tables with every pass. */
const MAX_BYTES = 300 * 2 ** 20;

/** The states of ports between passes, packed to a tenth: a process knows many ports and works on a few at a time. */
export class PortStates {
  private readonly packed = new Map<Locode, Buffer>();
  private bytes = 0;

  constructor(private readonly maxBytes = MAX_BYTES) {}

  get(port: Locode): PortState | undefined {
    const packed = this.packed.get(port);
    return packed && (deserialize(inflateRawSync(packed)) as PortState);
  }

  has(port: Locode): boolean {
    return this.packed.has(port);
  }

  /** Where there is no room the port is forgotten rather than another one: all of them are asked for in turn. */
  set(port: Locode, state: PortState): void {
    const packed = deflateRawSync(serialize(state), { level: 1 });
    this.bytes -= this.packed.get(port)?.length ?? 0;
    this.packed.delete(port);
    if (this.bytes + packed.length > this.maxBytes) return;
    this.packed.set(port, packed);
    this.bytes += packed.length;
  }

  clear(): void {
    this.packed.clear();
    this.bytes = 0;
  }
}

/** Calls are written before the clocks, so calls that are newer than the clocks may be of an interrupted pass. */
export const unfinishedAmong = (calls: readonly PortCall[], { lastObservedAt }: PortClocks): PortCall[] =>
  calls.filter(({ changedAt }) => changedAt >= (lastObservedAt ?? Number.NEGATIVE_INFINITY));

/** Returns the calls already changed by reports older than the clocks: the pass that applied them may have been interrupted. */
export function repeatedAmong(
  calls: Iterable<PortCall>,
  { lastObservedAt = Number.NEGATIVE_INFINITY }: PortClocks,
  reports: readonly PortReport[],
): PortCall[] {
  const late = new Set(reports.map(({ observedAt }) => observedAt).filter((at) => at < lastObservedAt));
  return late.size === 0 ? [] : [...calls].filter(({ changedAt }) => late.has(changedAt));
}

/** Reads the stored calls that the ledger no longer has and that the reports may change. */
export async function olderCalls(
  { portCalls }: IngestStores,
  port: Locode,
  ledger: Ledger,
  reports: readonly PortReport[],
): Promise<readonly PortCall[]> {
  const known = await portCalls.byId(port, unknownIds(ledger, reports));
  // An interrupted pass may have merged a call, and not deleted the row of the one that it was merged with.
  const unfinished = new Set([...unfinishedAmong(known, ledger), ...repeatedAmong(known, ledger, reports)]);
  const finished = known.filter((call) => !unfinished.has(call));
  const sinceAt = overlappedSince(ledger, reports, finished);
  if (sinceAt === undefined) return known;
  const around = await portCalls.since(port, sinceAt);
  return [...new Map([...around, ...known].map((call) => [call.callId, call])).values()];
}

/** Reads the port's tables as of its clocks and as of `asOfAt`, the time of the reports that will be applied. */
export async function readPortState(
  stores: IngestStores,
  port: Locode,
  stored: PortClocks | undefined,
  asOfAt: Instant,
): Promise<PortState> {
  const clocks = stored ?? NO_CLOCKS;
  const { lastObservedAt = asOfAt } = clocks;
  // After a long outage the ledger is as of its last report, and reaches back from there.
  const sinceAt = Math.min(asOfAt, lastObservedAt) - LEDGER_REACH_MS;
  const newestAt = Math.max(asOfAt, lastObservedAt);
  const today = dayOf(newestAt);
  const [recent, long, series, waits, alerts, raised] = await Promise.all([
    stores.portCalls.since(port, sinceAt),
    stores.portCalls.byKey(port, clocks.longStays),
    stores.dailyMetrics.between(port, { from: addDays(today, -SERIES_DAYS), to: today }),
    stores.waitDays.between(port, { from: addDays(today, -LEDGER_DAYS), to: today }),
    stores.alerts.between(port, alertRange(startOfDay(addDays(today, -MAX_PERIOD_DAYS)), newestAt + DAY_MS)),
    stores.raisedAlerts.between(port, addDays(today, -SERIES_DAYS)),
  ]);
  const calls = [...long, ...recent];
  return {
    clocks: stored,
    ledger: openLedger(clocks, calls),
    series: byDay(series),
    waits: byDay(waits),
    alerts,
    raised,
    unfinished: unfinishedAmong(calls, clocks),
  };
}

export const byDay = <T extends { readonly day: Day }>(rows: readonly T[]): Map<Day, T> =>
  new Map(rows.map((row) => [row.day, row]));

/** The figures of a port's own row as of `asOfAt`, the newest observation. `series`: metrics by day, up to its day. */
export function rowFigures(
  ledger: Ledger,
  asOfAt: Instant,
  series: ReadonlyMap<Day, DailyMetrics>,
  settled?: SettledDays,
): Pick<PortRow, 'firstDay' | 'lastDay' | 'snapshot' | 'recent'> {
  const { coverage } = ledger;
  const calls = [...ledger.calls.values()];
  const stoppedSinceAt = stoppedSince([...series.values()], asOfAt);
  const snapshot: Snapshot = {
    ...snapshotAt({ asOfAt, calls, coverage, running: series.get(dayOf(asOfAt)) }),
    ...(stoppedSinceAt !== undefined && { stoppedSinceAt }),
  };
  return {
    ...coveredDays([...(settled?.coverage ?? []), ...coverage]),
    snapshot,
    recent: packRecent(recentFigures({ snapshot, calls, coverage, series })),
  };
}

/** First and last UTC day of the coverage; empty before anything is covered. */
function coveredDays(coverage: Coverage): Pick<PortRow, 'firstDay' | 'lastDay'> {
  const [first, last] = [coverage[0], coverage.at(-1)];
  if (first === undefined || last === undefined) return {};
  // Day files end at midnight, which begins a day without coverage.
  return { firstDay: dayOf(first.fromAt), lastDay: dayOf(Math.max(last.fromAt, last.toAt - 1)) };
}
