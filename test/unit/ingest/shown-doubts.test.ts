/** A held reply shows at once: in the log line of its pass, the row of its source, the status page and the metric of the alarm. */
import { expect, it } from '@jest/globals';
import { createPassRecorder } from '../../../core/ingest/pass.ts';
import { serviceStatus } from '../../../core/ingest/service-status.ts';
import { HOUR_MS, type Instant } from '../../../core/reference/time.ts';
import { sources } from '../../../lambdas/endpoints/sources.ts';
import { createWatch } from '../../../lambdas/watch/watch.ts';
import { type MemoryIngest, startMemoryIngest } from '../../builders/memory-ingest.ts';
import { readableLog } from '../../builders/readable-log.ts';
import { batchAt, replyFiles, scriptedSource } from '../../builders/scripted-source.ts';

const T0 = Date.UTC(2026, 2, 2);
const SOURCE = scriptedSource();
const REASON =
  'HKHKG calls: 40 of 40 usual rows are missing; the last reply had 40; HKHKG: 40 of 40 known calls would be withdrawn, or are missing';

const reply = (at: Instant, calls: number) => {
  const records = Array.from({ length: calls }, (_, index) => ({
    callId: `call-${index}`,
    vesselId: `vessel-${index}`,
    traffic: 'cargo' as const,
    recordedAt: at,
    listedAt: T0 - HOUR_MS,
    ataAt: T0 - HOUR_MS,
    stops: [{ zone: 'berth' as const, place: 'one', ataAt: T0 }],
  }));
  const complete = { fromAt: T0 - 10 * 24 * HOUR_MS, toAt: T0 + 10 * 24 * HOUR_MS, recordedAt: at };
  return { asOfAt: at, observations: [batchAt(at, records, { complete })] };
};

async function passOver(ingest: MemoryIngest, hours: number, calls: number) {
  const at = T0 + hours * HOUR_MS;
  ingest.clock.nowAt = at;
  await ingest.archive.write('scripted', at, replyFiles(reply(at, calls)));
  return ingest.pass(SOURCE, { ask: false });
}

async function shown(ingest: MemoryIngest) {
  const { nowAt } = ingest.clock;
  const respond = sources.create(ingest.tables, { now: () => nowAt, region: 'local' });
  const rows = await respond({ path: {}, query: { format: 'json' } }, new Map());
  const statuses = await ingest.stores.statuses.all();
  const status = serviceStatus([SOURCE.declaration], statuses, nowAt).sources[0];
  const counts: number[] = [];
  await createWatch({
    statuses: ingest.stores.statuses,
    sources: ['scripted'],
    now: () => nowAt,
    publish: (metric, count) => metric === 'doubts' && counts.push(count),
  })();
  return { row: rows[0], status, counts };
}

it('shows a held reply everywhere with its reason, keeps the data, and recovers at the next good one', async () => {
  const ingest = startMemoryIngest({ nowAt: T0 });
  await passOver(ingest, 1, 40);
  const outcome = await passOver(ingest, 2, 0);
  const { log, lines } = readableLog();
  createPassRecorder(log)(
    { ...outcome, state: 'held', reason: 'few-rows', detail: REASON },
    ingest.clock.nowAt,
  );
  expect(lines()[0]).toMatchObject({
    level: 'WARN',
    message: 'pass',
    state: 'held',
    reason: 'few-rows',
    detail: REASON,
    dataAgeMinutes: 60,
  });
  const since = '2026-03-02T02:00:00Z';
  const { row, status, counts } = await shown(ingest);
  expect(row).toMatchObject({
    last_fetch_iso: '2026-03-02T01:00:00Z',
    not_accepted: { since, outcome: 'held', reason: REASON },
  });
  expect(status).toMatchObject({
    last_fetch_iso: '2026-03-02T01:00:00Z',
    doubt: { since, outcome: 'held', detail: REASON },
  });
  expect(counts).toEqual([1]);
  const [port] = await ingest.stores.ports.all();
  expect(port?.snapshot?.asOfAt).toBe(T0 + HOUR_MS);

  await passOver(ingest, 3, 41);
  const after = await shown(ingest);
  expect(after.row).not.toHaveProperty('not_accepted');
  expect(after.status).not.toHaveProperty('doubt');
  expect(after.counts).toEqual([0]);
});
