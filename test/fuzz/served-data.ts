/** The readers of all tables over a few rows in memory: what handlers serve when many requests are tried at once. */
import type { DailyMetrics } from '../../core/metrics/figures.ts';
import { addDays, DAY_MS, dayOf, HOUR_MS, type Instant } from '../../core/reference/time.ts';
import type { AlertStore } from '../../core/store/alerts.ts';
import type { DailyMetricsStore } from '../../core/store/daily-metrics.ts';
import type { ImportIndexStore } from '../../core/store/import-index.ts';
import type { PortRow, PortStore } from '../../core/store/ports.ts';
import type { SourceStatusStore } from '../../core/store/source-status.ts';
import type { StayDayStore } from '../../core/store/stay-days.ts';

export interface ServedStores {
  readonly ports: Pick<PortStore, 'get' | 'all'>;
  readonly dailyMetrics: Pick<DailyMetricsStore, 'served'>;
  readonly stayDays: Pick<StayDayStore, 'between'>;
  readonly alerts: Pick<AlertStore, 'between'>;
  readonly importIndex: Pick<ImportIndexStore, 'get'>;
  readonly sourceStatus: Pick<SourceStatusStore, 'all'>;
}

/** A port with everything, and one that is covered and of which nothing is known. */
export const BUSY_PORT = 'HKHKG';
export const SILENT_PORT = 'NLRTM';

export function servedStores(nowAt: Instant): ServedStores {
  const today = dayOf(nowAt);
  const snapshot = {
    asOfAt: nowAt,
    congestionScore: 0.431,
    avgWaitHours: 7.5,
    arrivals24h: 12,
    departures24h: 9,
    atAnchor: 4,
    inPort: 31,
  };
  const rowOf = (port: string, name: string, latitude: number): PortRow => ({
    port,
    name,
    countryCode: port.slice(0, 2),
    latitude,
    longitude: -latitude,
    sources: ['sample-simulator'],
  });
  const rows = [{ ...rowOf(BUSY_PORT, 'Hong Kong', 22.3), snapshot }, rowOf(SILENT_PORT, 'Rotterdam', 51.9)];
  const days = Array.from(
    { length: 30 },
    (_, ago): DailyMetrics => ({
      day: addDays(today, ago - 29),
      coverage: 1,
      vessels: 20 + ago,
      ...(ago % 9 === 0 ? {} : { congestionScore: ago / 100, avgWaitHours: ago / 10 }),
    }),
  );
  const busy = <T>(port: string, all: readonly T[]): T[] => (port === BUSY_PORT ? [...all] : []);
  return {
    ports: { get: async (port) => rows.find((row) => row.port === port), all: async () => rows },
    dailyMetrics: {
      served: async (port, first, last) => busy(port, days).filter(({ day }) => day >= first && day <= last),
    },
    stayDays: {
      between: async (port) =>
        busy(port, [
          { callId: 'a', kind: 'wait', startAt: nowAt - DAY_MS, endAt: nowAt - 20 * HOUR_MS },
          { callId: 'a', kind: 'berth', startAt: nowAt - 20 * HOUR_MS, endAt: nowAt - HOUR_MS },
        ]),
    },
    alerts: {
      between: async (port) =>
        busy(port, [
          {
            type: 'threshold',
            metric: 'congestion_score',
            severity: 'high',
            changeFraction: 0.1234,
            asOfAt: nowAt - DAY_MS,
            explain: 'congestion_score 0.431 is above the usual.',
          },
        ]),
    },
    importIndex: {
      get: async (code) =>
        code === '85' ? { measure: 'GEN_VAL_MO', points: [{ month: '2026-01', index: 104.2 }] } : undefined,
    },
    sourceStatus: { all: async () => [{ source: 'sample-simulator', lastFetchAt: nowAt, failures: 0 }] },
  };
}
