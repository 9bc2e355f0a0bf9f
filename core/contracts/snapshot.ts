/** Snapshot: one port at the newest observation. */
import * as z from 'zod/mini';
import { asOfParameter, portParameter } from './parameters.ts';
import type { Route } from './route.ts';
import { avgWaitHours, congestionScore, count, described, locode, record, timestamp } from './wire.ts';

const snapshot = record('Snapshot', 'Figures of a port at its newest observation.', {
  port: locode,
  as_of: timestamp('Newest good observation behind the response.'),
  congestion_score: congestionScore,
  avg_wait_hours: avgWaitHours,
  vessels: described(
    z.object({
      arrivals_24h: count('Calls that began in the 24 hours up to as_of.', 24),
      departures_24h: count('Calls that ended in the 24 hours up to as_of.', 22),
      at_anchor: count('Vessels waiting at anchor; part of in_port.', 9),
      in_port: count('Vessels in port: at anchor, at berth or moving.', 41),
    }),
    { description: 'Vessel counts. Vessels laid up for over 60 days are not counted.' },
  ),
});
export type Snapshot = z.infer<typeof snapshot>;

export const snapshotRoute = {
  summary: 'Latest point-in-time snapshot',
  description:
    'The state of the port at `as_of`, the time of the newest good observation, which is not the time of the request; the parameter `as_of` gives the last one of a past day.',
  tag: 'Ports',
  paths: ['/v1/ports/{UNLOCODE}/snapshot'],
  authenticated: true,
  path: { UNLOCODE: portParameter },
  query: { as_of: asOfParameter },
  response: snapshot,
  example: {
    port: 'TWKHH',
    as_of: '2025-10-04T14:05:00Z',
    congestion_score: 0.149,
    avg_wait_hours: 6.8,
    vessels: { arrivals_24h: 21, departures_24h: 25, at_anchor: 1, in_port: 124 },
  },
} as const satisfies Route<typeof snapshot>;
