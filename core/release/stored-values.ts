/** Rows of a release in the form of the store: the inverse of `served-records.ts`. Pure. */
import type { Alert, DailyMetrics, RecentFigures, WaitFigures } from '../metrics/figures.ts';
import { type ForecastDay, type ForecastMetric, HORIZON_DAYS, type Skill } from '../metrics/forecast.ts';
import type { RaisedAlert } from '../metrics/raised-alerts.ts';
import { VESSEL_CLASSES } from '../reference/figure-names.ts';
import { addDays } from '../reference/time.ts';
import type { ServedDay } from '../store/daily-metrics.ts';
import type { ForecastReason, StoredForecast } from '../store/forecasts.ts';
import type { ImportIndex } from '../store/import-index.ts';
import { type PortRow, packRecent } from '../store/ports.ts';
import { ReleaseFailure } from '../store/release-place.ts';
import type { WaitDayPart } from '../store/wait-days.ts';
import type { ReleaseRow } from './columns.ts';

const text = (value: unknown): string => String(value);
const number = (value: unknown): number => Number(value);

/** The known attributes: a NULL column is an absent attribute in the store. */
const known = <T extends object>(attributes: T): Partial<T> =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value != null)) as Partial<T>;

const waitFigures = (row: ReleaseRow): WaitFigures =>
  ({
    berthed: number(row.berthed),
    waits: row.waits as readonly number[],
    ...known({
      delayedShare: row.delayed_share,
      meanHours: row.mean_hours,
      medianHours: row.median_hours,
      p90Hours: row.p90_hours,
      maxHours: row.max_hours,
      waiting: row.waiting,
      waitingHours: row.waiting_hours,
      excluded: row.excluded || undefined,
      unknownType: row.unknown_type || undefined,
      recentArrivals: row.recent_arrivals,
      recentWaitHours: row.recent_wait_hours,
    }),
  }) as WaitFigures;

/** The rows of one day, one for each group of calls. */
export function waitDayOf(rows: readonly ReleaseRow[]): WaitDayPart {
  const [first] = rows;
  const groups = (['all', ...VESSEL_CLASSES] as const).flatMap((group) => {
    const row = rows.find((candidate) => candidate.class === group);
    return row === undefined ? [] : [[group, waitFigures(row)] as const];
  });
  return { day: text(first?.date), coverage: number(first?.coverage), ...Object.fromEntries(groups) };
}

/** The trend row that was served for a day. */
export const servedDayOf = ([row = {}]: readonly ReleaseRow[]): ServedDay => ({
  day: text(row.date),
  congestionScore: number(row.congestion_score),
  avgWaitHours: number(row.avg_wait_hours),
  vessels: number(row.vessels),
});

export const metricsOf = (row: ReleaseRow): DailyMetrics =>
  ({
    day: text(row.date),
    coverage: number(row.coverage),
    vessels: number(row.vessels),
    ...(row.partial === true && { partial: true }),
    ...known({
      congestionScore: row.congestion_score,
      avgWaitHours: row.avg_wait_hours,
      dayAtAnchor: row.at_anchor,
      mostAtAnchor: row.most_at_anchor,
      endAtAnchor: row.end_at_anchor,
      endWaitingHours: row.end_waiting_hours,
      dayBerthings: row.berthings,
      dayWaits: row.berthings_with_wait,
      dayWaitHours: row.day_wait_hours,
      dayScore: row.day_score,
      queueScore: row.queue_score,
      delayedShare: row.delayed_share,
      waitTerm: row.wait_term,
      queueTerm: row.queue_term,
      flowTerm: row.flow_term,
      stoppedShare: row.stopped_share,
      hourBerthings: row.hour_berthings,
      hourArrivals: row.hour_arrivals,
    }),
  }) as DailyMetrics;

/** A forecast from what was issued and the rows of its days, in their order. Throws ReleaseFailure where days are missing. */
export function forecastOf(
  issued: ReleaseRow,
  rows: readonly ReleaseRow[],
): readonly [ForecastMetric, StoredForecast] {
  const head = {
    originDay: addDays(text(issued.issued), -1),
    asOfAt: number(issued.as_of),
    historyDays: number(issued.history_days),
    ...(issued.replayed === true && { replayed: true as const }),
  };
  const metric = issued.metric as ForecastMetric;
  if (issued.reason != null) return [metric, { ...head, reason: issued.reason as ForecastReason }];
  if (rows.length !== HORIZON_DAYS)
    throw new ReleaseFailure(
      `the forecast of ${issued.port}, ${metric}, issued on ${issued.issued} has ${rows.length} of ${HORIZON_DAYS} days`,
    );
  const [persistence, median] = [number(issued.persistence), number(issued.median)];
  const regression = issued.regression as readonly number[] | null;
  const days = rows.map((row, at): ForecastDay => {
    const p50 = number(row.p50);
    return {
      day: text(row.day),
      p10: number(row.p10),
      p50,
      p90: number(row.p90),
      method: row.method as ForecastDay['method'],
      candidates: { regression: regression?.[at] ?? p50, median, persistence },
    };
  });
  const [errors, toPersistence, toMedian, coverages] = [
    issued.error,
    issued.ratio_to_persistence,
    issued.ratio_to_median,
    issued.band_coverage,
  ] as (readonly number[])[];
  const ratio = (value = Number.NaN): number | undefined => (Number.isNaN(value) ? undefined : value);
  const skill = {
    basis: issued.skill_basis,
    origins: number(issued.skill_origins),
    fromDay: text(issued.skill_from),
    toDay: text(issued.skill_to),
    horizons: errors?.map((error, at) => ({
      horizon: at + 1,
      error,
      ratioToPersistence: ratio(toPersistence?.[at]),
      ratioToMedian: ratio(toMedian?.[at]),
      coverage: coverages?.[at],
    })),
  } as Skill;
  return [metric, { ...head, days, skill }];
}

export function raisedAlertOf(row: ReleaseRow): RaisedAlert {
  const [knownTimes, asOfTimes, severities] = [
    row.steps_known,
    row.steps_as_of,
    row.steps_severity,
  ] as string[][];
  return {
    type: row.type,
    metric: row.metric,
    steps: severities?.map((severity, at) => ({
      knownAt: Date.parse(knownTimes?.[at] ?? ''),
      asOfAt: Date.parse(asOfTimes?.[at] ?? ''),
      severity,
    })),
    changeFraction: number(row.change_pct),
    explain: text(row.explain),
    ...known({
      sinceAt: row.since,
      overAt: row.ended,
      overKnownAt: row.ended_known,
      withdrawnAt: row.withdrawn,
      withdrawal: row.withdrawal,
    }),
    ...(row.replayed === true && { replayed: true }),
  } as unknown as RaisedAlert;
}

export const alertOf = (row: ReleaseRow): Alert => ({
  type: row.type as Alert['type'],
  metric: row.metric as Alert['metric'],
  severity: row.severity as Alert['severity'],
  changeFraction: number(row.change_pct),
  asOfAt: number(row.as_of),
  explain: text(row.explain),
});

/** The figures of a port as its vintages have them. */
export const portFiguresOf = (row: ReleaseRow): Pick<PortRow, 'port' | 'snapshot' | 'firstDay' | 'lastDay'> =>
  ({
    port: text(row.port),
    ...known({ firstDay: row.first_day, lastDay: row.last_day }),
    ...(row.as_of != null && {
      snapshot: {
        asOfAt: number(row.as_of),
        congestionScore: number(row.congestion_score),
        avgWaitHours: number(row.avg_wait_hours),
        arrivals24h: number(row.arrivals_24h),
        departures24h: number(row.departures_24h),
        atAnchor: number(row.at_anchor),
        inPort: number(row.in_port),
        ...known({ waitBasis: row.wait_basis, stoppedSinceAt: row.stopped_since }),
      },
    }),
  }) as PortRow;

/** @param recent days of scores before its snapshot */
export const portRowOf = (row: ReleaseRow, recent: RecentFigures): PortRow => ({
  ...portFiguresOf(row),
  name: text(row.name),
  countryCode: text(row.country),
  latitude: number(row.latitude),
  longitude: number(row.longitude),
  sources: row.sources as readonly string[],
  ...(known({ method: row.method }) as Pick<PortRow, 'method'>),
  ...(row.as_of != null && { recent: packRecent(recent) }),
});

/** The rows of one code, a month each. */
export function importIndexOf(
  rows: readonly ReleaseRow[],
  measures: Readonly<Record<string, string>>,
): ImportIndex {
  const months = rows.map((row) => [text(row.month).slice(0, 7), number(row.index)] as const);
  const settledMonth =
    months
      .map(([month]) => month)
      .sort()
      .at(-1) ?? '';
  const code = text(rows[0]?.code);
  return { code, measure: measures[code] ?? '', index: Object.fromEntries(months), settledMonth };
}
