/** Snapshot: one port at the newest observation. */
import * as z from 'zod/mini';
import { avgWaitHours, congestionScore } from './congestion.ts';
import { locode } from './locode.ts';
import { portParameter } from './parameters.ts';
import type { Route } from './route.ts';
import { count, described, timestamp } from './wire.ts';

export const snapshot = described(
  z.object({
    port: locode,
    as_of: timestamp('Newest good observation behind the answer.'),
    congestion_score: congestionScore,
    avg_wait_hours: avgWaitHours,
    vessels: described(
      z.object({
        arrivals_24h: count('Calls that began in the 24 hours up to as_of.', 24),
        departures_24h: count('Calls that ended in the 24 hours up to as_of.', 22),
        at_anchor: count('Vessels waiting at anchor; part of in_port.', 9),
        in_port: count('Vessels in port: at anchor, at berth or moving.', 41),
      }),
      { description: 'Vessel counts. Vessels laid up for over 60 days count nowhere.' },
    ),
  }),
  { description: 'Snapshot.' },
);
export type SnapshotRecord = z.infer<typeof snapshot>;

export const snapshotRoute = {
  summary: 'Latest point-in-time snapshot',
  paths: ['/v1/ports/{UNLOCODE}/snapshot'],
  authenticated: true,
  path: { UNLOCODE: portParameter },
  query: {},
  response: snapshot,
} as const satisfies Route;
