/** Daily metrics, one row a UTC day of one port; thirty of them are read for a trend. */
import * as z from 'zod/mini';
import type { DailyMetrics } from '../metrics/figures.ts';
import type { SeriesKind } from './series.ts';

const figure = z.optional(z.number());

/** Attributes that a trend needs of a day; the others are not transferred. */
const SERVED = z.object({
  day: z.string(),
  congestionScore: figure,
  avgWaitHours: figure,
  vessels: z.number(),
  partial: z.optional(z.literal(true)),
});
export type ServedDay = Readonly<z.output<typeof SERVED>>;

const STORED = z.extend(SERVED, {
  coverage: z.number(),
  delayedShare: figure,
  waitTerm: figure,
  queueTerm: figure,
  flowTerm: figure,
  stoppedShare: figure,
  hourBerthings: z.optional(z.string()),
  hourArrivals: z.optional(z.string()),
  queueScore: figure,
  dayScore: figure,
  dayWaitHours: figure,
  dayAtAnchor: figure,
  dayBerthings: figure,
  dayWaits: figure,
  mostAtAnchor: figure,
  endAtAnchor: figure,
  endWaitingHours: figure,
});

export const TREND: SeriesKind<ServedDay, DailyMetrics> = {
  name: 'trend',
  subjects: 'ports',
  served: SERVED,
  stored: STORED,
  keyOf: ({ day }) => day,
  firstDay: ({ day }) => day,
};
