/** Closures of a port: their alerts, each as of the hour at which it was known, and since when berthings have stopped. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { evaluateAlerts } from '../../../core/metrics/alerts.ts';
import { closuresOf, FlowHours, stoppedShare, stoppedSince } from '../../../core/metrics/closures.ts';
import type { Alert, DayFigures } from '../../../core/metrics/figures.ts';
import { DAY_MS, dayOf, HOUR_MS, startOfDay } from '../../../core/reference/time.ts';
import { extent } from '../../builders/extent.ts';
import { FLOW_BEGINS, flowDays, HOURS, type Hourly } from '../../builders/flow-days.ts';

const CLOSED = 40 * HOURS;
const BEGAN_AT = startOfDay(FLOW_BEGINS);
const at = (hour: number): number => BEGAN_AT + hour * HOUR_MS;

/** Two berthings an hour, but for the spans `[from, to)` of hours after `CLOSED`, without any. */
const without =
  (...spans: readonly (readonly [number, number])[]): Hourly =>
  (hour) =>
    spans.some(([from, to]) => hour >= CLOSED + from && hour < CLOSED + to) ? 0 : 2;

/** The rows that the day figures have when `until` hours are over. */
function rowsAt(until: number, berthings: Hourly): DayFigures[] {
  const rows = flowDays(until, berthings);
  const flow = new FlowHours(rows);
  return rows.map((row, day) => {
    const share = stoppedShare(flow, Math.min(until, (day + 1) * HOURS));
    return share === undefined ? row : { ...row, stoppedShare: share };
  });
}

const alertsAt = (until: number, berthings: Hourly, fromDay?: string): Alert[] =>
  evaluateAlerts(rowsAt(until, berthings), {
    asOfAt: at(until),
    ...(fromDay !== undefined && { fromDay }),
  }).filter(({ metric }) => metric === 'berthings');
const omitBeginning = ({ beganAt: _, ...alert }: Alert): Alert => alert;
const stated = (alerts: readonly Alert[]): string[] =>
  alerts
    .map(({ severity, asOfAt }) => `${severity} ${(asOfAt - at(CLOSED)) / HOUR_MS}`)
    .sort((a, b) => Number(a.split(' ')[1]) - Number(b.split(' ')[1]));

describe('a closure', () => {
  it('has a medium alert as soon as chance is ruled out, and a high one after a day', () => {
    const closed = without([0, 60]);
    expect(stated(alertsAt(CLOSED + 5, closed))).toEqual([]);
    expect(stated(alertsAt(CLOSED + 6, closed))).toEqual(['medium 6']);
    expect(stated(alertsAt(CLOSED + 21, closed))).toEqual(['medium 6']);
    expect(stated(alertsAt(CLOSED + 96, closed))).toEqual(['medium 6', 'high 22']);
    expect(alertsAt(CLOSED + 12, closed)).toEqual([
      {
        type: 'unusual',
        metric: 'berthings',
        severity: 'medium',
        changeFraction: -1,
        asOfAt: at(CLOSED + 6),
        explain:
          'berthings 0 in 6 hours, 12 is usual in these hours (median of the 28 days before): the flow is broken, and the score says so.',
        beganAt: at(CLOSED),
      },
    ]);
  });

  it('states its beginning in its alerts once twelve hours of it are over', () => {
    const closed = without([0, 60]);
    const began = (until: number) => alertsAt(CLOSED + until, closed).map(({ beganAt }) => beganAt);
    expect([began(11), began(12), began(30)]).toEqual([[undefined], [at(CLOSED)], [at(CLOSED), at(CLOSED)]]);
  });

  it('raises no second alert where it goes on after an opening of less than a day, and one where it is another', () => {
    expect(stated(alertsAt(CLOSED + 40, without([0, 12], [20, 30])))).toEqual(['medium 6']);
    expect(stated(alertsAt(CLOSED + 90, without([0, 12], [60, 72])))).toEqual(['medium 6', 'medium 66']);
  });

  it('is not hidden by a hole in the data before it, which raises no alert itself', () => {
    const holed: Hourly = (hour) =>
      hour >= CLOSED - 72 && hour < CLOSED - 48 ? undefined : without([0, 30])(hour);
    expect(stated(alertsAt(CLOSED + 30, holed))).toEqual(['medium 6', 'high 22']);
    expect(stated(alertsAt(CLOSED, holed))).toEqual([]);
  });

  it('is the same hour by hour as all at once, and by the days from which alerts are evaluated', () => {
    const span = fc.tuple(fc.integer({ min: -200, max: 100 }), fc.integer({ min: 1, max: 60 }));
    fc.assert(
      fc.property(fc.array(span, { maxLength: 4 }), fc.nat(130), (spans, hour) => {
        const closed = without(...spans.map(([from, hours]) => [from, from + hours] as const));
        const until = CLOSED + 130;
        const known = alertsAt(CLOSED + hour, closed);
        const final = alertsAt(until, closed).filter(({ asOfAt }) => asOfAt <= at(CLOSED + hour));
        const isKnown = (alert: Alert): boolean =>
          at(CLOSED + hour) >= (alert.beganAt ?? Infinity) + 12 * HOUR_MS;
        expect(known).toEqual(final.map((alert) => (isKnown(alert) ? alert : omitBeginning(alert))));
        const today = dayOf(at(CLOSED + hour));
        expect(alertsAt(CLOSED + hour, closed, today)).toEqual(
          known.filter(({ asOfAt }) => asOfAt > startOfDay(today)),
        );
      }),
      { numRuns: extent(6, 200) },
    );
  });
});

describe('the chain of a closure', () => {
  /** Beginning, end and loss in hours after `CLOSED`, as known when `until` are over. */
  const chains = (until: number, berthings: Hourly) => {
    const hours = (instant: number | undefined) =>
      instant === undefined ? undefined : (instant - at(CLOSED)) / HOUR_MS;
    return closuresOf(rowsAt(CLOSED + until, berthings), at(CLOSED + until)).map(
      ({ beganAt, endedAt, lostAt }) => [hours(beganAt), hours(endedAt), hours(lostAt)],
    );
  };

  it('ends when berthings are back and no broken hour follows within 24 hours', () => {
    const closed = without([0, 30]);
    expect([33, 34, 57, 58, 90].map((until) => chains(until, closed))).toEqual([
      [[0, undefined, undefined]],
      [[0, undefined, undefined]],
      [[0, undefined, undefined]],
      [[0, 34, undefined]],
      [[0, 34, undefined]],
    ]);
  });

  it('goes on after a return shorter than 24 hours, and is another closure after a longer one', () => {
    // Berthings are back at hour 16; the second stop is found six hours after it began.
    expect(chains(120, without([0, 12], [33, 50]))).toEqual([[0, 54, undefined]]);
    expect(chains(120, without([0, 12], [34, 50]))).toEqual([
      [0, 16, undefined],
      [34, 54, undefined],
    ]);
  });

  it('has no end once an hour is unknown, during the stop or within 24 hours of the return', () => {
    const unknownFrom =
      (hour: number): Hourly =>
      (at) =>
        at >= CLOSED + hour && at < CLOSED + hour + 3 ? undefined : without([0, 30])(at);
    // The stop goes on after the unknown hours, as another closure.
    expect(chains(120, unknownFrom(20))).toEqual([
      [0, undefined, 20],
      [23, 34, undefined],
    ]);
    expect(chains(120, unknownFrom(57))).toEqual([[0, undefined, 57]]);
    expect(chains(120, unknownFrom(58))).toEqual([[0, 34, undefined]]);
  });
});

describe('since when berthings have stopped', () => {
  const sinceAt = (until: number, berthings: Hourly): number | undefined => {
    const since = stoppedSince(rowsAt(until, berthings), at(until));
    return since === undefined ? undefined : (since - at(CLOSED)) / HOUR_MS;
  };

  it('is the hour after the last berthing, from the first alert to the reopening', () => {
    const closed = without([0, 30]);
    expect([5, 6, 12, 24, 30, 33, 34, 60].map((after) => sinceAt(CLOSED + after, closed))).toEqual([
      undefined,
      0,
      0,
      0,
      0,
      0,
      undefined,
      undefined,
    ]);
  });

  it('is that before the first twelve hours with at most a tenth of the usual number', () => {
    const trickling: Hourly = (hour) => (hour === CLOSED + 5 ? 1 : without([0, 30])(hour));
    expect([11, 12, 20].map((after) => sinceAt(CLOSED + after, trickling))).toEqual([6, 0, 0]);
  });

  it('is null during a return, and then the beginning of the closure again', () => {
    const closed = without([0, 12], [20, 40]);
    expect([15, 16, 25, 26, 40, 44].map((after) => sinceAt(CLOSED + after, closed))).toEqual([
      0,
      undefined,
      undefined,
      0,
      0,
      undefined,
    ]);
  });

  it('moves back alone, and no more once twelve hours of it are over', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.integer({ min: 0, max: 9 }).map((n) => (n > 8 ? 1 : 0)),
          { minLength: 40, maxLength: 40 },
        ),
        (trickle) => {
          const closed: Hourly = (hour) =>
            hour >= CLOSED && hour < CLOSED + 40 ? (trickle[hour - CLOSED] ?? 0) : 2;
          const stated = Array.from({ length: 40 }, (_, hour) => hour + 1).flatMap((hour) => {
            const since = sinceAt(CLOSED + hour, closed);
            return since === undefined ? [] : { hour, since };
          });
          const sinces = stated.map(({ since }) => since);
          expect(sinces).toEqual(sinces.toSorted((a, b) => b - a));
          for (const { hour, since } of stated) if (hour >= since + 12) expect(since).toBe(sinces.at(-1));
        },
      ),
      { numRuns: extent(3, 100) },
    );
  });

  it('is not known where nothing is known of the newest hour', () => {
    const closed: Hourly = (hour) => (hour >= CLOSED + 20 ? undefined : without([0, 30])(hour));
    expect([20, 21].map((after) => sinceAt(CLOSED + after, closed))).toEqual([0, undefined]);
  });

  it('looks at no more than the days that it needs', () => {
    const rows = rowsAt(CLOSED + 10, without([0, 30]));
    expect(stoppedSince(rows, at(CLOSED + 10) + DAY_MS / 25)).toBe(at(CLOSED));
  });
});
