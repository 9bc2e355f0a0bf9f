/** Health record: the API responds, and in which region. */
import * as z from 'zod/mini';
import type { Route } from './route.ts';
import { described, record, text, timestamp } from './wire.ts';

const healthRecord = record('HealthRecord', 'That the service can be reached.', {
  status: described(z.literal('ok'), { description: 'Always `ok` when the API responds.' }),
  time: timestamp('Time of the response.'),
  region: text('AWS region, or `local` on one machine.', 'eu-north-1'),
});
export type HealthRecord = z.infer<typeof healthRecord>;

export const healthRoute = {
  summary: 'Availability probe',
  description:
    'Shows that the API responds. It needs no key, does not count against a limit, and is never cached.',
  tag: 'Service',
  paths: ['/v1/health'],
  authenticated: false,
  path: {},
  query: {},
  response: healthRecord,
  example: { status: 'ok', time: '2025-10-04T14:20:27Z', region: 'local' },
} as const satisfies Route<typeof healthRecord>;
