/** When schedules come due and run, on a clock that the test moves, and asynchronous invocations with their further attempts. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createAsynchronous, startScheduler } from '../../../local/ingest.ts';

beforeEach(() => {
  jest.useFakeTimers({ now: Date.UTC(2026, 2, 1) });
});
afterEach(() => {
  jest.useRealTimers();
});

describe('the scheduler', () => {
  let scheduler: ReturnType<typeof startScheduler>;
  const lines: string[] = [];
  const start = (
    minutes: number,
    run: () => Promise<unknown>,
    failed: ReadonlyMap<string, number> = new Map(),
  ): void => {
    const job = { source: 'job', periodMs: minutes * 60_000, event: {} };
    scheduler = startScheduler([job], { failed, now: Date.now, run, report: (line) => lines.push(line) });
  };
  afterEach(() => scheduler.stop());

  it('runs a job at its rate, first after one period', async () => {
    const runs: number[] = [];
    start(5, async () => void runs.push(Date.now()));
    await jest.advanceTimersByTimeAsync(4 * 60_000 + 59_999);
    expect(runs).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    await jest.advanceTimersByTimeAsync(10 * 60_000);
    expect(runs.map((at) => (at - Date.UTC(2026, 2, 1)) / 60_000)).toEqual([5, 10, 15]);
  });

  it('leaves a turn out while the last one is still running', async () => {
    const running: (() => void)[] = [];
    start(1, () => new Promise<void>((resolve) => running.push(resolve)));
    await jest.advanceTimersByTimeAsync(3 * 60_000);
    expect([running.length, lines.length]).toEqual([1, 2]);
    expect(lines[0]).toBe('job: still running, this run is skipped');
    running[0]?.();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(running).toHaveLength(2);
    running[1]?.();
  });

  it('makes up for none of the turns that a sleeping machine missed', async () => {
    let runs = 0;
    start(1, async () => {
      runs += 1;
    });
    jest.setSystemTime(Date.now() + 3_600_000);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(runs).toBe(1);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(runs).toBe(2);
  });

  it('tries a source whose first pass failed again soon, at growing distances, until it succeeds', async () => {
    const runs: number[] = [];
    start(
      12 * 60,
      async () => {
        runs.push((Date.now() - Date.UTC(2026, 2, 1)) / 60_000);
        return { state: runs.length < 3 ? 'failed' : 'ok' };
      },
      new Map([['job', 0]]),
    );
    await jest.advanceTimersByTimeAsync(12 * 60 * 60_000);
    expect(runs).toEqual([2, 6, 14, 720]);
  });

  it('tries it again no sooner than its pause ends, and leaves it to its schedule where that is sooner', async () => {
    const runs: number[] = [];
    const run = async (): Promise<unknown> => runs.push((Date.now() - Date.UTC(2026, 2, 1)) / 60_000);
    start(60, run, new Map([['job', Date.UTC(2026, 2, 1, 0, 45)]]));
    await jest.advanceTimersByTimeAsync(50 * 60_000);
    expect(runs).toEqual([45]);
    await scheduler.stop();
    runs.length = 0;
    start(5, run, new Map([['job', Date.now() + 3_600_000]]));
    await jest.advanceTimersByTimeAsync(5 * 60_000);
    expect(runs).toEqual([55]);
  });

  it('stops, once what is running is over', async () => {
    let finish = (): void => {};
    let stopped = false;
    start(1, () => new Promise<void>((resolve) => (finish = resolve)));
    await jest.advanceTimersByTimeAsync(60_000);
    const stopping = scheduler.stop().then(() => {
      stopped = true;
    });
    await jest.advanceTimersByTimeAsync(10 * 60_000);
    expect(stopped).toBe(false);
    finish();
    await stopping;
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('an asynchronous invocation', () => {
  const deadLetterFile = join(mkdtempSync(join(tmpdir(), 'letters-')), 'dead-letters.jsonl');
  const lines: string[] = [];
  const attempts: string[] = [];
  const ending = new AbortController();
  beforeEach(() => {
    for (const list of [lines, attempts]) list.length = 0;
    rmSync(deadLetterFile, { force: true });
  });
  const invoker = (failures: number, more: Partial<{ retryAttempts: number; eventAgeMs: number }> = {}) => {
    let left = failures;
    const invoke = async (event: unknown) => {
      attempts.push(`${event} ${(Date.now() - Date.UTC(2026, 2, 1)) / 1000}`);
      left -= 1;
      if (left >= 0) throw new Error('no luck');
    };
    return createAsynchronous(invoke, {
      ...{ name: 'pump', retryAttempts: 2, eventAgeMs: 3_600_000, ...more },
      ...{ now: Date.now, signal: ending.signal, deadLetterFile, report: (line: string) => lines.push(line) },
    });
  };

  it('is tried again after one minute and after two', async () => {
    const done = invoker(2)('a');
    await jest.advanceTimersByTimeAsync(200_000);
    await done;
    expect(attempts).toEqual(['a 0', 'a 60', 'a 180']);
    expect(lines).toEqual(['pump failed, retry in 60 s: no luck', 'pump failed, retry in 120 s: no luck']);
    expect(existsSync(deadLetterFile)).toBe(false);
  });

  it('becomes a dead letter when it failed permanently', async () => {
    const done = invoker(9)('a');
    await jest.advanceTimersByTimeAsync(200_000);
    await done;
    expect(attempts).toHaveLength(3);
    const letter = { functionName: 'pump', event: 'a', attempts: 3, reason: 'no luck' };
    expect(JSON.parse(readFileSync(deadLetterFile, 'utf8'))).toEqual({ at: Date.now() - 20_000, ...letter });
  });

  it('is not tried again when it would be too old by then', async () => {
    await invoker(9, { eventAgeMs: 59_999 })('a');
    expect([attempts.length, existsSync(deadLetterFile)]).toEqual([1, true]);
  });

  it('never runs beside another of the same function', async () => {
    const invoke = invoker(1, { retryAttempts: 1 });
    const both = Promise.all([invoke('a'), invoke('b')]);
    await jest.advanceTimersByTimeAsync(200_000);
    await both;
    expect(attempts).toEqual(['a 0', 'a 60', 'b 60']);
  });

  it('ends at once when it fails after the service stopped', async () => {
    const stopping = new AbortController();
    const run = createAsynchronous(
      async () => {
        stopping.abort();
        throw new Error('the store is closed');
      },
      {
        ...{ name: 'pump', retryAttempts: 2, eventAgeMs: 3_600_000, now: Date.now },
        ...{ signal: stopping.signal, deadLetterFile: undefined, report: () => undefined },
      },
    );
    await run('a');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is given up without a word when the service ends', async () => {
    const done = invoker(9)('a');
    await jest.advanceTimersByTimeAsync(1000);
    ending.abort();
    await done;
    expect([attempts.length, existsSync(deadLetterFile)]).toEqual([1, false]);
  });
});
