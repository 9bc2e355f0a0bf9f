/** When schedules come due and run, on a clock that the test moves, and asynchronous invocations with their further attempts. */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createAsynchronous, type DeadLetter } from '../../../../local/functions/asynchronous.ts';
import { type Scheduler, startScheduler } from '../../../../local/schedule/scheduler.ts';

beforeEach(() => {
  jest.useFakeTimers({ now: Date.UTC(2026, 2, 1) });
});
afterEach(() => {
  jest.useRealTimers();
});

describe('the scheduler', () => {
  let scheduler: Scheduler;
  const lines: string[] = [];
  const start = (minutes: number, run: () => Promise<void>): void => {
    const job = { name: 'job', periodMs: minutes * 60_000, run };
    scheduler = startScheduler([job], (line) => lines.push(line));
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
  const letters: DeadLetter[] = [];
  const lines: string[] = [];
  const attempts: string[] = [];
  beforeEach(() => {
    for (const list of [letters, lines, attempts]) list.length = 0;
  });
  const invoker = (
    failures: number,
    more: Partial<{ retryAttempts: number; eventAgeMs: number }> = {},
    ended = () => false,
  ) => {
    let left = failures;
    return createAsynchronous({
      model: { name: 'pump', retryAttempts: 2, eventAgeMs: 3_600_000, deadLetters: 'queue', ...more },
      async invoke(event) {
        attempts.push(`${event} ${(Date.now() - Date.UTC(2026, 2, 1)) / 1000}`);
        left -= 1;
        if (left >= 0) throw new Error('no luck');
      },
      now: Date.now,
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      ended,
      putAside: (letter) => letters.push(letter),
      report: (line) => lines.push(line),
    });
  };

  it('is tried again after one minute and after two', async () => {
    const done = invoker(2)('a');
    await jest.advanceTimersByTimeAsync(200_000);
    await done;
    expect(attempts).toEqual(['a 0', 'a 60', 'a 180']);
    expect([letters, lines]).toEqual([
      [],
      ['pump failed, retry in 60 s: no luck', 'pump failed, retry in 120 s: no luck'],
    ]);
  });

  it('becomes a dead letter when it failed permanently', async () => {
    const done = invoker(9)('a');
    await jest.advanceTimersByTimeAsync(200_000);
    await done;
    expect(attempts).toHaveLength(3);
    expect(letters).toEqual([
      { functionName: 'pump', queue: 'queue', event: 'a', attempts: 3, reason: 'no luck' },
    ]);
  });

  it('is not tried again when it would be too old by then', async () => {
    await invoker(9, { eventAgeMs: 59_999 })('a');
    expect([attempts.length, letters.length]).toEqual([1, 1]);
  });

  it('never runs beside another of the same function', async () => {
    const invoke = invoker(1, { retryAttempts: 1 });
    const both = Promise.all([invoke('a'), invoke('b')]);
    await jest.advanceTimersByTimeAsync(200_000);
    await both;
    expect(attempts).toEqual(['a 0', 'a 60', 'b 60']);
  });

  it('is given up without a word when the service ends', async () => {
    let ended = false;
    const done = invoker(9, {}, () => ended)('a');
    await jest.advanceTimersByTimeAsync(1000);
    ended = true;
    await jest.advanceTimersByTimeAsync(60_000);
    await done;
    expect([attempts.length, letters.length]).toEqual([1, 0]);
  });
});
