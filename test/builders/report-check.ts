/** Invariants of every observation of a source, whatever the input. */
import { expect } from '@jest/globals';
import {
  type CallRecord,
  type Observation,
  type PollObservation,
  TRAFFIC,
  type VesselInPort,
} from '../../core/calls/observation.ts';
import { chapterExists, isHsCode } from '../../core/reference/codes.ts';
import type { Instant } from '../../core/reference/time.ts';
import type { ParsedFetch, SourceDeclaration } from '../../core/upstream/source.ts';

const HOUR_MS = 3_600_000;
/** Lists of the present are read to a day ahead; the reconstruction bounds them by its own clock. */
const POLL_TOLERANCE_MS = 24 * HOUR_MS;
const ZONES = ['anchorage', 'berth', 'moving'];

/** Throws when `condition` is false; simple, because it runs millions of times in long runs. */
function must(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}

const isTime = (at: Instant | undefined, latestAt: Instant): boolean =>
  at === undefined || (Number.isSafeInteger(at) && at > 0 && at <= latestAt);

function checkRecord(record: CallRecord, latestAt: Instant): void {
  must(record.callId !== '' && record.vesselId !== '', 'call and vessel have ids');
  must(TRAFFIC.includes(record.traffic), 'traffic');
  must(isTime(record.ataAt, latestAt) && isTime(record.atdAt, latestAt), 'call times');
  must(Number.isSafeInteger(record.recordedAt) && record.recordedAt <= latestAt, 'record stamp');
  for (const { zone, place, ataAt, atdAt } of [...record.stops, { zone: 'berth', place: '', ...record }]) {
    must(ZONES.includes(zone) && typeof place === 'string', 'zone and place');
    must(isTime(ataAt, latestAt) && isTime(atdAt, latestAt), 'stop times');
    must(ataAt === undefined || atdAt === undefined || ataAt <= atdAt, 'no vessel leaves before it arrives');
  }
}

function checkPoll(poll: PollObservation, latestAt: Instant): void {
  const listed: readonly VesselInPort[] = [...(poll.inPort ?? []), ...(poll.arrived ?? [])];
  for (const vessel of listed)
    must(vessel.vesselId !== '' && isTime(vessel.ataAt, latestAt), 'vessel in port');
  for (const gone of poll.departed ?? [])
    must(gone.vesselId !== '' && isTime(gone.atdAt, latestAt), 'departed');
}

function checkReport(observation: Observation, declaration: SourceDeclaration, latestAt: Instant): void {
  must(Number.isSafeInteger(observation.observedAt) && observation.observedAt <= latestAt, 'observed at');
  if (observation.kind === 'trade') {
    for (const { code, month, value } of observation.values) {
      must(isHsCode(code) && chapterExists(code), `code ${code}`);
      must(/^\d{4}-(?:0[1-9]|1[0-2])$/.test(month), `month ${month}`);
      must(Number.isSafeInteger(value) && value >= 0, `value ${value}`);
    }
    return;
  }
  must(declaration.ports.includes(observation.port), `port ${observation.port}`);
  if (observation.kind === 'poll') {
    checkPoll(observation, latestAt - HOUR_MS + POLL_TOLERANCE_MS);
    return;
  }
  must(observation.coveredFromAt <= observation.observedAt, 'covered span');
  must(
    new Set(observation.records.map(({ callId }) => callId)).size === observation.records.length,
    'one record a call',
  );
  for (const record of observation.records) checkRecord(record, latestAt);
}

/** Fails unless everything in `parsed` is sound for a fetch at `fetchedAt`. */
export function expectSound(parsed: ParsedFetch, declaration: SourceDeclaration, fetchedAt: Instant): void {
  const latestAt = fetchedAt + HOUR_MS;
  must(Number.isSafeInteger(parsed.asOfAt) && parsed.asOfAt <= latestAt, 'as of');
  for (const observation of parsed.observations) checkReport(observation, declaration, latestAt);
  for (const { reason, detail } of parsed.refusals.first) {
    expect(reason).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
    expect(detail.length).toBeLessThan(500);
  }
}
