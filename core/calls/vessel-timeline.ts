/** The arrivals and departures that a poll states for one vessel, in order of time and without duplicates. */
import { HOUR_MS, type Instant } from '../reference/time.ts';
import type { VesselDeparted, VesselInPort } from './observation.ts';
import type { PollView } from './poll-view.ts';

/** A stated time that moves by no more than this is a correction of the same event. */
export const CORRECTION_MS = 6 * HOUR_MS;
/** Another ATA this near, without a departure between, belongs to the same call: the lists reach back this far. */
export const SAME_VISIT_MS = 36 * HOUR_MS;
/** An arrival this much later than one marked as departed begins the next call. */
const NEXT_VISIT_MS = HOUR_MS;

export interface Arrival {
  readonly event: 'arrival';
  readonly at: Instant;
  readonly row: VesselInPort;
  /** From the in-port list, which alone may correct an ATA. */
  readonly listed: boolean;
  readonly departed: boolean;
}

export interface Departure {
  readonly event: 'departure';
  readonly at: Instant;
  readonly row: VesselDeparted;
}

export type VesselEvent = Arrival | Departure;

const rank = (one: VesselEvent): number => {
  if (one.event === 'departure') return 2;
  return one.departed ? 1 : 0;
};

/** By time, arrivals first; ties are resolved by place, never by the order of a list. */
const inOrder = (a: VesselEvent, b: VesselEvent): number =>
  a.at - b.at || rank(a) - rank(b) || (a.row.place < b.row.place ? -1 : 1);

/** Whether two consecutive events are duplicates. */
function isRepeated(before: VesselEvent, next: VesselEvent): boolean {
  if (before.event === 'departure') {
    return next.event === 'departure' && next.at - before.at <= CORRECTION_MS;
  }
  if (next.event === 'departure') return false;
  return next.at - before.at <= (before.departed ? NEXT_VISIT_MS : SAME_VISIT_MS);
}

/** Of two duplicates: the ATA of the in-port list, else the earlier ATA; the later ATD. */
function preferred(before: VesselEvent, next: VesselEvent): VesselEvent {
  if (next.event === 'departure') return next;
  return next.listed ? next : before;
}

/** The vessel's events in the poll. Two arrivals or two departures in a row, close together, are one event. */
export function timelineOf(view: PollView, vesselId: string): VesselEvent[] {
  const arrived = view.arrived.get(vesselId) ?? [];
  const departed = view.departed.get(vesselId) ?? [];
  const listed = view.inPort?.get(vesselId);
  const events: VesselEvent[] = [
    ...arrived.map(
      (row): Arrival => ({ event: 'arrival', at: row.ataAt, row, listed: false, departed: row.departed }),
    ),
    ...departed.map((row): Departure => ({ event: 'departure', at: row.atdAt, row })),
  ];
  if (listed) events.push({ event: 'arrival', at: listed.ataAt, row: listed, listed: true, departed: false });
  const timeline: VesselEvent[] = [];
  for (const next of events.sort(inOrder)) {
    const before = timeline.at(-1);
    if (before !== undefined && isRepeated(before, next))
      timeline[timeline.length - 1] = preferred(before, next);
    else timeline.push(next);
  }
  return timeline;
}
