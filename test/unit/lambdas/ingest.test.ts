/** The ingest function's events: a pass, and the steps of a back-fill. */

import { describe, expect, it } from '@jest/globals';
import type { BackFill } from '../../../core/ingest/back-fill.ts';
import type { PassOutcome, PassRequest } from '../../../core/ingest/pass.ts';
import { Refusals } from '../../../core/upstream/source.ts';
import { createIngest } from '../../../lambdas/ingest/ingest.ts';
import { scriptedSource } from '../../builders/scripted-source.ts';

const NOW = Date.UTC(2026, 2, 2, 12);
const UNTIL = '2026-01-01T00:00:00Z';

function start({ outcome = {} as Partial<PassOutcome>, nextDay = undefined as string | undefined } = {}) {
  const passes: PassRequest[] = [];
  const loads: Parameters<BackFill['load']>[1][] = [];
  const applied: Parameters<BackFill['apply']>[1][] = [];
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
      async load(_source, request) {
        loads.push(request);
        return nextDay;
      },
      async apply(_source, request) {
        applied.push(request);
        return ended;
      },
      giveUp: () => Promise.reject(new Error('a step never gives up')),
    },
    record: (entry) => recorded.push(entry),
    now: () => NOW,
  });
  const run = (event: unknown, remainingMs = 900_000) =>
    ingest(event, { getRemainingTimeInMillis: () => remainingMs });
  return { run, passes, loads, applied, recorded };
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
    [{ backFill: 'load', request: { source: 'plain', from: '2026-02-30' } }],
    [{ backFill: 'apply', request: { source: 'unknown-source' } }],
    [{ backFill: 'apply', request: { source: 'plain', since: 'later' } }],
  ])('or a step is refused: %j', async (event) => {
    const { run, passes, loads, applied } = start();
    await expect(run(event)).rejects.toThrow();
    expect([passes, loads, applied].flat()).toEqual([]);
  });
});

describe('a back-fill', () => {
  it('loads the past up to yesterday, and passes its request on', async () => {
    const { run, loads } = start();
    const request = { source: 'plain', from: '2026-01-01', until: UNTIL };
    expect(await run({ backFill: 'load', request })).toEqual({ ...request, done: true });
    expect(loads).toMatchObject([{ history: { fromDay: '2026-01-01', toDay: '2026-03-01' } }]);
  });

  it('takes the result of a step as its next event until the past is there', async () => {
    const { run, loads } = start({ nextDay: '2026-01-15' });
    const request = { source: 'plain', from: '2026-01-01', to: '2026-01-31', until: UNTIL };
    const reply = await run({ backFill: 'load', request });
    expect(reply).toEqual({ ...request, from: '2026-01-15', done: false });
    await run({ backFill: 'load', request: reply });
    expect(loads[1]).toMatchObject({ history: { fromDay: '2026-01-15', toDay: '2026-01-31' } });
  });

  it('applies the archive in steps, whose records state no age', async () => {
    const { run, applied, recorded } = start({ outcome: { unfinished: true } });
    const request = { source: 'plain', until: UNTIL };
    const reply = await run({ backFill: 'apply', request });
    expect(reply).toEqual({ ...request, done: false });
    await run({ backFill: 'apply', request: reply });
    expect(applied).toMatchObject([{ untilAt: Date.UTC(2026, 0, 1) }, { untilAt: Date.UTC(2026, 0, 1) }]);
    expect(recorded.map(({ status }) => status)).toEqual([undefined, undefined]);
  });
});
