/** Waits, one row a UTC day of one port; each group of calls is one attribute with its figures by name. */
import * as z from 'zod/mini';
import type { WaitDay, WaitFigures } from '../metrics/figures.ts';
import type { Day } from '../reference/time.ts';
import type { SeriesKind } from './series.ts';

type WaitGroup = Exclude<keyof WaitDay, 'day' | 'coverage'>;

/** The waits of one group on one day. */
export interface GroupDay extends WaitFigures {
  readonly day: Day;
  readonly coverage: number;
}

const figure = z.optional(z.number());

const GROUP = z.optional(
  z.object({
    berthed: z.number(),
    waits: z.array(z.number()),
    delayedShare: figure,
    meanHours: figure,
    medianHours: figure,
    p90Hours: figure,
    maxHours: figure,
    waiting: figure,
    waitingHours: figure,
    excluded: figure,
    unknownType: figure,
    recentArrivals: figure,
    recentWaitHours: figure,
  }),
);

const DAY = z.object({
  day: z.string(),
  coverage: z.number(),
  all: GROUP,
  container: GROUP,
  bulk: GROUP,
  tanker: GROUP,
  other: GROUP,
});

/** A day for which only some groups may have been read. */
export type WaitDayPart = Pick<WaitDay, 'day' | 'coverage'> &
  Readonly<Partial<Record<WaitGroup, WaitFigures | undefined>>>;

export const WAITS: SeriesKind<WaitDayPart> = {
  name: 'waits',
  subjects: 'ports',
  served: DAY,
  stored: DAY,
  keyOf: ({ day }) => day,
  firstDay: ({ day }) => day,
};

/** The attributes of a day that the waits of one group need. */
export const groupAttributes = (group: WaitGroup): string[] => ['day', 'coverage', group];

/** The waits of one group on the days that have any. */
export const groupDays = (days: readonly WaitDayPart[], group: WaitGroup): GroupDay[] =>
  days.flatMap(({ day, coverage, [group]: figures }) =>
    figures === undefined ? [] : [{ day, coverage, ...figures }],
  );
