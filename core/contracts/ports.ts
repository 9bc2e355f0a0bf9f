/** Port record: a port that the service covers. */
import * as z from 'zod/mini';
import { locode } from './locode.ts';
import { formatParameter } from './parameters.ts';
import { columnsOf, type Route } from './route.ts';
import { decimal, described, listOf, text, timestamp } from './wire.ts';

export const portRecord = described(
  z.object({
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
  }),
  { description: 'Port record.' },
);
export type PortRecord = z.infer<typeof portRecord>;

const portRecords = listOf(portRecord, 5_000, 'Covered ports by UN/LOCODE.');

export const portsRoute = {
  summary: 'Covered ports',
  paths: ['/v1/ports'],
  authenticated: true,
  path: {},
  query: { format: formatParameter },
  response: portRecords,
  csvColumns: columnsOf(portRecord),
} as const satisfies Route;
