/** Which days a change of calls touches: only they are computed again. */
import { closedStays, type Leg, type PortCall } from '../calls/port-call.ts';
import { type Day, dayOf, type Instant } from '../reference/time.ts';

const earliest = (...instants: (Instant | undefined)[]): Instant =>
  Math.min(...instants.filter((at): at is Instant => at !== undefined));

const beginOf = (call: PortCall): Instant => earliest(call.ataAt, call.legs[0]?.startAt);

const sameLeg = (a: Leg | undefined, b: Leg | undefined): boolean =>
  a?.zone === b?.zone && a?.startAt === b?.startAt && a?.endAt === b?.endAt;

/** The first instant at which two states of one call differ; a call that is new or gone differs from its begin. */
export function firstDifferenceAt(before: PortCall | undefined, after: PortCall | undefined): Instant {
  if (before === undefined || after === undefined)
    return earliest(...[before, after].map((call) => call && beginOf(call)));
  if (
    before.vesselId !== after.vesselId ||
    before.ataAt !== after.ataAt ||
    before.waitKnown !== after.waitKnown ||
    before.traffic !== after.traffic
  )
    return earliest(beginOf(before), beginOf(after));
  const legs = Math.max(before.legs.length, after.legs.length);
  const at = Array.from({ length: legs }, (_, i) => i).find((i) => !sameLeg(before.legs[i], after.legs[i]));
  const [was, is] = at === undefined ? [] : [before.legs[at], after.legs[at]];
  const onlyEndDiffers = was?.zone === is?.zone && was?.startAt === is?.startAt;
  const legAt = onlyEndDiffers ? earliest(was?.endAt, is?.endAt) : earliest(was?.startAt, is?.startAt);
  const atdAt = before.atdAt === after.atdAt ? undefined : earliest(before.atdAt, after.atdAt);
  return earliest(legAt, atdAt);
}

/** UTC days on which a closed stay of any of `calls` ended. */
export const stayEndDays = (calls: Iterable<PortCall>): Set<Day> =>
  new Set([...calls].flatMap((call) => closedStays(call).map(({ endAt }) => dayOf(endAt))));
