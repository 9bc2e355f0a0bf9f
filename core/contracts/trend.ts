/** Trend point: congestion of one port on one UTC day. */
import * as z from 'zod/mini';
import { avgWaitHours, congestionScore } from './congestion.ts';
import { daysParameter, formatParameter, portParameter, windowParameter } from './parameters.ts';
import { columnsOf, type Route } from './route.ts';
import { count, described, listOf } from './wire.ts';

export const trendPoint = described(
  z.object({
    date: described(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/), z.maxLength(10)), {
      description: 'UTC calendar day.',
      example: '2026-11-20',
    }),
    congestion_score: congestionScore,
    avg_wait_hours: avgWaitHours,
    vessels: count('Distinct vessels in port at any time of the day.', 74),
  }),
  { description: 'Trend point.' },
);
export type TrendPoint = z.infer<typeof trendPoint>;

const trendPoints = listOf(
  trendPoint,
  30,
  'Trend points, oldest first; a day without an honest value is left out.',
);

export const trendRoute = {
  summary: 'Time series of congestion metrics',
  paths: ['/v1/ports/{UNLOCODE}/trend'],
  authenticated: true,
  path: { UNLOCODE: portParameter },
  query: { window: windowParameter, days: daysParameter, format: formatParameter },
  oneOf: ['window', 'days'],
  response: trendPoints,
  csvColumns: columnsOf(trendPoint),
} as const satisfies Route;
