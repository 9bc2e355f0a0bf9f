/** The first pass: one failing source never stops another, and each outcome is reported once. */
import { describe, expect, it } from '@jest/globals';
import { failureLines, type IngestStep, runSteps } from '../../../local/ingest.ts';
import type { Progress } from '../../../local/ready-lines.ts';

const step = (source: string, until?: string): IngestStep => ({
  event: { source, ...(until && { until }) },
  fetches: 1,
});

async function run(
  steps: readonly IngestStep[],
  ingest: (event: unknown) => Promise<unknown>,
  ended = () => false,
) {
  const lines: string[] = [];
  const shown: string[] = [];
  const progress: Progress = {
    line: (text) => lines.push(text),
    begin: (task, total) => shown.push(`${task} ${total}`),
    step: (done, label) => shown.push(`${done} ${label}`),
  };
  const failed = await runSteps(steps, ingest, progress, ended);
  return { lines, shown, failed };
}

describe('the first pass', () => {
  it('goes on behind a source that fails, and leaves out the rest of that source', async () => {
    const asked: unknown[] = [];
    const { lines, shown } = await run([step('a'), step('b'), step('a')], async (event) => {
      asked.push(event);
      if ((event as { source: string }).source === 'a') throw new Error('no route');
      return { state: 'ok', changedRecords: 5, refusals: { count: 2 } };
    });
    expect(asked).toEqual([{ source: 'a' }, { source: 'b' }]);
    expect(lines).toEqual(['a failed: no route', 'b: 5 records changed, 2 refused']);
    expect(shown).toEqual(['ingesting 3', '0 a', '1 a', '1 b', '2 b']);
  });

  it.each([
    [{ state: 'paused' }, ['a 2026-01-05T01:20:00Z: paused']],
    [{ state: 'failed', detail: 'time-out' }, ['a 2026-01-05T01:20:00Z: failed, time-out']],
    [
      { state: 'ok', changedRecords: 0, refusals: { count: 0 } },
      ['a 2026-01-05T01:20:00Z: 0 records changed'],
    ],
    [{ source: 'a', unfinished: false }, []],
    [undefined, []],
  ])('reports %j, and up to when recorded fetches were applied', async (reply, expected) => {
    expect((await run([step('a', '2026-01-05T01:20:00Z')], async () => reply)).lines).toEqual(expected);
  });

  it('names the sources that failed, and when each is tried again', async () => {
    const replies: Record<string, unknown> = {
      a: { state: 'failed', detail: 'fetch failed' },
      b: { state: 'ok', changedRecords: 5 },
      c: { state: 'paused', status: { pausedUntilAt: Date.UTC(2026, 0, 5, 6) } },
    };
    const { failed } = await run(
      ['a', 'b', 'c', 'd'].map((source) => step(source)),
      async (event) => replies[(event as { source: string }).source] ?? Promise.reject(new Error('no route')),
    );
    const schedules = ['a', 'b', 'c'].map((source) => ({ source, periodMs: 12 * 3_600_000, event: {} }));
    const nowAt = Date.UTC(2026, 0, 5, 1, 30);
    expect(failureLines(failed, 4, schedules, nowAt)).toEqual([
      '3 of 4 sources failed in the first pass:',
      '  a: tried again at 2026-01-05T01:32:00Z',
      '  c: tried again at 2026-01-05T06:00:00Z',
      '  d: not tried again',
    ]);
    expect(failureLines(new Map(), 4, schedules, nowAt)).toEqual([]);
  });

  it('asks again until a step is done', async () => {
    let left = 3;
    await run([step('a')], async () => ({ unfinished: --left > 0 }));
    expect(left).toBe(0);
  });

  it('stops when the service ends, and says no more', async () => {
    let ended = false;
    const { lines } = await run(
      [step('a'), step('b')],
      async () => {
        ended = true;
        throw new Error('the store is closed');
      },
      () => ended,
    );
    expect(lines).toEqual([]);
  });
});
