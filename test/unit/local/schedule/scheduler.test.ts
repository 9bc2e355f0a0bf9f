/** When schedules come due and run, on a clock that the test moves, and asynchronous invocations with their further attempts. */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createAsynchronous, type DeadLetter } from '../../../../local/functions/asynchronous.ts';
import { readScheduleExpression } from '../../../../local/schedule/schedule-expression.ts';
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
  const start = (expression: string, run: () => Promise<void>): void => {
    scheduler = startScheduler([{ name: 'job', expression, run }], Date.now, (line) => lines.push(line));
  };
  afterEach(() => scheduler.stop());

  it('runs a job at its rate, first after one period', async () => {
    const runs: number[] = [];
    start('rate(5 minutes)', async () => void runs.push(Date.now()));
    await jest.advanceTimersByTimeAsync(4 * 60_000 + 59_999);
    expect(runs).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    await jest.advanceTimersByTimeAsync(10 * 60_000);
    expect(runs.map((at) => (at - Date.UTC(2026, 2, 1)) / 60_000)).toEqual([5, 10, 15]);
  });

  it('runs a job by its cron', async () => {
    const runs: string[] = [];
    start('cron(30 12 ? * MON *)', async () => void runs.push(new Date().toISOString()));
    await jest.advanceTimersByTimeAsync(9 * 24 * 3_600_000);
    expect(runs).toEqual(['2026-03-02T12:30:00.000Z', '2026-03-09T12:30:00.000Z']);
  });

  it('leaves a turn out while the last one is still running', async () => {
    const running: (() => void)[] = [];
    start('rate(1 minute)', () => new Promise((resolve) => running.push(resolve)));
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
    start('rate(1 minute)', async () => {
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
    start('rate(1 minute)', () => new Promise((resolve) => (finish = resolve)));
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

const at = (text: string): number => Date.parse(text);
const next = (expression: string, after: string): string | undefined => {
  const due = readScheduleExpression(expression)(at(after));
  return due === undefined ? undefined : new Date(due).toISOString().slice(0, 16);
};

describe('an expression', () => {
  it.each([
    ['rate(1 minute)', '2026-03-01T10:00:30Z', '2026-03-01T10:01'],
    ['rate(5 minutes)', '2026-03-01T10:00:00Z', '2026-03-01T10:05'],
    ['rate(2 hours)', '2026-03-01T23:00:00Z', '2026-03-02T01:00'],
    ['rate(1 day)', '2026-02-28T10:00:00Z', '2026-03-01T10:00'],
    ['cron(0 12 * * ? *)', '2026-03-01T12:00:00Z', '2026-03-02T12:00'],
    ['cron(0 12 * * ? *)', '2026-03-01T11:59:59Z', '2026-03-01T12:00'],
    ['cron(*/15 * * * ? *)', '2026-03-01T10:16:00Z', '2026-03-01T10:30'],
    ['cron(7/20 * * * ? *)', '2026-03-01T10:50:00Z', '2026-03-01T11:07'],
    ['cron(5,35 8-10 ? * MON-FRI *)', '2026-03-06T10:35:00Z', '2026-03-09T08:05'],
    ['cron(0 0 ? * 1 *)', '2026-03-02T00:00:00Z', '2026-03-08T00:00'],
    ['cron(0 0 1 JAN ? *)', '2026-01-01T00:00:00Z', '2027-01-01T00:00'],
    ['cron(0 0 29 2 ? *)', '2026-03-01T00:00:00Z', '2028-02-29T00:00'],
    ['cron(0 0 31 * ? *)', '2026-03-31T00:00:00Z', '2026-05-31T00:00'],
    ['cron(0 0 1 1 ? 2025)', '2026-01-01T00:00:00Z', undefined],
  ])('%s after %s', (expression, after, expected) => {
    expect(next(expression, after)).toBe(expected);
  });

  it.each([
    'rate(0 minutes)',
    'rate(5 weeks)',
    'rate(-1 minutes)',
    'rate(1.5 hours)',
    'at(2026-01-01T00:00:00)',
    'cron(0 12 * * *)',
    'cron(0 12 * * * *)',
    'cron(0 12 ? * ? *)',
    'cron(60 * * * ? *)',
    'cron(* 24 * * ? *)',
    'cron(0 0 L * ? *)',
    'cron(0 0 ? * 2#1 *)',
    'cron(0 0 1W * ? *)',
    'cron(0 0 ? * 0 *)',
    'cron(5-1 * * * ? *)',
    'cron(*/0 * * * ? *)',
    'cron(a * * * ? *)',
    '',
  ])('%s is refused', (expression) => {
    expect(() => readScheduleExpression(expression)).toThrow(
      `schedule expression ${expression} is not supported`,
    );
  });
});
