/** Alert: a threshold crossed, a level that changed, or a figure that is unusual for its port. */
import * as z from 'zod/mini';
import { ALERT_METRICS, ALERT_TYPES, SEVERITIES } from '../reference/figure-names.ts';
import {
  asOfParameter,
  choiceParameter,
  daysParameter,
  formatParameter,
  portParameter,
  untilParameter,
  windowParameterOr,
} from './parameters.ts';
import type { Route } from './route.ts';
import { decimal, described, listOf, ONE_LINE, record, timestamp } from './wire.ts';

/** What every alert states. */
export const alertFields = {
  type: described(z.enum(ALERT_TYPES), {
    description:
      'What raised the alert: a figure at or above a line for all ports (`threshold`), a level that changed (`change_point`), or a figure that the port has hardly seen (`unusual`).',
  }),
  metric: described(z.enum(ALERT_METRICS), {
    description: 'The figure that it is about.',
  }),
  severity: described(z.enum(SEVERITIES), {
    description: 'How severe: by the line that was reached, or by the size of the change.',
  }),
  change_pct: decimal(4, -1, 10)('Fractional change: 1 is a doubling, -0.5 a halving.', 0.6613),
  as_of: timestamp(
    'End of the last day used, or the newest observation when that day still runs; for `berthings` the end of the hour at which it was known.',
  ),
  explain: described(z.string().check(z.minLength(1), z.regex(ONE_LINE), z.maxLength(160)), {
    description: 'The reason, in one line; its numbers can be recomputed from the API.',
    example: 'congestion_score 0.76 is at or above 0.75 for 2 days (28-day median 0.41).',
  }),
  began: z.optional(
    timestamp(
      'For `berthings` when the closure began: the hour after the last berthing. Absent until twelve hours of it are over, and for other figures.',
    ),
  ),
};

/** Which alerts are wanted, of one port or of all. */
export const alertFilters = {
  type: choiceParameter(ALERT_TYPES, 'Only alerts of this type.', 'rise'),
  severity: choiceParameter(SEVERITIES, 'Only alerts of this severity or a higher one.', 'severe', 'high'),
  metric: choiceParameter(ALERT_METRICS, 'Only alerts about this figure.', 'score'),
};

const alert = record('Alert', 'One alert of the port.', alertFields);
export type Alert = z.infer<typeof alert>;

const alerts = listOf(alert, 1_000, 'Alerts of the window, newest first.');

export const alertsRoute = {
  summary: 'Thresholds, change points and unusual figures',
  description:
    'Thresholds that were crossed, levels that changed and figures that are unusual for the port, newest first; the last of the running day too. A window has the alerts with start of its first day < `as_of` <= end of its last, so adjacent windows share none; `until` moves it back, `as_of` gives what was known then. The numbers in `explain` can be recomputed from the trend, those of `at_anchor` from dwell, of the `berthings` of a whole day from the waits.',
  tag: 'Ports',
  paths: ['/v1/ports/{UNLOCODE}/alerts'],
  authenticated: true,
  path: { UNLOCODE: portParameter },
  query: {
    window: windowParameterOr('30d'),
    days: daysParameter,
    until: untilParameter,
    as_of: asOfParameter,
    ...alertFilters,
    format: formatParameter,
  },
  exclusive: ['window', 'days'],
  response: alerts,
  example: [
    {
      type: 'unusual',
      metric: 'berthings',
      severity: 'high',
      change_pct: -0.9091,
      as_of: '2025-09-22T18:00:00Z',
      explain:
        'berthings 3 in 24 hours, 33 is usual in these hours (median of the 28 days before): the flow is broken, and the score says so.',
      began: '2025-09-21T21:00:00Z',
    },
    {
      type: 'unusual',
      metric: 'berthings',
      severity: 'medium',
      change_pct: -0.8421,
      as_of: '2025-09-22T06:00:00Z',
      explain:
        'berthings 3 in 12 hours, 19 is usual in these hours (median of the 28 days before): the flow is broken, and the score says so.',
      began: '2025-09-21T21:00:00Z',
    },
  ],
} as const satisfies Route<typeof alerts>;
