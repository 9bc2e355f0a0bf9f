/** The polls of a simulated port, with the faults of real polling. */
import type {
  PollObservation,
  VesselArrived,
  VesselDeparted,
  VesselInPort,
} from '../../core/calls/observation.ts';
import { HOUR_MS, type Instant, type Interval, MINUTE_MS, wholeSecond } from '../../core/reference/time.ts';
import { randomStream, uniform } from '../../core/sources/sample-simulator/source.ts';
import { legAt, type SimulatedCall } from './simulated-call.ts';

/** How far back the lists of arrived and departed vessels go. */
const LIST_REACH_MS = 36 * HOUR_MS;

const since = (at: Instant, eventAt: Instant): boolean => at - LIST_REACH_MS < eventAt && eventAt <= at;

function lastPosition(call: SimulatedCall, at: Instant): Pick<VesselInPort, 'zone' | 'place'>[] {
  const leg = legAt(call, Math.min(at, call.atdAt - 1));
  return leg ? [{ zone: leg.zone, place: leg.place }] : [];
}

/** The port as the source shows it at `at`: in port now, arrived and departed in 36 hours. */
export function pollAt(truth: readonly SimulatedCall[], at: Instant): PollObservation {
  const inPort: VesselInPort[] = [];
  const arrived: VesselArrived[] = [];
  const departed: VesselDeparted[] = [];
  for (const call of truth) {
    const { vesselId, ataAt, atdAt } = call;
    for (const position of lastPosition(call, at)) {
      if (ataAt <= at && at < atdAt) inPort.push({ vesselId, ataAt, ...position });
      if (since(at, ataAt)) arrived.push({ vesselId, ataAt, ...position, departed: atdAt <= at });
      if (since(at, atdAt)) departed.push({ vesselId, atdAt, ...position });
    }
  }
  const [port] = truth.map((call) => call.port);
  if (port === undefined) throw new RangeError('no call, so no port');
  return { kind: 'poll', port, observedAt: at, inPort, arrived, departed };
}

export interface Polling {
  readonly everyMinutes: number;
  readonly seed: number;
  /** Each poll is early or late by up to this much. */
  readonly jitterMinutes?: number;
  /** Share of polls that are made this many minutes late, at most. */
  readonly lateShare?: number;
  readonly lateMinutes?: number;
  /** Share of missing polls. */
  readonly missingShare?: number;
  /** Share of polls that are delivered twice. */
  readonly repeatedShare?: number;
}

/** The polls of `span` in order of time; without faults, one every `everyMinutes` from its beginning. */
export function makePolls(
  truth: readonly SimulatedCall[],
  span: Interval,
  polling: Polling,
): PollObservation[] {
  const { everyMinutes, jitterMinutes = 0, lateShare = 0, lateMinutes = 0 } = polling;
  const { missingShare = 0, repeatedShare = 0 } = polling;
  const random = randomStream('polls', polling.seed);
  const times: Instant[] = [];
  for (let dueAt = span.fromAt; dueAt < span.toAt; dueAt += everyMinutes * MINUTE_MS) {
    const offset = uniform(random, -jitterMinutes, jitterMinutes);
    const delay = random() < lateShare ? uniform(random, 0, lateMinutes) : 0;
    const copies = random() < missingShare ? 0 : random() < repeatedShare ? 2 : 1;
    const at = wholeSecond(dueAt + (offset + delay) * MINUTE_MS);
    for (let copy = 0; copy < copies; copy += 1) times.push(at);
  }
  return times.sort((a, b) => a - b).map((at) => pollAt(truth, at));
}
