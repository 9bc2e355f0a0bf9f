/** Source record: an upstream source and when it was last fetched. */
import * as z from 'zod/mini';
import type { Route } from './route.ts';
import { described, listOf, text, timestamp } from './wire.ts';

export const sourceRecord = described(
  z.object({
    source: text('Id of the upstream data source.', 'hk-marine-department'),
    last_fetch_iso: timestamp('Newest successful fetch; a failed one does not move it.'),
  }),
  { description: 'Source record.' },
);
export type SourceRecord = z.infer<typeof sourceRecord>;

const sourceRecords = listOf(sourceRecord, 100, 'Sources fetched at least once, by name.');

export const sourcesRoute = {
  summary: 'Data sources and last fetch times',
  paths: ['/v1/meta/sources', '/v1/sources'],
  authenticated: true,
  path: {},
  query: {},
  response: sourceRecords,
} as const satisfies Route;
