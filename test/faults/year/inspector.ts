/** Reads the service of the simulated year as its clients do, and checks the responses against the promises. */
import type { PortCall } from '../../../core/calls/port-call.ts';
import type { IngestStores } from '../../../core/ingest/dependencies.ts';
import {
  addDays,
  DAY_MS,
  type Day,
  dayOf,
  endOfDay,
  type Instant,
  startOfDay,
} from '../../../core/reference/time.ts';
import { endpointsOver, type KeyedEndpoints, type Tables } from '../../builders/keyed-handlers.ts';
import {
  AlertMemory,
  found,
  holdEpisodes,
  holdSnapshot,
  holdStays,
  holdTrend,
  promise,
  type Snapshot,
} from './promises.ts';
import { type Shown, shareCovered } from './upstream.ts';

export interface InspectedPort {
  readonly port: string;
  readonly shown: Shown;
  /** Times of the observations that were taken, oldest first. */
  readonly observedAts: readonly Instant[];
}

const STAYS_DAYS = 14;
const LAST_30_DAYS = { window: 30, days: undefined, until: undefined, format: 'json' } as const;
/** Days until every figure of a busy port has enough behind it. */
const FULL_AFTER_DAYS = 12;
/** The clock may be wrong by this, and then a fetch is a second after the one before it. */
const FETCH_ALLOWANCE_MS = 60_000;

export class Inspector {
  readonly #endpoints: KeyedEndpoints;
  readonly #snapshots = new Map<string, Snapshot>();
  readonly #lastFetch = new Map<string, string>();
  readonly #alerts = new Map<string, AlertMemory>();
  reads = 0;

  constructor(
    tables: Readonly<Partial<Tables>>,
    private readonly stores: IngestStores,
    private readonly now: () => Instant,
  ) {
    this.#endpoints = endpointsOver(tables, now);
  }

  get alertsServed(): number {
    return [...this.#alerts.values()].reduce((sum, { everServed }) => sum + everServed.size, 0);
  }

  /** Freshness and snapshots: checked after every pass, and during one. */
  async look(ports: readonly InspectedPort[], trueNowAt: Instant, highestClockAt: Instant): Promise<void> {
    const rows = await this.#endpoints.sources({ path: {}, query: { format: 'json' } });
    this.reads += 1 + ports.length;
    const names = new Set(rows.map(({ source }) => source));
    for (const source of this.#lastFetch.keys())
      promise(names.has(source), 'a source has disappeared:', source);
    for (const { source, last_fetch_iso: at } of rows) {
      const before = this.#lastFetch.get(source);
      promise(before === undefined || at >= before, 'last_fetch went back:', source, before, at);
      promise(Date.parse(at) <= highestClockAt + FETCH_ALLOWANCE_MS, 'last_fetch is to come:', source, at);
      this.#lastFetch.set(source, at);
    }
    for (const { port, shown } of ports) {
      const is = await found(this.#endpoints.snapshot({ path: { UNLOCODE: port }, query: {} }));
      holdSnapshot(this.#snapshots.get(port), is, shown, trueNowAt);
      if (is !== undefined) this.#snapshots.set(port, is);
    }
  }

  /** Everything else that is served of the port. */
  async lookClosely({ port, observedAts }: InspectedPort, settledAt: Instant): Promise<void> {
    const nowAt = this.now();
    const today = dayOf(nowAt);
    const path = { UNLOCODE: port };
    this.reads += 3;
    const trend = await found(this.#endpoints.trend({ path, query: LAST_30_DAYS }));
    const firstAt = observedAts[0] ?? nowAt;
    const lastAt = observedAts.at(-1) ?? nowAt;
    // A pass that died after it had written the port, and before it said so, is ahead of the undisturbed run.
    const isAhead = Date.parse(this.#snapshots.get(port)?.as_of ?? '') > lastAt;
    holdTrend(trend ?? [], today, {
      port,
      covered: coverageBy(observedAts),
      settledBefore: dayOf(settledAt),
      judgedBefore: isAhead ? dayOf(lastAt) : today,
      fullFrom: addDays(dayOf(firstAt), FULL_AFTER_DAYS),
    });
    const alerts = await found(this.#endpoints.alerts({ path, query: LAST_30_DAYS }));
    const memory = this.#alerts.get(port) ?? new AlertMemory();
    this.#alerts.set(port, memory);
    memory.hold(alerts ?? [], nowAt);
    const dwell = await found(
      this.#endpoints.dwell({ path, query: { ...LAST_30_DAYS, window: STAYS_DAYS } }),
    );
    for (const { start, end, hours } of dwell ?? [])
      promise(start < end && hours >= 0 && Date.parse(end) <= nowAt, 'an impossible stay:', port, start, end);
  }

  /** The tables' content of the last weeks: stays by vessel, alerts by episode. */
  async lookInside({ port }: InspectedPort): Promise<void> {
    const today = dayOf(this.now());
    const stays = await this.stores.stayDays.between(port, addDays(today, -STAYS_DAYS), addDays(today, 1));
    const vessels = await this.#vesselsOf(port, stays[0]?.startAt ?? this.now());
    holdStays(stays, (callId) => vessels.get(callId));
    const sinceDay = addDays(today, -59);
    const alerts = await this.stores.alerts.between(port, startOfDay(sinceDay), endOfDay(today));
    if (alerts.length > 1)
      holdEpisodes(alerts, await this.stores.dailyMetrics.between(port, sinceDay, today));
  }

  /** Vessel of each call first heard of in the reach of the stays; a long stay began before them. */
  async #vesselsOf(port: string, sinceAt: Instant): Promise<Map<string, string>> {
    const calls: PortCall[] = await this.stores.portCalls.since(port, sinceAt - 30 * DAY_MS);
    return new Map(calls.map(({ callId, vesselId }) => [callId, vesselId]));
  }
}

/** Share of a day that is covered, from the observations of the day and the ones on both sides of it. */
function coverageBy(observedAts: readonly Instant[]): (day: Day) => number {
  return (day) => {
    const [fromAt, toAt] = [startOfDay(day), endOfDay(day)];
    const first = Math.max(0, indexAfter(observedAts, fromAt) - 1);
    return shareCovered(observedAts.slice(first, indexAfter(observedAts, toAt) + 1), fromAt, toAt);
  };
}

function indexAfter(times: readonly Instant[], at: Instant): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
