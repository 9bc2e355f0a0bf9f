/** The ingest function's events: a pass, and the steps of a back-fill. */

import { describe, expect, it } from '@jest/globals';
import type { BackFillRequest, OpenedBackFill } from '../../../core/ingest/back-fill.ts';
import type { Partition } from '../../../core/ingest/partitions.ts';
import type { PassOutcome, PassRequest } from '../../../core/ingest/pass.ts';
import { Refusals } from '../../../core/upstream/refusals.ts';
import { createIngest } from '../../../lambdas/ingest/ingest.ts';
import { scriptedSource } from '../../builders/scripted-source.ts';

const NOW = Date.UTC(2026, 2, 2, 12);
const UNTIL = '2026-01-01T00:00:00Z';
const PARTITIONS: Partition[] = [
  { source: 'plain', part: 'FIHEL', until: UNTIL },
  { source: 'plain', part: 'FIRAU', until: UNTIL },
];

function start({
  outcome = {} as Partial<PassOutcome>,
  opened = { partitions: PARTITIONS } as OpenedBackFill,
} = {}) {
  const passes: PassRequest[] = [];
  const openings: BackFillRequest[] = [];
  const walks: Partition[] = [];
  const closed: string[] = [];
  const recorded: PassOutcome[] = [];
  const status = { source: 'plain', failures: 0 };
  const ended: PassOutcome = {
    source: 'plain',
    state: 'ok',
    fetches: 1,
    changedRecords: 0,
    refusals: new Refusals(),
    notices: [],
    unfinished: false,
    status,
    ...outcome,
  };
  const ingest = createIngest({
    sources: [scriptedSource('plain')],
    async pass(_source, request) {
      passes.push(request);
      return ended;
    },
    backFill: {
      async open(_source, request) {
        openings.push(request);
        return opened;
      },
      async walk(_source, partition) {
        walks.push(partition);
        return ended;
      },
      async close({ declaration }) {
        closed.push(declaration.id);
        return status;
      },
    },
    record: (entry) => recorded.push(entry),
    now: () => NOW,
  });
  const run = (event: unknown, remainingMs = 900_000) =>
    ingest(event, { getRemainingTimeInMillis: () => remainingMs });
  return { run, passes, openings, walks, closed, recorded };
}

describe('a pass', () => {
  it('fetches by default, and logs the pass', async () => {
    const { run, passes, recorded } = start();
    await run({ source: 'plain' });
    await run({ source: 'plain', ask: false, until: UNTIL });
    expect(passes).toMatchObject([{ ask: true }, { ask: false, untilAt: Date.UTC(2026, 0, 1) }]);
    expect(recorded).toHaveLength(2);
  });

  it('is out of time two minutes before the function is', async () => {
    const { run, passes } = start();
    await run({ source: 'plain' }, 121_000);
    await run({ source: 'plain' }, 119_000);
    expect(passes.map(({ outOfTime }) => outOfTime?.())).toEqual([false, true]);
  });

  it.each([
    [{ source: 'unknown-source' }],
    [{ source: 5 }],
    [{ source: 'plain', until: 'later' }],
    [{ backFill: 'open', request: { source: 'plain', from: '2026-02-30' } }],
    [{ backFill: 'walk', partition: { source: 'plain' } }],
    [{ backFill: 'close', request: { source: 'unknown-source' } }],
  ])('or a step is refused: %j', async (event) => {
    const { run, passes, openings, walks, closed } = start();
    await expect(run(event)).rejects.toThrow();
    expect([passes, openings, walks, closed].flat()).toEqual([]);
  });
});

describe('a back-fill', () => {
  it('names ten thousand partitions within what the state machine passes on', async () => {
    const partitions = Array.from({ length: 10_000 }, (_, i) => ({
      source: 'plain',
      part: `A${String(i).padStart(4, '0')}`,
      since: UNTIL,
      until: UNTIL,
    }));
    const reply = await start({ opened: { partitions } }).run({
      backFill: 'open',
      request: { source: 'plain' },
    });
    expect(reply).toMatchObject({ span: { since: UNTIL, until: UNTIL } });
    expect(JSON.stringify(reply).length).toBeLessThan(256 * 1024);
  });

  it('is opened with its partitions, the past up to yesterday', async () => {
    const { run, openings } = start();
    const reply = await run({ backFill: 'open', request: { source: 'plain', from: '2026-01-01' } });
    expect(reply).toEqual({ source: 'plain', parts: ['FIHEL', 'FIRAU'], span: { until: UNTIL }, done: true });
    expect(openings).toMatchObject([{ history: { fromDay: '2026-01-01', toDay: '2026-03-01' } }]);
  });

  it('takes what the opening returned as its next event until the past is there', async () => {
    const { run, openings } = start({ opened: { nextDay: '2026-01-15', partitions: [] } });
    const request = { source: 'plain', from: '2026-01-01', to: '2026-01-31', until: UNTIL };
    const reply = await run({ backFill: 'open', request });
    expect(reply).toEqual({ ...request, from: '2026-01-15', parts: [], span: {}, done: false });
    await run({ backFill: 'open', request: reply });
    expect(openings[1]).toMatchObject({ history: { fromDay: '2026-01-15', toDay: '2026-01-31' } });
  });

  it('walks a partition in steps, and its record says nothing of the source', async () => {
    const { run, walks, recorded } = start({ outcome: { unfinished: true } });
    const partition = { source: 'plain', part: 'FIHEL', span: { until: UNTIL } };
    const reply = await run({ backFill: 'walk', partition });
    expect(reply).toEqual({ ...partition, done: false });
    await run({ backFill: 'walk', partition: reply });
    expect(walks).toEqual([PARTITIONS[0], PARTITIONS[0]]);
    expect(recorded.map(({ status }) => status)).toEqual([undefined, undefined]);
  });

  it('is closed with what it was opened with', async () => {
    const { run, closed } = start();
    const request = { source: 'plain', parts: ['FIHEL'], span: {}, done: true };
    expect(await run({ backFill: 'close', request })).toEqual({ source: 'plain', done: true });
    expect(closed).toEqual(['plain']);
  });
});
