/** What a request leaves in the log: its line, and the metrics that alarms watch. */
import { beforeEach, expect, it } from '@jest/globals';
import { type Log, METRICS } from '../../../core/contracts/log.ts';
import { createTelemetry } from '../../../core/http/chain.ts';
import { readableLog } from '../../builders/readable-log.ts';

let lines: () => Record<string, unknown>[];
let log: Log;
beforeEach(() => {
  ({ log, lines } = readableLog());
});

const record = { requestId: 'id', operation: 'trend', durationMs: 1.26 };

it('counts a 429 as rate limited, and no other status', () => {
  const telemetry = createTelemetry(log);
  for (const status of [200, 304, 403, 422]) telemetry.request({ ...record, status });
  expect(lines().some((line) => METRICS.rateLimited in line)).toBe(false);
  telemetry.request({ ...record, status: 429, code: 'rate_limited' });
  expect(lines().filter((line) => METRICS.rateLimited in line)).toMatchObject([{ [METRICS.rateLimited]: 1 }]);
});

it('logs a 5xx as an error with its cause, everything else as information', () => {
  const telemetry = createTelemetry(log);
  telemetry.request({ ...record, status: 422, code: 'validation_failed' });
  telemetry.request({ ...record, status: 500, code: 'internal_error', cause: new Error('broken') });
  expect(lines()).toMatchObject([
    { level: 'INFO', message: 'request', status: 422, durationMs: 1.3 },
    { level: 'ERROR', message: 'request', status: 500, error: { message: 'broken' } },
  ]);
});

it('counts a limiter that decided without its table', () => {
  createTelemetry(log).limiterFailure('slow', new Error('no reply'));
  expect(lines()).toMatchObject([
    {
      level: 'WARN',
      message: 'the limiter decided without its table',
      kind: 'slow',
      error: { message: 'no reply' },
    },
    { [METRICS.limiterFailure]: 1 },
  ]);
});
