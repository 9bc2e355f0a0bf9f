/** Rows of the store as records of the contract: what an endpoint serves, and the release writes. */
import type { Alert as AlertRecord } from '../contracts/alerts.ts';
import type { PortRecord } from '../contracts/ports.ts';
import type { TrendPoint } from '../contracts/trend.ts';
import type { WaitDay } from '../contracts/waits.ts';
import type { Alert } from '../metrics/figures.ts';
import { type Day, formatInstant } from '../reference/time.ts';
import type { GroupDay, ServedFigures } from './day-series.ts';
import type { PortRow } from './ports.ts';

/** A port as it is served; `computed` has the fields that a response computes for its own time. */
export function portFigures(row: PortRow, computed: Pick<PortRecord, 'evidence'>): PortRecord;
export function portFigures(row: PortRow): Omit<PortRecord, 'evidence'>;
export function portFigures(row: PortRow, computed: object = {}): Omit<PortRecord, 'evidence'> {
  const { port, name, countryCode, latitude, longitude, sources, method, snapshot, firstDay, lastDay } = row;
  const asOf = snapshot ? formatInstant(snapshot.asOfAt) : null;
  return {
    port,
    name,
    country: countryCode,
    latitude,
    longitude,
    sources: [...sources],
    last_observed: asOf,
    as_of: asOf,
    congestion_score: snapshot?.congestionScore ?? null,
    avg_wait_hours: snapshot?.avgWaitHours ?? null,
    at_anchor: snapshot?.atAnchor ?? null,
    in_port: snapshot?.inPort ?? null,
    first_day: firstDay ?? null,
    last_day: lastDay ?? null,
    method: method ?? null,
    ...computed,
    wait_basis: snapshot?.waitBasis ?? null,
    stopped_since: snapshot?.stoppedSinceAt === undefined ? null : formatInstant(snapshot.stoppedSinceAt),
  };
}

/**
 * Days of the store as they are served. Days without a reliable value for every field are omitted, never filled with
 * zeros. So is a day before `today` on which the observations broke off.
 */
export const trendPoints = (days: readonly ServedFigures[], today: Day): TrendPoint[] =>
  days.flatMap(({ day, congestionScore, avgWaitHours, vessels, partial = false }) =>
    congestionScore === undefined || avgWaitHours === undefined || (partial && day < today)
      ? []
      : [{ date: day, congestion_score: congestionScore, avg_wait_hours: avgWaitHours, vessels }],
  );

/** A day of the store as it is served. */
export const waitRecord = ({ day, coverage, berthed, waits, ...figures }: GroupDay): WaitDay => ({
  date: day,
  berthed,
  waited: waits.length,
  delayed_share: figures.delayedShare ?? null,
  mean_hours: figures.meanHours ?? null,
  median_hours: figures.medianHours ?? null,
  p90_hours: figures.p90Hours ?? null,
  max_hours: figures.maxHours ?? null,
  waiting: figures.waiting ?? null,
  coverage,
  waiting_hours: figures.waitingHours ?? null,
  waits: [...waits],
  excluded: figures.excluded ?? 0,
  unknown_type: figures.unknownType ?? 0,
  recent_arrivals: figures.recentArrivals ?? null,
  recent_wait_hours: figures.recentWaitHours ?? null,
});

/** An alert of the store as it is served. */
export const alertRecord = (alert: Alert): AlertRecord => ({
  type: alert.type,
  metric: alert.metric,
  severity: alert.severity,
  change_pct: alert.changeFraction,
  as_of: formatInstant(alert.asOfAt),
  explain: alert.explain,
  ...(alert.beganAt !== undefined && { began: formatInstant(alert.beganAt) }),
});
