/** Dwell period: a closed wait or berth stay of one vessel. */
import * as z from 'zod/mini';
import { portParameter, windowParameterOr } from './parameters.ts';
import type { Route } from './route.ts';
import { decimal, described, listOf, timestamp } from './wire.ts';

export const dwellPeriod = described(
  z.object({
    start: timestamp('Begin of the period.'),
    end: timestamp('End of the period.'),
    kind: described(z.enum(['wait', 'berth']), { description: '`wait` at anchor, or `berth` alongside.' }),
    hours: decimal(
      2,
      { minimum: 0, maximum: 1_000_000 },
      { description: 'Duration in hours.', example: 14.25 },
    ),
  }),
  { description: 'Dwell period.' },
);
export type DwellRecord = z.infer<typeof dwellPeriod>;

const dwellPeriods = listOf(
  dwellPeriod,
  100_000,
  'Closed periods whose end lies in the window, oldest first.',
);

export const dwellRoute = {
  summary: 'Dwell and wait sequences derived from vessel calls',
  paths: ['/v1/ports/{UNLOCODE}/dwell'],
  authenticated: true,
  path: { UNLOCODE: portParameter },
  query: { window: windowParameterOr('14d') },
  response: dwellPeriods,
} as const satisfies Route;
