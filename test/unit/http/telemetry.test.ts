/** What a request leaves in the log: its line, and the metrics that alarms watch. */
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { METRICS } from '../../../core/contracts/telemetry.ts';
import { createTelemetry } from '../../../core/http/telemetry.ts';

let written: string[] = [];
beforeEach(() => {
  written = [];
  for (const stream of [process.stdout, process.stderr])
    jest.spyOn(stream, 'write').mockImplementation((chunk) => {
      written.push(String(chunk));
      return true;
    });
});
afterEach(() => {
  jest.restoreAllMocks();
});

const lines = (): Record<string, unknown>[] =>
  written.flatMap((chunk) => chunk.trim().split('\n')).map((line) => JSON.parse(line));
const record = { requestId: 'id', operation: 'trend', durationMs: 1.26 };

it('counts a 429 as rate limited, and no other status', () => {
  const telemetry = createTelemetry();
  for (const status of [200, 304, 403, 422]) telemetry.request({ ...record, status });
  expect(lines().some((line) => METRICS.rateLimited in line)).toBe(false);
  telemetry.request({ ...record, status: 429, code: 'rate_limited' });
  expect(lines().filter((line) => METRICS.rateLimited in line)).toMatchObject([{ [METRICS.rateLimited]: 1 }]);
});

it('logs a 5xx as an error with its cause, everything else as information', () => {
  const telemetry = createTelemetry();
  telemetry.request({ ...record, status: 422, code: 'validation_failed' });
  telemetry.request({ ...record, status: 500, code: 'internal_error', cause: new Error('broken') });
  expect(lines()).toMatchObject([
    { level: 'INFO', message: 'request', status: 422, durationMs: 1.3 },
    { level: 'ERROR', message: 'request', status: 500, error: { message: 'broken' } },
  ]);
});

it('counts a limiter that decided without its table, and publishes it with the request', () => {
  const telemetry = createTelemetry();
  telemetry.limiterFailure('slow', new Error('no reply'));
  expect(lines()).toMatchObject([
    {
      level: 'WARN',
      message: 'the limiter decided without its table',
      kind: 'slow',
      error: { message: 'no reply' },
    },
  ]);
  telemetry.request({ ...record, status: 200 });
  expect(lines().filter((line) => METRICS.limiterFailure in line)).toMatchObject([
    { [METRICS.limiterFailure]: 1 },
  ]);
});
