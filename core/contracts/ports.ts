/** Port record: a port that the service covers, with its newest figures. */
import * as z from 'zod/mini';
import { asOfParameter, countryParameter, formatParameterOf, type Parameter } from './parameters.ts';
import type { Route } from './route.ts';
import {
  avgWaitHours,
  congestionScore,
  count,
  country,
  day,
  decimal,
  described,
  evidence,
  listOf,
  locode,
  orNull,
  record,
  text,
  timestamp,
  UNOBSERVED_PORT,
} from './wire.ts';

const UNOBSERVED = 'null when nothing has been observed yet.';

export const portRecord = record('PortRecord', 'A covered port with its newest figures.', {
  port: locode,
  name: text('Name of the port.', 'Hong Kong'),
  country,
  latitude: decimal(4, -90, 90)('Degrees north, WGS 84.', 22.2667),
  longitude: decimal(4, -180, 180)('Degrees east, WGS 84.', 114.2),
  sources: described(z.array(text('Source id.', 'hk-marine-department')).check(z.maxLength(20)), {
    description: 'Ids of the sources that cover the port. In CSV, separated by a space.',
  }),
  last_observed: orNull(timestamp('Newest observation.'), `Newest observation; ${UNOBSERVED}`),
  as_of: orNull(
    timestamp('Newest good observation behind the figures.'),
    `Newest observation behind the figures, as in the snapshot; ${UNOBSERVED}`,
  ),
  congestion_score: orNull(congestionScore, `Congestion score of the snapshot, 0 to 1; ${UNOBSERVED}`),
  avg_wait_hours: orNull(avgWaitHours, `Average wait of the snapshot in hours; ${UNOBSERVED}`),
  at_anchor: z.nullable(count(`Vessels waiting at anchor; part of in_port; ${UNOBSERVED}`, 9)),
  in_port: z.nullable(count(`Vessels in port: at anchor, at berth or moving; ${UNOBSERVED}`, 41)),
  first_day: z.nullable(day(`First UTC day that the observations cover; ${UNOBSERVED}`, '2025-10-04')),
  last_day: z.nullable(day(`Last UTC day that the observations cover; ${UNOBSERVED}`)),
  method: orNull(
    z.enum(['records', 'polls', 'positions']),
    'What the figures are made from: `records` that state event times, `polls` of a list of vessels, or vessel `positions`.',
  ),
  evidence,
  wait_basis: orNull(
    z.enum(['berthed', 'mixed', 'open']),
    'What avg_wait_hours rests on: `berthed`, the waits of vessels that have berthed; `open`, those of vessels still waiting, as none has berthed yet; `mixed`, both. null without a figure.',
  ),
  stopped_since: orNull(
    timestamp('Hour after the last berthing.'),
    'Beginning of the closure while berthings have surely stopped: the hour after the last one before the first twelve hours with at most a tenth of the usual number. Null otherwise, also while berthings are back for less than a day within a closure.',
  ),
});
export type PortRecord = z.infer<typeof portRecord>;

/** `sources` is a list, and lists have no order. */
export type SortField = Exclude<keyof PortRecord, 'sources'>;
const SORT_FIELDS = Object.keys(portRecord.shape).filter((name) => name !== 'sources') as SortField[];
/** A field, or a minus and the field for the highest value first. */
export type PortOrder = SortField | `-${SortField}`;
const PORT_ORDERS = SORT_FIELDS.flatMap((field): PortOrder[] => [field, `-${field}`]);

const sortParameter: Parameter<PortOrder> = {
  description:
    'Field to sort by, UN/LOCODE by default; a minus before it puts the highest value first. Ports without a value come last, ties are by UN/LOCODE.',
  schema: z.enum(PORT_ORDERS),
  rule: 'must be a field of the port record, with a minus before it for the highest first',
  example: '-congestion_score',
  counterexample: 'score',
  hintFor: () =>
    `Sort by one of ${SORT_FIELDS.join(', ')}; for the highest first, as in sort=-congestion_score.`,
};

const MAX_PORTS = 20_000;
const portRecords = listOf(
  portRecord,
  MAX_PORTS,
  'Covered ports, by UN/LOCODE or in the order that `sort` names.',
);

const portFeatures = described(
  z.object({
    type: z.literal('FeatureCollection'),
    features: listOf(
      z.object({
        type: z.literal('Feature'),
        id: locode,
        geometry: z.object({
          type: z.literal('Point'),
          coordinates: described(z.array(decimal(4, -180, 180)('Degrees.', 114.2)).check(z.length(2)), {
            description: 'Longitude, then latitude, WGS 84.',
          }),
        }),
        properties: z.omit(portRecord, { latitude: true, longitude: true }),
      }),
      MAX_PORTS,
      'A point for each port, in the order of the list.',
    ),
  }),
  { description: 'GeoJSON (RFC 7946).' },
);

const toFeatures = (ports: readonly PortRecord[]): z.infer<typeof portFeatures> => ({
  type: 'FeatureCollection',
  features: ports.map(({ latitude, longitude, ...properties }) => ({
    type: 'Feature',
    id: properties.port,
    geometry: { type: 'Point', coordinates: [longitude, latitude] },
    properties,
  })),
});

export const portsRoute = {
  summary: 'Covered ports',
  description:
    'The ports that the service covers, with their position and the newest figures of each: a ranking of all ports in one request. `as_of` gives the figures that were known then; name, position, sources and method are those of now.',
  tag: 'Ports',
  paths: ['/v1/ports'],
  authenticated: true,
  path: {},
  query: {
    sort: sortParameter,
    country: countryParameter('Only the ports of this country'),
    as_of: asOfParameter,
    format: formatParameterOf(['csv', 'geojson'], 'Format of the response: `geojson` is for maps.'),
  },
  response: portRecords,
  geoJson: { schema: portFeatures, of: toFeatures },
  // Empty only before the first fetch of a deployment, so the next minute has more.
  isCacheable: (ports) => ports.some(({ as_of }) => as_of !== null),
  example: [
    {
      port: 'FIDLS',
      name: 'Taalintehdas',
      country: 'FI',
      latitude: 60.0167,
      longitude: 22.5083,
      sources: ['fintraffic-digitraffic'],
      ...UNOBSERVED_PORT,
      method: 'records',
      evidence: 'recorded',
      wait_basis: null,
      stopped_since: null,
    },
    {
      port: 'TWKHH',
      name: 'Kaohsiung',
      country: 'TW',
      latitude: 22.6167,
      longitude: 120.25,
      sources: ['tipc-taiwan'],
      last_observed: '2025-10-04T14:05:00Z',
      as_of: '2025-10-04T14:05:00Z',
      congestion_score: 0.149,
      avg_wait_hours: 6.8,
      at_anchor: 1,
      in_port: 124,
      first_day: '2025-01-02',
      last_day: '2025-10-04',
      method: 'records',
      evidence: 'read',
      wait_basis: 'berthed',
      stopped_since: null,
    },
  ],
} as const satisfies Route<typeof portRecords>;
