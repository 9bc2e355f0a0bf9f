/** A port with a history of 450 days, and processes whose reads and writes are logged. */
import { expect } from '@jest/globals';
import type { CallRecord, CallsObservation, PortObservation } from '../../core/calls/observation.ts';
import { createObservationWriter } from '../../core/ingest/observation-writer.ts';
import { addDays, DAY_MS, dayOf, HOUR_MS, type Instant } from '../../core/reference/time.ts';
import { type AccessLog, emptyLog, loggedTable } from './access-log.ts';
import { metered, type WriteMeter } from './failing-table.ts';
import { type MemoryIngest, startMemoryIngest } from './memory-ingest.ts';
import type { MemoryTable } from './memory-table.ts';
import { SCRIPTED_PORT, scriptedSource } from './scripted-source.ts';
import { dumpOf } from './table-dump.ts';

/** Day 0 of the history, which begins `EARLIER_DAYS` before it. */
export const T0 = Date.UTC(2026, 0, 1);
/** Days of the history: more than the 464 days of metrics and the quarter of alerts that a process caches. */
export const DAYS = 300;
export const EARLIER_DAYS = 150;
/** A day of the history by its number; the first observations after the history are of day 300. */
export const day = (count: number): string => addDays(dayOf(T0), count);
const noLease = async (): Promise<void> => {};

/** A call that arrives at noon of a day, waits at anchor, and leaves its berth two hours later. */
export const recordOf = (arrivedOn: number, waitHours: number, recordedAt: Instant): CallRecord => {
  const ataAt = T0 + arrivedOn * DAY_MS + 12 * HOUR_MS;
  const berthAt = ataAt + waitHours * HOUR_MS;
  return {
    callId: `call ${arrivedOn}`,
    vesselId: `vessel ${arrivedOn}`,
    traffic: 'cargo',
    recordedAt,
    stops: [
      { zone: 'anchorage', place: 'ANCH', ataAt, atdAt: berthAt },
      { zone: 'berth', place: 'QUAY', ataAt: berthAt, atdAt: berthAt + 2 * HOUR_MS },
    ],
  };
};

/** The day on which a vessel arrives that stays for longer than the ledger reaches back. */
export const LAID_UP = 255;
/** Its record: still at the berth without an ATD. */
export const laidUp = (recordedAt: Instant, atdAt?: Instant): CallRecord => ({
  callId: 'laid up',
  vesselId: 'laid up',
  traffic: 'cargo',
  recordedAt,
  stops: [
    { zone: 'berth', place: 'YARD', ataAt: T0 + LAID_UP * DAY_MS, ...(atdAt !== undefined && { atdAt }) },
  ],
});

/** An observation `hours` after the end of the history, which covers the time since the history. */
export const observation = (hours: number, records: readonly CallRecord[] = []): CallsObservation => {
  const observedAt = T0 + DAYS * DAY_MS + hours * HOUR_MS;
  return {
    kind: 'call-batch',
    port: SCRIPTED_PORT,
    observedAt,
    coveredFromAt: T0 + (DAYS - 1) * DAY_MS,
    records,
  };
};

/** Long waits around 60 and 16 days before the end. Alerts of the quarter are computed. */
export const waitOn = (count: number): number =>
  [236, 280].some((from) => count >= from && count < from + 8) ? 70 : 4;

/** One observation a day, with the call that arrived four days before. */
export const history = (waitOf = waitOn): CallsObservation[] =>
  Array.from({ length: EARLIER_DAYS + DAYS }, (_, i) => {
    const count = i - EARLIER_DAYS;
    const observedAt = T0 + (count + 1) * DAY_MS;
    const records = [
      ...(i < 4 ? [] : [recordOf(count - 4, waitOf(count - 4), observedAt)]),
      ...(count === LAID_UP ? [laidUp(observedAt)] : []),
    ];
    return {
      kind: 'call-batch',
      port: SCRIPTED_PORT,
      observedAt,
      coveredFromAt: observedAt - DAY_MS,
      records,
    };
  });

export interface Process {
  /** Writes one observation and returns what that read and wrote. */
  write(...observations: readonly PortObservation[]): Promise<AccessLog & { readonly changed: number }>;
}

/** A process of its own on the tables of `ingest`; its writes fail as `meter` says. */
export async function startProcess(
  ingest: MemoryIngest,
  meter: WriteMeter = { writes: 0 },
): Promise<Process> {
  let log = emptyLog();
  const writer = createObservationWriter(
    ingest.dependencies({
      wrap: (table, id) =>
        metered(
          loggedTable(table as MemoryTable, id, () => log),
          meter,
        ),
    }),
  );
  await writer.register(scriptedSource().declaration, dayOf(T0), noLease);
  return {
    async write(...observations) {
      log = emptyLog();
      const fetchedAt = Math.max(...observations.map(({ observedAt }) => observedAt));
      const fetch = { fetchedAt, backfilled: false };
      const { changed, refusals } = await (await writer.plan(observations, fetch, noLease)).write();
      expect(refusals).toEqual([]);
      return { ...log, changed };
    },
  };
}

/** An ingest that has read `observations`; `restore` takes its tables back to there. */
export async function ingestOf(observations: readonly CallsObservation[]) {
  const ingest = startMemoryIngest({ nowAt: T0 });
  await (await startProcess(ingest)).write(...observations);
  return { ingest, restore: ingest.save() };
}

/** Everything that is served and stored of the port. */
export const rowsOf = ({ tables }: MemoryIngest) => dumpOf(tables);
