/** The true stays of a generated world as a source of call records, which the service serves like any other. */

import type { CallRecord, CallsObservation, RecordedStop } from '../../../core/calls/observation.ts';
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../../../core/reference/time.ts';
import { Refusals, type Source } from '../../../core/upstream/source.ts';
import type { ReceivedArriving } from './received-arrivals.ts';
import type { TrueStay } from './world-types.ts';

const SAME_CALL_MS = 12 * HOUR_MS;
/** No fix before its arrival is published for a vessel that arrives sooner. */
const FIRST_FIXES_MS = 10 * MINUTE_MS;

const isCut = (stay: TrueStay, startAt: Instant): boolean => stay.startAt < startAt + FIRST_FIXES_MS;

/** The true stays of each vessel by call: those of one port with less than twelve hours between them. */
function callsOf(truth: readonly TrueStay[], port: string): TrueStay[][] {
  const calls: TrueStay[][] = [];
  const byStart = truth
    .filter((stay) => stay.port === port)
    .sort((a, b) => (a.vessel < b.vessel ? -1 : a.vessel > b.vessel ? 1 : a.startAt - b.startAt));
  for (const stay of byStart) {
    const last = calls.at(-1)?.at(-1);
    if (last?.vessel === stay.vessel && stay.startAt - last.endAt < SAME_CALL_MS) calls.at(-1)?.push(stay);
    else calls.push([stay]);
  }
  return calls;
}

function stopOf(stay: TrueStay, startAt: Instant, at: Instant): RecordedStop {
  return {
    zone: stay.kind === 'wait' ? 'anchorage' : 'berth',
    place: stay.kind,
    ataAt: stay.startAt,
    ...(isCut(stay, startAt) ? { startUnknown: true as const } : {}),
    ...(stay.endAt < at ? { atdAt: stay.endAt } : {}),
  };
}

/** The calls of a port as far as they had come by `at`; the wait of a vessel that was not received on arrival is unknown. */
function batchAt({ truth, startAt, isReceived }: TrueCalls, port: string, at: Instant): CallsObservation {
  const records = callsOf(truth, port).flatMap((stays): CallRecord[] => {
    const begun = stays.filter((stay) => stay.startAt < at);
    const [first, last] = [begun[0], begun.at(-1)];
    if (first === undefined || last === undefined) return [];
    // A vessel that has left an anchorage is bound for a berth; one that has left a berth may or may not come back.
    const isUnderWay = last.kind === 'wait' && last.endAt < at;
    const stops = [
      ...begun.map((stay) => stopOf(stay, startAt, at)),
      ...(isUnderWay ? [{ zone: 'berth', place: '' } as const] : []),
    ];
    const cut = isCut(first, startAt);
    const unknown = {
      ...(cut ? { ataInferred: true as const } : {}),
      ...(cut || !isReceived(begun) ? { waitKnown: false as const } : {}),
    };
    const callId = `${first.vessel} ${first.startAt}`;
    return [{ callId, vesselId: first.vessel, traffic: 'cargo', recordedAt: at, stops, ...unknown }];
  });
  return { kind: 'call-batch', port, observedAt: at, coveredFromAt: at - DAY_MS, records };
}

interface TrueCalls {
  /** Stays of the traffic from `startAt` on; to say at any time which of them are not over, they must reach beyond it. */
  readonly truth: readonly TrueStay[];
  readonly startAt: Instant;
  readonly ports: readonly string[];
  readonly isReceived: ReceivedArriving;
}

/** A source that states at each fetch the events so far, under the declaration of another source. */
export const trueCalls = ({ declaration }: Source, calls: TrueCalls): Source => ({
  declaration,
  fetch: async () => new Map(),
  parse: ({ fetchedAt }) => ({
    asOfAt: fetchedAt,
    observations: calls.ports.map((port) => batchAt(calls, port, fetchedAt)),
    refusals: new Refusals(),
    lists: [],
  }),
});
