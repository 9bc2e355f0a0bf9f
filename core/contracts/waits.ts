/** Wait day: the waits of one port on one UTC day, unsmoothed. */
import * as z from 'zod/mini';
import { VESSEL_CLASSES, type VesselClass } from '../reference/figure-names.ts';
import {
  asOfParameter,
  choiceParameter,
  dayParameter,
  formatParameter,
  type Parameter,
  portParameter,
} from './parameters.ts';
import type { Route } from './route.ts';
import { count, day, decimal, described, listOf, record, share } from './wire.ts';

const NO_BERTHING = 'null on a day without a berthing.';
const NO_COVERAGE = 'null on a day without coverage.';

const hours = decimal(2, 0, 100_000);
/** To the second. */
const exactHours = decimal(4, 0);

const waitDay = record('WaitDay', 'Waits of the vessels that berthed on one UTC day.', {
  date: day('UTC calendar day.'),
  berthed: count('Cargo calls with a known wait that berthed on the day.', 5),
  waited: count('Calls of berthed that waited at anchor before the berth.', 3),
  delayed_share: z.nullable(share(`Share of berthed that waited 3 h or more; ${NO_BERTHING}`, 0.6)),
  mean_hours: z.nullable(hours(`Mean wait of the berthed calls, zeros included; ${NO_BERTHING}`, 5.2)),
  median_hours: z.nullable(hours(`Median wait of the berthed calls, zeros included; ${NO_BERTHING}`, 4)),
  p90_hours: z.nullable(hours(`90th percentile of these waits; ${NO_BERTHING}`, 11.2)),
  max_hours: z.nullable(hours(`Longest of these waits; ${NO_BERTHING}`, 12)),
  waiting: z.nullable(
    count(
      `Cargo calls that still waited at the end of the day; at the newest observation while the day is running; ${NO_COVERAGE}`,
      2,
    ),
  ),
  coverage: share(
    'Share of the day that the observations cover so far, from the first data of the port on.',
    1,
  ),
  waiting_hours: z.nullable(
    exactHours(`Sum of the hours that the calls of waiting had waited so far; ${NO_COVERAGE}`, 31.5),
  ),
  waits: described(z.array(decimal(4, 0, 100_000)('Hours of one wait.', 4)).check(z.maxLength(10_000)), {
    description:
      'Each wait of the calls of waited, ascending, to the second (4 decimals). In CSV, separated by a space.',
  }),
  excluded: count(
    'Waits of more than 25 days, which are not for a berth: of calls that berthed on the day, or open at its end. They are in no other figure of the row.',
    0,
  ),
  unknown_type: count(
    'First berths of vessels whose type the source does not state. They are in no other figure; with `class`, 0.',
    0,
  ),
  recent_arrivals: z.nullable(
    count(
      `Cargo calls that arrived in the observed part of the 28 days that end with the day; ${NO_COVERAGE}`,
      140,
    ),
  ),
  recent_wait_hours: z.nullable(
    exactHours(`Hours that cargo calls waited in these days, so far; ${NO_COVERAGE}`, 760.25),
  ),
});
export type WaitDay = z.infer<typeof waitDay>;

/** Default number of days without `from`, and the most days between `from` and `to`. */
export const DEFAULT_DAYS = 30;
export const MAX_SPAN_DAYS = 366;

const classParameter: Parameter<VesselClass> = {
  ...choiceParameter(
    VESSEL_CLASSES,
    'Only calls of this vessel class, where the source states it; `other` is any other type that it states. A day on which no class is known is omitted.',
    'cargo',
  ),
  inFileName: { place: 'subject' },
  hintFor: () => `Classes are ${VESSEL_CLASSES.join(', ')}; omit class for all vessels.`,
};

const waitDays = listOf(
  waitDay,
  MAX_SPAN_DAYS + 1,
  'Wait days, oldest first; a day without any data is omitted.',
);

export const waitsRoute = {
  summary: 'Wait statistics day by day',
  description:
    'One row a UTC day, unsmoothed, from `from` to `to`, at most 366 days apart; by default the last 30 days; `as_of` gives what was known then. `avg_wait_hours` of the trend can be recomputed from the rows. The Lite plan does not include it.',
  tag: 'Ports',
  paths: ['/v1/ports/{UNLOCODE}/waits'],
  authenticated: true,
  excludedPlans: ['lite'],
  path: { UNLOCODE: portParameter },
  query: {
    from: dayParameter('First UTC day, included; by default 29 days before `to`.', '2025-08-01', {
      place: 'days',
    }),
    to: dayParameter('Last UTC day, included; by default today.', '2025-08-31', { place: 'days' }),
    class: classParameter,
    as_of: asOfParameter,
    format: formatParameter,
  },
  response: waitDays,
  example: [
    {
      date: '2025-09-23',
      berthed: 0,
      waited: 0,
      delayed_share: null,
      mean_hours: null,
      median_hours: null,
      p90_hours: null,
      max_hours: null,
      waiting: 0,
      coverage: 1,
      waiting_hours: 0,
      waits: [],
      excluded: 1,
      unknown_type: 0,
      recent_arrivals: 817,
      recent_wait_hours: 2271.5,
    },
    {
      date: '2025-10-04',
      berthed: 17,
      waited: 3,
      delayed_share: 0.1765,
      mean_hours: 11.89,
      median_hours: 0,
      p90_hours: 30.61,
      max_hours: 139.13,
      waiting: 1,
      coverage: 0.5868,
      waiting_hours: 28.3833,
      waits: [27, 36.0333, 139.1333],
      excluded: 0,
      unknown_type: 0,
      recent_arrivals: 840,
      recent_wait_hours: 2920.5,
    },
  ],
} as const satisfies Route<typeof waitDays>;
