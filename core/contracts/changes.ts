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
      port: 'HKHKG',
      name: 'Hong Kong',
      country: 'HK',
      as_of: '2026-11-20T11:50:00Z',
      congestion_score: 0.412,
      congestion_score_change: 0.118,
      avg_wait_hours: 11.3,
      avg_wait_hours_change: 4.2,
      at_anchor: 21,
      at_anchor_change: 12,
      scores: [
        ...[0.301, 0.298, 0.305, 0.311],
        null,
        ...[
          0.3, 0.296, 0.288, 0.29, 0.301, 0.307, 0.299, 0.285, 0.281, 0.292, 0.295, 0.303, 0.3, 0.297, 0.291,
          0.294, 0.288, 0.294, 0.312, 0.335, 0.347, 0.362, 0.381, 0.399, 0.412,
        ],
      ],
    },
  ],
} as const satisfies Route<typeof portChanges>;
