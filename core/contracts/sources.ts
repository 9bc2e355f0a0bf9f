/** Source record: an upstream source and when it was last fetched. */
import * as z from 'zod/mini';
import { formatParameter } from './parameters.ts';
import type { Route } from './route.ts';
import { day, described, evidence, listOf, locode, orNull, record, text, timestamp } from './wire.ts';

const NOT_STATED = 'Null where it is not stated.';

const sourceRecord = record('SourceRecord', 'An upstream source and its newest fetch.', {
  source: text('Id of the upstream data source.', 'hk-marine-department'),
  last_fetch_iso: timestamp('Newest successful fetch; a failed fetch does not change it.'),
  evidence,
  not_accepted: described(
    z.optional(
      record('NotAccepted', 'Replies that were not accepted, since the last one that was.', {
        since: timestamp('The first of them.'),
        outcome: described(z.enum(['refused', 'held']), {
          description: '`refused`: it cannot be read; `held`: what it says is implausible.',
        }),
        reason: text(
          'Why the newest of them was not, in one sentence.',
          'TWKHH in-port: 0 rows, 1,322 in the last reply',
        ),
      }),
    ),
    { description: 'Absent while the newest reply is an accepted one.' },
  ),
  imported: described(
    z.optional(
      record('ImportedRelease', 'The release of the dataset that the tables began with.', {
        release: day('UTC day that names it.', '2026-11-01'),
        made: orNull(
          timestamp('When it was written.'),
          'When it was written; null where it does not say so.',
        ),
        replayed: described(z.boolean(), {
          description: 'Its figures were computed later, from an archive, and were not served on their days.',
        }),
      }),
    ),
    {
      description:
        'Where the first figures of the source come from a release of another service; absent where all are of replies that this one has read.',
    },
  ),
  tables: described(
    z.optional(
      z
        .array(
          record('GivenTable', 'A table of calls, as the person who gave it states it.', {
            name: text('One of the same name replaces it.', 'tarragona-2019'),
            publisher: orNull(text('Publisher of its rows.', 'Port of Tarragona'), NOT_STATED),
            licence: orNull(text('Licence of its rows.', 'CC BY 4.0'), NOT_STATED),
            attribution: orNull(text('Attribution to show.', 'Port of Tarragona, CC BY 4.0'), NOT_STATED),
            calls: described(z.boolean(), { description: 'Its single calls may be passed on.' }),
            ports: described(z.array(locode).check(z.maxLength(20_000)), {
              description: 'Ports whose figures it is in.',
            }),
          }),
        )
        .check(z.maxLength(10_000)),
    ),
    { description: 'The tables that count, of the source `call-tables` alone.' },
  ),
});
export type SourceRecord = z.infer<typeof sourceRecord>;

const sourceRecords = listOf(sourceRecord, 100, 'Sources fetched at least once, by name.');

/** What every source has, and the release that its tables began with; what is nested in a source otherwise is in JSON only. */
const CSV_COLUMNS = [
  'source',
  'last_fetch_iso',
  'evidence',
  'imported_release',
  'imported_made',
  'imported_replayed',
] as const;
const csvRows = (body: readonly SourceRecord[]): object[] =>
  body.map(({ imported, ...source }) => ({
    ...source,
    imported_release: imported?.release,
    imported_made: imported?.made,
    imported_replayed: imported?.replayed,
  }));

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
  csv: { columns: CSV_COLUMNS, rowsOf: csvRows },
  example: [
    { source: 'fintraffic-digitraffic', last_fetch_iso: '2019-10-23T12:42:00Z', evidence: 'recorded' },
    { source: 'hk-marine-department', last_fetch_iso: '2025-10-04T14:19:27Z', evidence: 'recorded' },
  ],
} as const satisfies Route<typeof sourceRecords>;
