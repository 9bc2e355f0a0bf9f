/** Day figures, one row a UTC day of one port; thirty of them are read for a trend. */
import * as z from 'zod/mini';
import type { Stay } from '../calls/port-call.ts';
import type { DayFigures, WaitDay, WaitFigures } from '../metrics/figures.ts';
import type { Locode } from '../reference/codes.ts';
import { type Day, formatInstant, parseInstant } from '../reference/time.ts';
import type { SeriesKind } from './series.ts';
import { type Row, StoreFailure, type Table } from './table.ts';

const figure = z.optional(z.number());

/** Attributes that a trend needs of a day; the others are not transferred. */
const SERVED = z.object({
  day: z.string(),
  congestionScore: figure,
  avgWaitHours: figure,
  vessels: z.number(),
  partial: z.optional(z.literal(true)),
});
export type ServedFigures = Readonly<z.output<typeof SERVED>>;

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

export const TREND: SeriesKind<ServedFigures, DayFigures> = {
  name: 'trend',
  subjects: 'ports',
  served: SERVED,
  stored: STORED,
  keyOf: ({ day }) => day,
  firstDay: ({ day }) => day,
};

// Waits, one row a UTC day of one port; each group of calls is one attribute with its figures by name.

type WaitGroup = Exclude<keyof WaitDay, 'day' | 'coverage'>;

/** The waits of one group on one day. */
export interface GroupDay extends WaitFigures {
  readonly day: Day;
  readonly coverage: number;
}

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

// Closed stays: one row for all stays of a port that ended on one UTC day, so that a day is always written whole.

type StoredStay = [callId: string, kind: Stay['kind'], start: string, end: string];

function toInstant(text: string): number {
  const at = parseInstant(text);
  if (at === undefined) throw new StoreFailure('a stored stay has a time that cannot be read');
  return at;
}

const toStored = ({ callId, kind, startAt, endAt }: Stay): StoredStay => [
  callId,
  kind,
  formatInstant(startAt),
  formatInstant(endAt),
];

const fromStored = ([callId, kind, start, end]: StoredStay): Stay => ({
  callId,
  kind,
  startAt: toInstant(start),
  endAt: toInstant(end),
});

/** By start, then end, then kind; the call id last, so that equal data give equal bytes. */
const compareStays = (a: Stay, b: Stay): number =>
  a.startAt - b.startAt ||
  a.endAt - b.endAt ||
  Number(a.kind > b.kind) - Number(a.kind < b.kind) ||
  (a.callId < b.callId ? -1 : 1);

const stayDayRow = (port: Locode, day: Day, stays: readonly Stay[]): Row => ({
  port,
  day,
  stays: JSON.stringify([...stays].sort(compareStays).map(toStored)),
});

export function createStayDayStore(table: Table) {
  return {
    /** Why the table would not take the days; undefined when it would. */
    faultOf(port: Locode, days: ReadonlyMap<Day, readonly Stay[]>): string | undefined {
      const rows = [...days].map(([day, stays]) => stayDayRow(port, day, stays));
      return rows.map((row) => table.faultOf(row)).find((fault) => fault !== undefined);
    },
    /** Closed periods that ended on the days from `first` to `last`, in the order of decision: start, end, kind. */
    async between(port: Locode, first: Day, last: Day): Promise<Stay[]> {
      const rows = await table.query(port, { from: first, to: last });
      return rows
        .flatMap((row) => (JSON.parse(String(row.stays)) as StoredStay[]).map(fromStored))
        .sort(compareStays);
    },
    /** Replaces whole days; a day without stays is removed. */
    async write(port: Locode, days: ReadonlyMap<Day, readonly Stay[]>): Promise<void> {
      const entries = [...days];
      await table.writeMany(
        entries.filter(([, stays]) => stays.length > 0).map(([day, stays]) => stayDayRow(port, day, stays)),
        entries.filter(([, stays]) => stays.length === 0).map(([day]) => ({ port, day })),
      );
    },
  };
}
