/** Port alert: an alert of any port, for lists and feeds across ports. */
import * as z from 'zod/mini';
import { alertFields, alertFilters } from './alerts.ts';
import type { Feed } from './feeds.ts';
import {
  countryParameter,
  dayParameter,
  formatParameterOf,
  limitParameter,
  MAX_LIMIT,
  type Parameter,
  portParameter,
} from './parameters.ts';
import type { Route } from './route.ts';
import { country, described, listOf, locode, record } from './wire.ts';

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

const formatParameter = formatParameterOf(
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
    format: formatParameter,
  },
  response: alertList,
  feedOf,
  example: [
    {
      id: EXAMPLE_ID,
      port: 'TWKHH',
      country: 'TW',
      type: 'unusual',
      metric: 'berthings',
      severity: 'high',
      change_pct: -0.9091,
      as_of: '2025-09-22T18:00:00Z',
      explain:
        'berthings 3 in 24 hours, 33 is usual in these hours (median of the 28 days before): the flow is broken, and the score says so.',
      began: '2025-09-21T21:00:00Z',
    },
  ],
} as const satisfies Route<typeof alertList>;
