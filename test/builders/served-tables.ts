/** Rows for every table that a read looks at: a port with something of everything, and a covered one with nothing. */
import type { Stay } from '../../core/calls/port-call.ts';
import type { Alert, DayFigures, WaitFigures } from '../../core/metrics/figures.ts';
import { addDays, DAY_MS, type Day, dayOf, HOUR_MS, type Instant } from '../../core/reference/time.ts';
import { ALERTS, createAlertFeed } from '../../core/store/alerts.ts';
import { createStayDayStore, TREND, WAITS } from '../../core/store/day-series.ts';
import { createForecastStore } from '../../core/store/forecasts.ts';
import { IMPORTS } from '../../core/store/imports.ts';
import { packRecent } from '../../core/store/ports.ts';
import { createSourceStatusStore } from '../../core/store/source-status.ts';
import type { EventParts } from './gateway-event.ts';
import type { KeyedOperation, Tables } from './keyed-handlers.ts';
import { putPort, putValues } from './series-values.ts';

const BUSY_PORT = 'USLAX';
const SILENT_PORT = 'NLRTM';

/** Three berthings, two of them after a wait, and two open waits. */
const FIGURES: WaitFigures = {
  berthed: 3,
  waits: [2.5, 8],
  delayedShare: 0.3333,
  meanHours: 3.5,
  medianHours: 2.5,
  p90Hours: 6.9,
  maxHours: 8,
  waiting: 2,
  waitingHours: 31.25,
};

const portRow = (port: string, latitude: number) => ({
  port,
  name: port,
  countryCode: port.slice(0, 2),
  latitude,
  longitude: -latitude,
  sources: ['sample-simulator'],
});

/** Fills empty tables with the state of a service whose newest observation is `asOfAt`. */
export async function fillServedTables(tables: Tables, asOfAt: Instant): Promise<void> {
  const today = dayOf(asOfAt);
  const counts = { arrivals24h: 12, departures24h: 9, atAnchor: 4, inPort: 31 };
  const snapshot = { asOfAt, congestionScore: 0.431, avgWaitHours: 7.5, ...counts };
  const change = { congestionScore: 0.118, avgWaitHours: -1.5, atAnchor: 2 };
  const recent = packRecent({ scores: Array.from({ length: 30 }, (_, i) => i / 100), change });
  await putPort(tables.ports, { ...portRow(BUSY_PORT, 33.7), snapshot, recent });
  await putPort(tables.ports, portRow(SILENT_PORT, 51.9));
  const days = Array.from({ length: 30 }, (_, ago): DayFigures => {
    const figures = { congestionScore: ago / 100, avgWaitHours: ago / 10 };
    return { day: addDays(today, -ago), coverage: 1, vessels: 20 + ago, ...(ago % 9 === 5 ? {} : figures) };
  });
  await putValues(TREND, tables.dailyMetrics, BUSY_PORT, days);
  await putValues(WAITS, tables.waitDays, BUSY_PORT, [{ day: today, coverage: 1, all: FIGURES }]);
  const stays = Array.from({ length: 10 }, (_, ago): [Day, Stay[]] => {
    const endAt = asOfAt - ago * DAY_MS;
    return [dayOf(endAt), [{ callId: `call-${ago}`, kind: 'berth', startAt: endAt - 7 * HOUR_MS, endAt }]];
  });
  await createStayDayStore(tables.stayDays).write(BUSY_PORT, new Map(stays));
  const issued = { originDay: addDays(today, -1), asOfAt, historyDays: 12, reason: 'short_history' } as const;
  await createForecastStore(tables.forecasts).write(BUSY_PORT, [['avg_wait_hours', issued]]);
  const alert: Alert = {
    type: 'threshold',
    metric: 'congestion_score',
    severity: 'high',
    changeFraction: 0.25,
    asOfAt: asOfAt - DAY_MS,
    explain: 'congestion_score 0.431 is above the usual.',
  };
  await putValues(ALERTS, tables.alerts, BUSY_PORT, [alert]);
  await createAlertFeed(tables.alertFeed).update(BUSY_PORT, [alert], []);
  const index = { code: '85', measure: 'GEN_VAL_MO', index: { '2026-01': 104.2 } };
  await putValues(IMPORTS, tables.importIndex, '85', [index]);
  const statuses = createSourceStatusStore(tables.sourceStatus, () => asOfAt);
  const lease = await statuses.lease('sample-simulator', 'test', HOUR_MS);
  await lease?.release({ source: 'sample-simulator', lastFetchAt: asOfAt, asOfAt, failures: 0 });
}

const port = (UNLOCODE: string, query: EventParts['query'] = {}): EventParts => ({
  path: { UNLOCODE },
  query,
});

/** A request of each kind that touches the tables in a way of its own, by name. */
export const READS: Readonly<Record<string, readonly [KeyedOperation, EventParts]>> = {
  sources: ['sources', {}],
  ports: ['ports', {}],
  changes: ['changes', {}],
  trend: ['trend', port(BUSY_PORT, { window: ['30d'] })],
  'trend as CSV': ['trend', port(BUSY_PORT, { window: ['7d'], format: ['csv'] })],
  'trend of a silent port': ['trend', port(SILENT_PORT, { window: ['7d'] })],
  'trend of a port that is not covered': ['trend', port('DEHAM', { window: ['7d'] })],
  waits: ['waits', port(BUSY_PORT)],
  'waits of a silent port': ['waits', port(SILENT_PORT)],
  forecast: ['forecast', port(BUSY_PORT)],
  'forecast of a silent port': ['forecast', port(SILENT_PORT)],
  snapshot: ['snapshot', port(BUSY_PORT)],
  'snapshot of a silent port': ['snapshot', port(SILENT_PORT)],
  dwell: ['dwell', port(BUSY_PORT)],
  'dwell of a silent port': ['dwell', port(SILENT_PORT)],
  alerts: ['alerts', port(BUSY_PORT)],
  'alerts of a silent port': ['alerts', port(SILENT_PORT)],
  'alerts of all ports': ['alertFeed', {}],
  imports: ['hsImports', { path: { code: '85' } }],
  'imports of a code without data': ['hsImports', { path: { code: '01' } }],
};
