/** Dwell period: a closed wait or berth stay of one vessel. */
import * as z from 'zod/mini';
import {
  daysParameter,
  formatParameter,
  portParameter,
  untilParameter,
  windowParameterOr,
} from './parameters.ts';
import type { Route } from './route.ts';
import { decimal, described, listOf, record, timestamp } from './wire.ts';

const dwellPeriod = record('DwellPeriod', 'One closed wait or berth stay.', {
  start: timestamp('Start of the period.'),
  end: timestamp('End of the period.'),
  kind: described(z.enum(['wait', 'berth']), { description: '`wait` at anchor, or `berth` alongside.' }),
  hours: decimal(2, 0, 1_000_000)('Duration in hours.', 14.25),
});
export type DwellPeriod = z.infer<typeof dwellPeriod>;

const dwellPeriods = listOf(
  dwellPeriod,
  100_000,
  'Closed periods whose end lies in the window, oldest first.',
);

export const dwellRoute = {
  summary: 'Dwell and wait sequences derived from vessel calls',
  description:
    'Closed periods, chosen by their end and oldest first: waits at anchor and stays at berth. `until` moves the window back. A wait that is still open shows in the snapshot. A covered port without periods returns an empty list.',
  tag: 'Ports',
  paths: ['/v1/ports/{UNLOCODE}/dwell'],
  authenticated: true,
  path: { UNLOCODE: portParameter },
  query: {
    window: windowParameterOr('14d'),
    days: daysParameter,
    until: untilParameter,
    format: formatParameter,
  },
  exclusive: ['window', 'days'],
  response: dwellPeriods,
  example: [
    { start: '2025-10-01T18:15:00Z', end: '2025-10-04T07:42:03Z', kind: 'berth', hours: 61.45 },
    { start: '2025-10-01T22:31:00Z', end: '2025-10-04T07:59:00Z', kind: 'wait', hours: 57.47 },
  ],
} as const satisfies Route<typeof dwellPeriods>;
