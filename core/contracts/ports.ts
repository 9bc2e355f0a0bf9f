/** Port record: a port that the service covers. */
import * as z from 'zod/mini';
import { formatParameter } from './parameters.ts';
import type { Route } from './route.ts';
import { decimal, described, listOf, locode, record, text, timestamp } from './wire.ts';

const portRecord = record('PortRecord', 'Port record.', {
  port: locode,
  name: text('Name of the port.', 'Hong Kong'),
  country: described(z.string().check(z.regex(/^[A-Z]{2}$/), z.maxLength(2)), {
    description: 'ISO 3166-1 alpha-2 code of the country.',
    example: 'HK',
  }),
  latitude: decimal(
    4,
    { minimum: -90, maximum: 90 },
    { description: 'Degrees north, WGS 84.', example: 22.2667 },
  ),
  longitude: decimal(
    4,
    { minimum: -180, maximum: 180 },
    { description: 'Degrees east, WGS 84.', example: 114.2 },
  ),
  sources: described(z.array(text('Source id.', 'hk-marine-department')).check(z.maxLength(20)), {
    description: 'Ids of the sources that cover the port. In CSV, separated by a space.',
  }),
  last_observed: described(z.optional(timestamp('Newest observation.')), {
    description: 'Newest observation; absent (empty in CSV) when nothing has been observed yet.',
  }),
});
export type PortRecord = z.infer<typeof portRecord>;

const portRecords = listOf(portRecord, 5_000, 'Covered ports by UN/LOCODE.');

export const portsRoute = {
  summary: 'Covered ports',
  description: 'The ports that the service covers, with their position and their newest observation.',
  tag: 'Ports',
  paths: ['/v1/ports'],
  authenticated: true,
  path: {},
  query: { format: formatParameter },
  response: portRecords,
  example: [
    {
      port: 'FIHEL',
      name: 'Helsinki',
      country: 'FI',
      latitude: 60.1667,
      longitude: 24.9667,
      sources: ['fintraffic-digitraffic'],
      last_observed: '2026-11-20T11:55:12Z',
    },
    {
      port: 'HKHKG',
      name: 'Hong Kong',
      country: 'HK',
      latitude: 22.2667,
      longitude: 114.2,
      sources: ['hk-marine-department'],
    },
  ],
} as const satisfies Route<typeof portRecords>;
