/** Alert: a threshold crossed, a level that changed, or a figure that is unusual for its port. */
import * as z from 'zod/mini';
import { ALERT_WORDS } from '../metrics/alert-rules.ts';
import { ALERT_METRICS, ALERT_TYPES, SEVERITIES } from '../reference/figure-names.ts';
import type { Feed } from './feeds.ts';
import {
  asOfParameter,
  choiceParameter,
  countryParameter,
  dayParameter,
  daysParameter,
  formatParameter,
  formatParameterOf,
  limitParameter,
  MAX_LIMIT,
  type Parameter,
  portParameter,
  untilParameter,
  windowParameterOr,
} from './parameters.ts';
import type { Route } from './route.ts';
import { country, decimal, described, listOf, locode, ONE_LINE, record, timestamp } from './wire.ts';

const { threshold, change_point, unusual, closure } = ALERT_WORDS;

/** What every alert states. */
const alertFields = {
  type: described(z.enum(ALERT_TYPES), {
    description: `What raised the alert: ${threshold.reports} (\`threshold\`), ${change_point.reports} (\`change_point\`), or ${unusual.reports} (\`unusual\`).`,
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
    example: threshold.explain(threshold.example),
  }),
  began: z.optional(
    timestamp(
      'For `berthings` when the closure began: the hour after the last berthing. Absent until twelve hours of it are over, and for other figures.',
    ),
  ),
};

/** Which alerts are wanted, of one port or of all. */
const alertFilters = {
  type: choiceParameter(ALERT_TYPES, 'Only alerts of this type.', 'rise'),
  severity: choiceParameter(SEVERITIES, 'Only alerts of this severity or a higher one.', 'severe', 'high'),
  metric: choiceParameter(ALERT_METRICS, 'Only alerts about this figure.', 'score'),
};

const alert = record('Alert', 'One alert of the port.', alertFields);
export type Alert = z.infer<typeof alert>;

const alerts = listOf(alert, 1_000, 'Alerts of the window, newest first.');

const CLOSURE_ALERT = {
  type: 'unusual',
  metric: 'berthings',
  severity: 'high',
  change_pct: -0.9091,
  as_of: '2025-09-22T18:00:00Z',
  explain: closure.explain(closure.example),
  began: '2025-09-21T21:00:00Z',
} as const;

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
    CLOSURE_ALERT,
    {
      type: 'unusual',
      metric: 'berthings',
      severity: 'medium',
      change_pct: -0.8421,
      as_of: '2025-09-22T06:00:00Z',
      explain: closure.explain({ berthings: 3, hours: 12, usual: 19 }),
      began: '2025-09-21T21:00:00Z',
    },
  ],
} as const satisfies Route<typeof alerts>;

// Port alert: an alert of any port, for lists and feeds across ports.

/** Day, port, metric and type: an alert of a running day keeps its id while its `as_of` moves. */
const ALERT_ID = /^\d{4}-\d{2}-\d{2}\.[A-Z]{2}[A-Z0-9]{3}\.[a-z_]{1,20}\.[a-z_]{1,20}$/;
const EXAMPLE_ID = '2025-09-22.TWKHH.berthings.unusual';

const portAlert = record('PortAlert', 'One alert, with its port.', {
  id: described(z.string().check(z.regex(ALERT_ID), z.maxLength(60)), {
    description: 'Stays the same while the figures of the alert change: UTC day, port, metric and type.',
    example: EXAMPLE_ID,
  }),
  port: locode,
  country,
  ...alertFields,
});
export type PortAlert = z.infer<typeof portAlert>;

/** The most days that `since` may reach back, and the days without it. */
export const MAX_SINCE_DAYS = 90;
export const DEFAULT_SINCE_DAYS = 7;
const DEFAULT_LIMIT = 100;

const alertList = listOf(
  portAlert,
  MAX_LIMIT,
  'Alerts of all ports, newest UTC day first, by id within a day.',
);

const afterParameter: Parameter<string> = {
  description: 'The `id` of the last alert of the page before: the response continues after it.',
  schema: described(z.string().check(z.regex(ALERT_ID), z.maxLength(60)), { description: 'Id of an alert.' }),
  rule: 'must be the id of an alert',
  example: EXAMPLE_ID,
  counterexample: '2',
};

const feedFormatParameter = formatParameterOf(
  ['csv', 'atom', 'jsonfeed'],
  'Format of the response: `atom` and `jsonfeed` are for feed readers.',
  'atom',
);

const FEED_ID = 'tag:port-congestion-data-service,2026:alerts';

const FILTERS = ['port', 'country', 'type', 'severity', 'metric'] as const;

/** The alerts as a feed of its own for each set of filters; entries lead to the explorer's page of the port. */
function feedOf(alerts: readonly PortAlert[], query: Readonly<Record<string, unknown>>, base: string): Feed {
  const sent = FILTERS.filter((name) => query[name] !== undefined).map((name) => `${name}=${query[name]}`);
  return {
    id: sent.length === 0 ? FEED_ID : `${FEED_ID}?${sent.join('&')}`,
    title: ['Port Congestion Data Service: alerts', ...sent].join(', '),
    page: `${base}/`,
    entries: alerts.map(({ id, port, type, metric, severity, as_of, explain }) => ({
      id: `${FEED_ID}/${id}`,
      title: `${port}: ${metric}, ${severity}`,
      updated: as_of,
      link: `${base}/?port=${port}`,
      text: explain,
      tags: [severity, type],
    })),
  };
}

export const alertFeedRoute = {
  summary: 'Alerts of all ports, as a list or a feed',
  description:
    'The alerts of every covered port since a UTC day, at most 90 days back, newest day first: as JSON, CSV, Atom or JSON Feed. An alert keeps its `id` while it changes, so that a reader shows it once; entries lead to the page of the port. A full page is followed by one that continues `after` its last id.',
  tag: 'Ports',
  paths: ['/v1/alerts'],
  authenticated: true,
  path: {},
  query: {
    since: dayParameter('First UTC day, included; by default six days before today.', '2025-09-01'),
    country: countryParameter('Only the alerts of ports of this country'),
    port: { ...portParameter, description: 'Only the alerts of this port: its UN/LOCODE, upper case.' },
    ...alertFilters,
    after: afterParameter,
    limit: limitParameter(`Alerts in the response, 1 to ${MAX_LIMIT}; ${DEFAULT_LIMIT} by default.`, {
      fallback: DEFAULT_LIMIT,
      example: '100',
      counterexample: '501',
    }),
    format: feedFormatParameter,
  },
  response: alertList,
  feedOf,
  example: [{ id: EXAMPLE_ID, port: 'TWKHH', country: 'TW', ...CLOSURE_ALERT }],
} as const satisfies Route<typeof alertList>;
