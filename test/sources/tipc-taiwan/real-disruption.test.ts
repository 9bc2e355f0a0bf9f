/**
 * Score and alerts on six real months of Kaohsiung, with a day without a berthing among them. TIPC states no licence for
 * its lists, so none are in the repository: REAL_REPLIES names a folder that has them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { CallsObservation } from '../../../core/calls/observation.ts';
import { openLedger, type PortCall } from '../../../core/calls/port-call.ts';
import { applyObservation } from '../../../core/calls/reconstruct.ts';
import { evaluateAlerts } from '../../../core/metrics/alerts.ts';
import { dailySeries } from '../../../core/metrics/day-figures.ts';
import { addDays, type Day, daysBetween, startOfDay } from '../../../core/reference/time.ts';
import { parseTaiwan } from '../../../core/sources/tipc-taiwan/parse.ts';

const FOLDER = join(process.env.REAL_REPLIES ?? '', 'taiwan');
const MONTHS = ['01', '02', '03', '04', '05', '06'];
const pathOf = (direction: string, month: string): string =>
  join(FOLDER, month === '01' ? '' : 'months', `khh_${direction}port_expect_2025${month}.xml.gz`);
const isThere =
  process.env.REAL_REPLIES !== undefined && MONTHS.every((month) => existsSync(pathOf('in', month)));

/** Lists end with their month, and lack berthings of its last day. */
const CUT_SHORT = ['2025-01-31', '2025-02-28', '2025-03-31', '2025-04-30', '2025-05-31'];
/** The lunar new year, and the closure with the day after it. */
const isQuiet = (day: Day): boolean =>
  !CUT_SHORT.includes(day) &&
  !(day >= '2025-01-27' && day <= '2025-02-03') &&
  !(day >= '2025-06-12' && day <= '2025-06-16');

function callsOfMonth(month: string): readonly PortCall[] {
  const files = new Map(
    ['in', 'out'].map((direction) => [
      `${direction}-port-KHH.xml`,
      new Uint8Array(gunzipSync(readFileSync(pathOf(direction, month)))),
    ]),
  );
  const { observations } = parseTaiwan({ fetchedAt: Date.parse('2026-06-01T00:00:00Z'), files });
  return applyObservation(openLedger(), observations[0] as CallsObservation).changed;
}

function rowsOfMonths() {
  const calls = new Map<string, PortCall>();
  // A call of two months is whole in the one that has more of its legs.
  for (const call of MONTHS.flatMap(callsOfMonth))
    if (call.legs.length >= (calls.get(call.callId)?.legs.length ?? 0)) calls.set(call.callId, call);
  const [fromAt, asOfAt] = [startOfDay('2025-01-03'), startOfDay('2025-06-29')];
  const days = daysBetween('2025-01-03', '2025-06-28');
  return dailySeries({ days, calls: calls.values(), coverage: [{ fromAt, toAt: asOfAt }], asOfAt });
}

(isThere ? describe : describe.skip)('six real months of Kaohsiung (REAL_REPLIES)', () => {
  const rows = isThere ? rowsOfMonths() : [];
  const scoreOn = (day: Day): number => rows.find((row) => row.day === day)?.congestionScore ?? Number.NaN;

  it('has a score that rises by .15 on the day without a berthing, and is back a week after normal work', () => {
    expect(scoreOn('2025-06-13') - scoreOn('2025-06-11')).toBeGreaterThanOrEqual(0.15);
    expect(Math.abs(scoreOn('2025-06-22') - scoreOn('2025-06-11'))).toBeLessThanOrEqual(0.05);
  });

  it('has a score that moves by no more than .0077 from one quiet day to the next', () => {
    const moves = rows.slice(28).flatMap(({ day, congestionScore = 0 }) => {
      const eve = addDays(day, -1);
      return isQuiet(day) && isQuiet(eve) ? [Math.abs(congestionScore - scoreOn(eve))] : [];
    });
    expect(moves.reduce((sum, move) => sum + move, 0) / moves.length).toBeLessThanOrEqual(0.0077);
  });

  it('has an alert of the closure, of the lists cut short, and at most one other in a quarter', () => {
    const alerts = evaluateAlerts(rows, { asOfAt: startOfDay('2025-06-29') }).filter(
      ({ type }) => type === 'unusual',
    );
    const onDay = (day: Day) =>
      alerts.filter(({ asOfAt }) => asOfAt > startOfDay(day) && asOfAt <= startOfDay(addDays(day, 1)));
    // Two hours later than with notes of what the lists lack: here those days count as days without berthings.
    expect(onDay('2025-06-13')).toMatchObject([
      { metric: 'berthings', severity: 'high', asOfAt: Date.parse('2025-06-13T17:00:00Z') },
      { metric: 'berthings', severity: 'medium', asOfAt: Date.parse('2025-06-13T05:00:00Z') },
    ]);
    const expected = ['2025-06-13', ...CUT_SHORT].flatMap(onDay);
    expect(alerts.length - expected.length).toBeLessThanOrEqual(1);
  });
});
