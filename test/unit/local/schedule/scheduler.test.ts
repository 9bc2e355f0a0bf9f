/** When schedules come due and run, on a clock that the test moves, and asynchronous invocations with their further attempts. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createAsynchronous } from '../../../../local/functions/asynchronous.ts';
import { startScheduler } from '../../../../local/schedule/scheduler.ts';

beforeEach(() => {
  jest.useFakeTimers({ now: Date.UTC(2026, 2, 1) });
});
afterEach(() => {
  jest.useRealTimers();
});

describe('the scheduler', () => {
  let scheduler: ReturnType<typeof startScheduler>;
  const lines: string[] = [];
  const start = (minutes: number, run: () => Promise<void>): void => {
    const job = { name: 'job', periodMs: minutes * 60_000, functionArn: 'arn', input: {} };
    scheduler = startScheduler([job], run, (line) => lines.push(line));
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
    start(1, () => new Promise((resolve) => running.push(resolve)));
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

  it('stops, once what is running is over', async () => {
    let finish = (): void => {};
    let stopped = false;
    start(1, () => new Promise((resolve) => (finish = resolve)));
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
    return createAsynchronous(
      { name: 'pump', retryAttempts: 2, eventAgeMs: 3_600_000, deadLetters: 'queue', ...more },
      invoke,
      { now: Date.now, signal: ending.signal, deadLetterFile, report: (line) => lines.push(line) },
    );
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
    const letter = { functionName: 'pump', queue: 'queue', event: 'a', attempts: 3, reason: 'no luck' };
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

  it('is given up without a word when the service ends', async () => {
    const done = invoker(9)('a');
    await jest.advanceTimersByTimeAsync(1000);
    ending.abort();
    await done;
    expect([attempts.length, existsSync(deadLetterFile)]).toEqual([1, false]);
  });
});
