/** What people are told of each operation, and the example that shows its answer. */
import type { OperationId, ResponseOf } from '../routes.ts';

export const TAGS = {
  Service: 'Whether the API answers, and where its data come from.',
  Ports: 'Congestion of a port: now, day by day, call by call, and when it changed.',
  Trade: 'What the imports of a commodity do, month by month.',
} as const;

interface OperationText<O extends OperationId> {
  readonly tag: keyof typeof TAGS;
  readonly description: string;
  /** A whole answer, true to the schema and consistent in itself. */
  readonly example: ResponseOf<O>;
}

export const OPERATION_TEXTS: { readonly [O in OperationId]: OperationText<O> } = {
  health: {
    tag: 'Service',
    description: 'Says that the API answers. It needs no key, counts against no limit, and is never cached.',
    example: { status: 'ok', time: '2026-11-20T12:00:07Z', region: 'eu-north-1' },
  },
  sources: {
    tag: 'Service',
    description:
      'One row for each upstream source that was fetched at least once. The time moves only when a fetch succeeds, so a source that is down shows as an old time.',
    example: [
      { source: 'fintraffic-digitraffic', last_fetch_iso: '2026-11-20T11:55:12Z' },
      { source: 'hk-marine-department', last_fetch_iso: '2026-11-20T11:50:40Z' },
    ],
  },
  ports: {
    tag: 'Ports',
    description: 'The ports that the service covers, with their position and their newest observation.',
    example: [
      {
        port: 'FIHEL',
        name: 'Helsinki',
        country: 'FI',
        latitude: 60.1667,
        longitude: 24.9667,
        sources: ['fintraffic-digitraffic'],
        last_observed: '2026-11-20T11:55:12Z',
      },
      {
        port: 'HKHKG',
        name: 'Hong Kong',
        country: 'HK',
        latitude: 22.2667,
        longitude: 114.2,
        sources: ['hk-marine-department'],
      },
    ],
  },
  trend: {
    tag: 'Ports',
    description:
      'One point a UTC day, oldest first. Give exactly one of `window` and `days`. A day without an honest value for every field is left out, never filled with zeros.',
    example: [
      { date: '2026-11-18', congestion_score: 0.398, avg_wait_hours: 10.7, vessels: 71 },
      { date: '2026-11-19', congestion_score: 0.405, avg_wait_hours: 11, vessels: 69 },
      { date: '2026-11-20', congestion_score: 0.412, avg_wait_hours: 11.3, vessels: 74 },
    ],
  },
  snapshot: {
    tag: 'Ports',
    description:
      'The state of the port at `as_of`, the time of the newest good observation, which is not the time of the request.',
    example: {
      port: 'HKHKG',
      as_of: '2026-11-20T11:50:00Z',
      congestion_score: 0.412,
      avg_wait_hours: 11.3,
      vessels: { arrivals_24h: 24, departures_24h: 22, at_anchor: 9, in_port: 41 },
    },
  },
  dwell: {
    tag: 'Ports',
    description:
      'Closed periods, chosen by their end and oldest first: waits at anchor and stays at berth. A wait that is still open shows in the snapshot. A covered port without periods answers an empty list.',
    example: [
      { start: '2026-11-18T03:10:00Z', end: '2026-11-18T17:25:00Z', kind: 'wait', hours: 14.25 },
      { start: '2026-11-18T17:25:00Z', end: '2026-11-20T05:55:00Z', kind: 'berth', hours: 36.5 },
    ],
  },
  alerts: {
    tag: 'Ports',
    description:
      'Thresholds that were crossed and levels that changed, newest first. The numbers in `explain` can be recomputed from the trend, those of `at_anchor` from dwell.',
    example: [
      {
        type: 'threshold',
        metric: 'congestion_score',
        severity: 'high',
        change_pct: 0.8537,
        as_of: '2026-11-20T00:00:00Z',
        explain: 'congestion_score 0.76 is at or above 0.75 for 2 days (28-day median 0.41).',
      },
    ],
  },
  hsImports: {
    tag: 'Trade',
    description:
      'Import momentum of the newest 36 months held, oldest first: 100 is the same three months a year before. A code whose chapter exists answers an empty list when nothing is held for it. Beta: its form may change with notice in the changelog. The Lite plan does not include it.',
    example: [
      { month: '2026-08', index: 101.9 },
      { month: '2026-09', index: 104.2 },
    ],
  },
};
