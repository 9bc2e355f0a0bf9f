/** Waits by positions at ports that an authority's record serves: only compared. A week begins on Monday, UTC. */
import { z } from 'zod';
import type { CallRecord } from '../calls/observation.ts';
import type { Locode } from '../reference/locode.ts';
import { median } from '../reference/statistics.ts';
import { DAY_MS, type Day, dayOf, HOUR_MS, type Instant, startOfDay } from '../reference/time.ts';
import type { ComparedWeek } from '../upstream/source.ts';
import type { ChangedRecord } from './vessel-calls.ts';

/** The first berth of a call: when, in Unix seconds, and after how many hours at anchor, 2 decimals. */
const berthingShape = z.tuple([z.number(), z.number()]);
type Berthing = z.infer<typeof berthingShape>;

export const comparedCallsShape = z.object({
  /** Unix second of the first poll: weeks that began before are incomplete. */
  since: z.number(),
  /** The first day of the newest week that was reported. */
  week: z.string().exactOptional(),
  berthings: z.record(z.string(), z.record(z.string(), berthingShape)),
});
export type ComparedCalls = Readonly<z.infer<typeof comparedCallsShape>>;

const WEEK_MS = 7 * DAY_MS;
/** The Unix epoch was a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** The Monday of the newest week that was over at `at`. */
function endedWeek(at: Instant): Day {
  const weeks = Math.floor((at - FIRST_MONDAY_MS) / WEEK_MS);
  return dayOf(FIRST_MONDAY_MS + (weeks - 1) * WEEK_MS);
}

/** Positions show no shorter wait, and everywhere a wait of this many hours is a delay. */
const DELAYED_HOURS = 3;

/** Figures of one week's waits in hours, zeros included. */
export function weekFigures(
  hours: readonly number[],
): Pick<ComparedWeek, 'berthed' | 'delayed' | 'medianHours'> {
  const delayed = hours.filter((wait) => wait >= DELAYED_HOURS);
  const middle = median(delayed);
  return {
    berthed: hours.length,
    delayed: delayed.length,
    ...(middle !== undefined && { medianHours: Math.round(middle * 100) / 100 }),
  };
}

/** The first berth of a cargo call whose wait was observed; undefined for any other call. */
export function toBerthing({ traffic, cancelled, waitKnown, stops }: CallRecord): Berthing | undefined {
  if (traffic !== 'cargo' || cancelled === true || waitKnown === false) return undefined;
  const at = stops.findIndex(({ zone, ataAt }) => zone === 'berth' && ataAt !== undefined);
  const berthedAt = stops[at]?.ataAt;
  if (berthedAt === undefined) return undefined;
  const waitMs = stops
    .slice(0, at)
    .filter(({ zone }) => zone === 'anchorage')
    .reduce((sum, { ataAt = berthedAt, atdAt = berthedAt }) => sum + Math.min(atdAt, berthedAt) - ataAt, 0);
  return [berthedAt / 1000, Math.round((waitMs / HOUR_MS) * 100) / 100];
}

/** The berthings after the changed records of the compared ports, without weeks already reported. */
function withChanges(
  before: ComparedCalls['berthings'],
  ports: ReadonlySet<Locode>,
  changed: readonly ChangedRecord[],
  from: number,
): ComparedCalls['berthings'] {
  const kept = [...ports].map((port): [Locode, Record<string, Berthing>] => [
    port,
    Object.fromEntries(Object.entries(before[port] ?? {}).filter(([, [berthed]]) => berthed >= from)),
  ]);
  const berthings = new Map(kept);
  for (const { port, record } of changed) {
    const known = berthings.get(port);
    const berthing = toBerthing(record);
    if (known === undefined) continue;
    if (berthing === undefined) delete known[record.callId];
    else known[record.callId] = berthing;
  }
  return Object.fromEntries(berthings);
}

/** The calls of the compared ports after a poll at `polledAt`, and the week that is complete since then. */
export function compareCalls(
  before: ComparedCalls | undefined,
  ports: ReadonlySet<Locode>,
  changed: readonly ChangedRecord[],
  polledAt: Instant,
  settledSeconds: number,
): { readonly calls: ComparedCalls; readonly weeks: ComparedWeek[] } {
  const { since = polledAt / 1000, week: reported } = before ?? {};
  const week = endedWeek(polledAt - settledSeconds * 1000);
  const [from, to] = [startOfDay(week) / 1000, (startOfDay(week) + WEEK_MS) / 1000];
  const berthings = withChanges(before?.berthings ?? {}, ports, changed, from);
  if (week === reported || since > from)
    return { calls: { since, ...(reported && { week: reported }), berthings }, weeks: [] };
  const weeks = Object.entries(berthings).map(([port, calls]): ComparedWeek => {
    const hours = Object.values(calls)
      .filter(([berthed]) => berthed < to)
      .map(([, waitHours]) => waitHours);
    return { port, week, ...weekFigures(hours) };
  });
  return { calls: { since, week, berthings }, weeks };
}
