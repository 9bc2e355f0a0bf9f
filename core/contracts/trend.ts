/** Trend point: congestion of one port on one UTC day. */
import type * as z from 'zod/mini';
import {
  asOfParameter,
  daysParameter,
  formatParameter,
  portParameter,
  untilParameter,
  windowParameter,
} from './parameters.ts';
import type { Route } from './route.ts';
import { avgWaitHours, congestionScore, count, day, listOf, record } from './wire.ts';

const trendPoint = record('TrendPoint', 'Figures of one UTC day.', {
  date: day('UTC calendar day.'),
  congestion_score: congestionScore,
  avg_wait_hours: avgWaitHours,
  vessels: count('Distinct vessels in port at any time of the day.', 74),
});
export type TrendPoint = z.infer<typeof trendPoint>;

const trendPoints = listOf(
  trendPoint,
  30,
  'Trend points, oldest first; days without a reliable value for every field are omitted.',
);

export const trendRoute = {
  summary: 'Time series of congestion metrics',
  description:
    'One point a UTC day, oldest first. Give exactly one of `window` and `days`; `until` moves the window back, `as_of` gives what was known then. Days without a reliable value for every field are omitted, never filled with zeros.',
  tag: 'Ports',
  paths: ['/v1/ports/{UNLOCODE}/trend'],
  authenticated: true,
  path: { UNLOCODE: portParameter },
  query: {
    window: windowParameter,
    days: daysParameter,
    until: untilParameter,
    as_of: asOfParameter,
    format: formatParameter,
  },
  exclusive: ['window', 'days'],
  response: trendPoints,
  example: [
    { date: '2025-10-02', congestion_score: 0.153, avg_wait_hours: 4.8, vessels: 151 },
    { date: '2025-10-03', congestion_score: 0.157, avg_wait_hours: 5.8, vessels: 155 },
    { date: '2025-10-04', congestion_score: 0.153, avg_wait_hours: 6.8, vessels: 138 },
  ],
} as const satisfies Route<typeof trendPoints>;
