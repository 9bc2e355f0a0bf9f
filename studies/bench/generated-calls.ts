/** Generated calls of one port, and what a poll shows of them. */
import type {
  CallRecord,
  PollObservation,
  VesselDeparted,
  VesselInPort,
} from '../../core/calls/observation.ts';
import { DAY_MS, type Instant, MINUTE_MS } from '../../core/reference/time.ts';
import { logNormal } from '../../core/sources/sample-simulator/source.ts';

/** One record a call: anchored, berthed, gone. */
export function recordOf(port: string, number: number, ataAt: Instant, random: () => number): CallRecord {
  const berthAt = ataAt + Math.round(logNormal(random, 6, 0.8) * 60) * MINUTE_MS;
  const atdAt = berthAt + Math.round(logNormal(random, 20, 0.4) * 60) * MINUTE_MS;
  return {
    callId: `${port}-${number}`,
    vesselId: `imo:${9_000_000 + (number % 4000)}`,
    traffic: 'cargo',
    recordedAt: atdAt,
    stops: [
      { zone: 'anchorage', place: 'ROADS', ataAt, atdAt: berthAt },
      { zone: 'berth', place: `QUAY ${number % 12}`, ataAt: berthAt, atdAt },
    ],
  };
}

/** What a poll of `port` shows at `observedAt` of these calls, those that left within a day included. */
export function pollAt(port: string, calls: readonly CallRecord[], observedAt: Instant): PollObservation {
  const inPort: VesselInPort[] = [];
  const departed: VesselDeparted[] = [];
  for (const { vesselId, stops } of calls) {
    const [atAnchor, atBerth] = stops;
    const { ataAt = 0 } = atAnchor ?? {};
    const { ataAt: berthAt = 0, atdAt = 0, place = '' } = atBerth ?? {};
    if (ataAt > observedAt || atdAt < observedAt - DAY_MS) continue;
    if (atdAt <= observedAt) departed.push({ vesselId, atdAt, zone: 'berth', place });
    else if (berthAt <= observedAt) inPort.push({ vesselId, ataAt, zone: 'berth', place });
    else inPort.push({ vesselId, ataAt, zone: 'anchorage', place: 'ROADS' });
  }
  return { kind: 'poll', port, observedAt, inPort, departed };
}
