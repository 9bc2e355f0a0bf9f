/** When schedules come due: rates, crons in UTC, and what is refused. */
import { describe, expect, it } from '@jest/globals';
import { readScheduleExpression } from '../../../../local/schedule/schedule-expression.ts';

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
