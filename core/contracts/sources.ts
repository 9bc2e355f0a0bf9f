/** Source record: an upstream source and when it was last fetched. */
import * as z from 'zod/mini';
import { evidence } from './evidence.ts';
import { formatParameter } from './parameters.ts';
import type { Route } from './route.ts';
import { day, described, listOf, record, text, timestamp } from './wire.ts';

const sourceRecord = record('SourceRecord', 'Source record.', {
  source: text('Id of the upstream data source.', 'hk-marine-department'),
  last_fetch_iso: timestamp('Newest successful fetch; a failed fetch does not change it.'),
  evidence,
  offline_since: described(z.optional(day('UTC day.', '2026-06-23')), {
    description:
      'UTC day since when the publisher has the source offline; absent (empty in CSV) while it is published. The data before that day stay.',
  }),
});
export type SourceRecord = z.infer<typeof sourceRecord>;

const sourceRecords = listOf(sourceRecord, 100, 'Sources fetched at least once, by name.');

export const sourcesRoute = {
  summary: 'Data sources and last fetch times',
  description:
    'One row for each upstream source that was fetched at least once. Only a successful fetch changes the time, so an old time means that the source is down.',
  tag: 'Service',
  paths: ['/v1/meta/sources', '/v1/sources'],
  authenticated: true,
  path: {},
  query: { format: formatParameter },
  response: sourceRecords,
  example: [
    { source: 'fintraffic-digitraffic', last_fetch_iso: '2026-11-20T11:55:12Z', evidence: 'observed' },
    { source: 'hk-marine-department', last_fetch_iso: '2026-11-20T11:50:40Z', evidence: 'observed' },
  ],
} as const satisfies Route<typeof sourceRecords>;
