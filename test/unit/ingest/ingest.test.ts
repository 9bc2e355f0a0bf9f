/** The ingest function's events: a pass, and the plan and the steps of a back-fill. */
import { describe, expect, it } from '@jest/globals';
import type { Source } from '../../../core/sources/source.ts';
import type { HistoryRequest } from '../../../lambdas/ingest/history.ts';
import { createIngest } from '../../../lambdas/ingest/ingest.ts';
import type { PassOutcome, PassRequest } from '../../../lambdas/ingest/pass.ts';
import { scriptedSource } from '../../builders/scripted-source.ts';

const NOW = Date.UTC(2026, 2, 2, 12);

function start({ outcome = {} as Partial<PassOutcome>, goOnFrom = undefined as string | undefined } = {}) {
  const passes: { source: string; request: PassRequest }[] = [];
  const histories: HistoryRequest[] = [];
  const plain = scriptedSource('plain');
  const remembering: Source = {
    ...scriptedSource('remembering'),
    history: { hosts: [], fetchDay: async () => {} },
  };
  const recorded: PassOutcome[] = [];
  const ingest = createIngest({
    sources: [plain, remembering],
    async pass({ declaration }, request) {
      passes.push({ source: declaration.id, request });
      const whole: PassOutcome = {
        source: declaration.id,
        state: 'ok',
        fetches: 1,
        changedRecords: 0,
        refusals: [],
        unfinished: false,
        status: undefined,
      };
      return { ...whole, ...outcome };
    },
    async history(_source, request) {
      histories.push(request);
      return goOnFrom;
    },
    record: (one) => recorded.push(one),
    now: () => NOW,
  });
  const run = (event: unknown, remainingMs = 900_000) =>
    ingest(event, { getRemainingTimeInMillis: () => remainingMs });
  return { run, passes, histories, recorded };
}

describe('a pass', () => {
  it('asks unless told otherwise, and leaves a record', async () => {
    const { run, passes, recorded } = start();
    await run({ source: 'plain' });
    await run({ source: 'plain', ask: false });
    expect(passes.map(({ request }) => request.ask)).toEqual([true, false]);
    expect(recorded).toHaveLength(2);
  });

  it('is out of time two minutes before the function is', async () => {
    const { run, passes } = start();
    await run({ source: 'plain' }, 121_000);
    await run({ source: 'plain' }, 119_000);
    expect(passes.map(({ request }) => request.outOfTime?.())).toEqual([false, true]);
  });

  it.each([
    [{ source: 'stranger' }],
    [{ source: 5 }],
    [{}],
    [{ backFill: 'walk' }],
    [{ backFill: 'walk', partition: { source: 'remembering', from: '2026-13-01', to: '2026-12-01' } }],
    [{ backFill: 'walk', partition: { source: 'plain', until: 'later' } }],
  ])('is refused: %j', async (event) => {
    const { run, passes } = start();
    await expect(run(event)).rejects.toThrow();
    expect(passes).toEqual([]);
  });
});

describe('a plan', () => {
  it('is one partition a source, the past only of those that have one, up to yesterday', async () => {
    const { run } = start();
    expect(await run({ backFill: 'plan', request: { from: '2026-01-01' } })).toEqual({
      partitions: [{ source: 'plain' }, { source: 'remembering', from: '2026-01-01', to: '2026-03-01' }],
    });
  });

  it('is of one source when it is named', async () => {
    const { run } = start();
    const request = { source: 'plain', until: '2026-01-01T00:00:00Z' };
    expect(await run({ backFill: 'plan', request })).toEqual({ partitions: [request] });
  });
});

describe('a step of a walk', () => {
  it('asks nobody and goes on while there is more', async () => {
    const { run, passes } = start({ outcome: { unfinished: true } });
    const partition = { source: 'plain', until: '2026-01-01T00:00:00Z' };
    expect(await run({ backFill: 'walk', partition })).toEqual({ ...partition, done: false });
    expect(passes[0]?.request).toMatchObject({ ask: false, untilAt: Date.UTC(2026, 0, 1) });
  });

  it('takes what it returned last as its next event', async () => {
    const { run } = start({ goOnFrom: '2026-01-15' });
    const partition = { source: 'remembering', from: '2026-01-01', to: '2026-01-31' };
    const reply = await run({ backFill: 'walk', partition });
    expect(reply).toEqual({ ...partition, from: '2026-01-15', done: false });
    expect(await run({ backFill: 'walk', partition: reply })).toMatchObject({ from: '2026-01-15' });
  });

  it('brings the past in and keeps passes away meanwhile, and applies only then', async () => {
    const { run, passes, histories } = start();
    const partition = { source: 'remembering', from: '2026-01-01', to: '2026-01-31' };
    const reply = await run({ backFill: 'walk', partition });
    expect(histories[0]).toMatchObject({ fromDay: '2026-01-01', toDay: '2026-01-31', keepLease: true });
    expect(passes).toEqual([]);
    expect(reply).toEqual({ source: 'remembering', done: false });
    expect(await run({ backFill: 'walk', partition: reply })).toEqual({ source: 'remembering', done: true });
  });

  it('fails when another pass holds the source, to be tried again', async () => {
    const { run } = start({ outcome: { state: 'busy' } });
    await expect(run({ backFill: 'walk', partition: { source: 'plain' } })).rejects.toThrow('holds plain');
  });
});
