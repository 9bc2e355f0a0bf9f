/** Health record: says that the API answers, and where. */
import * as z from 'zod/mini';
import type { Route } from './route.ts';
import { described, text, timestamp } from './wire.ts';

export const healthRecord = described(
  z.object({
    status: described(z.literal('ok'), { description: 'Always `ok` when the API answers.' }),
    time: timestamp('Time of the answer.'),
    region: text('AWS region, or `local` on one machine.', 'eu-north-1'),
  }),
  { description: 'Health record.' },
);
export type HealthRecord = z.infer<typeof healthRecord>;

export const healthRoute = {
  summary: 'Availability probe',
  paths: ['/v1/health'],
  authenticated: false,
  path: {},
  query: {},
  response: healthRecord,
} as const satisfies Route;
