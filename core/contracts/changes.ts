/** Port change: how the figures of a port have changed over a week, with its scores of thirty days. */
import * as z from 'zod/mini';
import { formatParameter, limitParameter, MAX_LIMIT } from './parameters.ts';
import { portRecord } from './ports.ts';
import type { Route } from './route.ts';
import { congestionScore, decimal, described, listOf, orNull, record } from './wire.ts';

const UNKNOWN =
  'By the calls known now. null where the port was not observed then, or for less than a week before.';
const { port, name, country, as_of, congestion_score, avg_wait_hours, at_anchor } = portRecord.shape;

const scoreChange = decimal(3, -1, 1);
const hoursChange = decimal(1, -100_000, 100_000);

const portChange = record('PortChange', 'A port, and how far its figures moved in seven days.', {
  port,
  name,
  country,
  as_of,
  congestion_score,
  congestion_score_change: z.nullable(
    scoreChange(`congestion_score less the same figure seven days before as_of. ${UNKNOWN}`, 0.118),
  ),
  avg_wait_hours,
  avg_wait_hours_change: z.nullable(
    hoursChange(`avg_wait_hours less the same figure seven days before as_of, hours. ${UNKNOWN}`, 4.2),
  ),
  at_anchor,
  at_anchor_change: z.nullable(
    described(z.int().check(z.minimum(-1_000_000), z.maximum(1_000_000)), {
      description: `at_anchor less the same count seven days before as_of. ${UNKNOWN}`,
      example: 12,
    }),
  ),
  scores: listOf(
    orNull(congestionScore, 'Score of the day, as in the trend; null where it has none.'),
    30,
    'Daily scores of the 30 UTC days that end with the day of as_of, oldest first; empty while nothing has been observed. In CSV, separated by a space, a day without a score empty.',
  ),
});
export type PortChange = z.infer<typeof portChange>;

const portChanges = listOf(portChange, MAX_LIMIT, 'Ports, the largest change first.');

export const changesRoute = {
  summary: 'Largest changes over a week (beta)',
  description:
    'The covered ports by the size of `congestion_score_change`, up or down, ports without one after them, ports that have not been observed last, ties by UN/LOCODE. Each figure is compared with the same figure at the same hour seven days before.',
  tag: 'Ports',
  paths: ['/v1/changes'],
  authenticated: true,
  beta: true,
  path: {},
  query: {
    limit: limitParameter(`Most ports of the response, 1 to ${MAX_LIMIT}.`, {
      fallback: 10,
      example: '10',
      counterexample: '0',
    }),
    format: formatParameter,
  },
  response: portChanges,
  // Empty only before the first fetch of a deployment, so the next minute has more.
  isCacheable: (ports) => ports.some(({ as_of }) => as_of !== null),
  example: [
    {
      port: 'TWKHH',
      name: 'Kaohsiung',
      country: 'TW',
      as_of: '2025-10-04T14:05:00Z',
      congestion_score: 0.149,
      congestion_score_change: 0.08,
      avg_wait_hours: 6.8,
      avg_wait_hours_change: 6,
      at_anchor: 1,
      at_anchor_change: -6,
      scores: [
        ...[
          0.099, 0.089, 0.089, 0.102, 0.093, 0.083, 0.101, 0.107, 0.119, 0.134, 0.125, 0.128, 0.122, 0.111,
          0.101,
        ],
        ...[0.082, 0.063, 0.6, 0.6, 0.255, 0.017, 0.052, 0.074, 0.099],
        null,
        null,
        ...[0.156, 0.153, 0.157, 0.153],
      ],
    },
  ],
} as const satisfies Route<typeof portChanges>;
