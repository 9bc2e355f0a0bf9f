/** Rows of ports with a history, as an ingest leaves them, without the ingest: for releases of many ports. */

import type { PortCall } from '../../core/calls/port-call.ts';
import {
  type DayFigures,
  METHODOLOGY_VERSION,
  type WaitDay,
  type WaitFigures,
} from '../../core/metrics/figures.ts';
import { addDays, DAY_MS, type Day, daysBetween, HOUR_MS, startOfDay } from '../../core/reference/time.ts';
import type { ReleaseTableId } from '../../core/release/store-tables.ts';
import { ALERTS } from '../../core/store/alerts.ts';
import { TREND, WAITS } from '../../core/store/day-series.ts';
import { IMPORTS } from '../../core/store/imports.ts';
import { createPortCallStore } from '../../core/store/port-calls.ts';
import { createBeginnings } from '../../core/store/series.ts';
import { createSourceStatusStore } from '../../core/store/source-status.ts';
import type { Table } from '../../core/store/table.ts';
import { putPort, putValues } from './series-values.ts';

export type ReleaseTables = Readonly<Record<ReleaseTableId, Table>>;

export interface ReleaseWorld {
  /** Ports by the source of each. */
  readonly ports: Readonly<Record<string, string>>;
  readonly firstDay: Day;
  readonly lastDay: Day;
  readonly callsPerDay: number;
}

/** A number from 0 to 1 that depends on its place only. */
function draw(...place: readonly number[]): number {
  const mixed = place.reduce(
    (seed, part) => Math.imul(seed ^ (part + 0x9e3779b9), 0x85ebca6b) ^ (seed >>> 13),
    1,
  );
  return (mixed >>> 0) / 2 ** 32;
}

const hundredths = (value: number): number => Math.round(value * 100) / 100;

function figuresOf(waitHours: readonly number[]): WaitFigures {
  const waits = waitHours.filter((hours) => hours > 0).sort((a, b) => a - b);
  const base = { berthed: waitHours.length, waits, waiting: waits.length % 3, waitingHours: waits[0] ?? 0 };
  if (waitHours.length === 0) return base;
  const sum = waitHours.reduce((total, hours) => total + hours, 0);
  return {
    ...base,
    delayedShare: hundredths(waits.filter((hours) => hours >= 3).length / waitHours.length),
    meanHours: hundredths(sum / waitHours.length),
    medianHours: waits[Math.floor(waits.length / 2)] ?? 0,
    p90Hours: waits.at(-1) ?? 0,
    maxHours: waits.at(-1) ?? 0,
  };
}

function callOf(port: string, number: number, day: Day, index: number): PortCall {
  const ataAt = startOfDay(day) + Math.floor(draw(number, index, 1) * 86_000) * 1000;
  const berthAt = ataAt + Math.floor(draw(number, index, 2) * 20) * HOUR_MS;
  const leftAt = berthAt + 18 * HOUR_MS;
  const open = draw(number, index, 3) < 0.05;
  return {
    callId: `${port}-${day}-${index}`,
    port,
    vesselId: `IMO 900000${index}`,
    traffic: index % 4 === 0 ? 'ferry' : 'cargo',
    ...(index % 2 === 0 ? {} : { vesselClass: 'container' as const }),
    ataAt,
    legs: [
      { zone: 'anchorage', place: 'A', startAt: ataAt, endAt: berthAt },
      { zone: 'berth', place: 'B', startAt: berthAt, ...(open ? {} : { endAt: leftAt }) },
    ],
    ...(open ? {} : { atdAt: leftAt }),
    waitKnown: index % 5 !== 0,
    firstAtaAt: ataAt,
    changedAt: leftAt,
  };
}

/** Writes some days of one port. A day has the same rows whichever days are written with it. */
export async function writePortDays(
  tables: Pick<ReleaseTables, 'alerts' | 'dailyMetrics' | 'portCalls' | 'waitDays'>,
  { callsPerDay }: Pick<ReleaseWorld, 'callsPerDay'>,
  { port, number }: { readonly port: string; readonly number: number },
  days: readonly Day[],
  only: readonly string[] = ['alerts', 'dailyMetrics', 'portCalls', 'waitDays'],
): Promise<void> {
  const numbered = days.map((day) => ({ day, index: startOfDay(day) / DAY_MS }));
  const metrics = () =>
    numbered.map(({ day, index }): DayFigures => {
      const figures = {
        congestionScore: hundredths(draw(number, index)),
        avgWaitHours: (number + index) % 90,
      };
      return { day, coverage: 1, vessels: 10 + (index % 50), ...(index % 11 === 7 ? {} : figures) };
    });
  const waits = () =>
    numbered.map(({ day, index }): WaitDay => {
      const hours = Array.from({ length: (number + index) % (callsPerDay + 1) }, (_, at) =>
        at % 3 === 0 ? 0 : hundredths(40 * draw(number, index, at) ** 2),
      );
      const classes = number % 2 === 0 ? {} : { container: figuresOf(hours.slice(0, 3)) };
      return { day, coverage: 1, all: figuresOf(hours), ...classes };
    });
  const calls = () =>
    days.flatMap((day) => Array.from({ length: callsPerDay }, (_, at) => callOf(port, number, day, at)));
  const alerts = () =>
    numbered
      .filter(({ index }) => index % 20 === number % 20)
      .map(({ day }) => ({
        type: 'threshold' as const,
        metric: 'congestion_score' as const,
        severity: 'high' as const,
        changeFraction: 0.25,
        asOfAt: startOfDay(day),
        explain: `congestion_score of ${port}, "high".`,
      }));
  const writers: Readonly<Record<string, () => Promise<void>>> = {
    dailyMetrics: () => putValues(TREND, tables.dailyMetrics, port, metrics()),
    waitDays: () => putValues(WAITS, tables.waitDays, port, waits()),
    portCalls: () => createPortCallStore(tables.portCalls).write(calls(), []),
    alerts: () => putValues(ALERTS, tables.alerts, port, alerts()),
  };
  for (const name of only) await writers[name]?.();
}

/** Fills empty tables; `sparse` without the rows by day. */
export async function fillReleaseWorld(
  tables: ReleaseTables,
  world: ReleaseWorld,
  sparse = false,
): Promise<void> {
  const { firstDay, lastDay } = world;
  const asOfAt = startOfDay(addDays(lastDay, 1));
  for (const [number, [port, source]] of Object.entries(world.ports).entries()) {
    const reference = { port, name: port, countryCode: port.slice(0, 2), latitude: 22.5, longitude: number };
    const counts = { arrivals24h: 1, departures24h: 2, atAnchor: 3, inPort: number };
    const snapshot = { asOfAt, congestionScore: 0.5, avgWaitHours: 7.5, ...counts };
    // The second port has not been observed yet.
    const observed = number === 1 ? {} : { snapshot, firstDay, lastDay, method: 'polls' as const };
    await putPort(tables.ports, { ...reference, sources: [source], ...observed });
    await createBeginnings(tables.vintages, 'ports').note(port, {
      since: firstDay,
      version: METHODOLOGY_VERSION,
    });
    if (!sparse) await writePortDays(tables, world, { port, number }, daysBetween(firstDay, lastDay));
  }
  const index = { '2025-11': 100.5, '2025-12': 101.5, '2026-01': 102.5 };
  for (const code of ['85', '8517'])
    await putValues(IMPORTS, tables.importIndex, code, [{ code, measure: 'GEN_VAL_MO', index }]);
  const statuses = createSourceStatusStore(tables.sourceStatus, () => asOfAt);
  for (const source of [...new Set([...Object.values(world.ports), 'us-census-trade'])]) {
    const lease = await statuses.lease(source, 'test', DAY_MS);
    await lease?.release({ source, lastFetchAt: asOfAt, asOfAt, failures: 0 });
  }
}
