/** Episodes of alerts as they were raised: their steps, their ends, and that nothing that was raised is ever removed. */
import { describe, expect, it } from '@jest/globals';
import { evaluateAlerts } from '../../../core/metrics/alerts.ts';
import { FlowHours, stoppedShare } from '../../../core/metrics/closures.ts';
import type { Alert, DayFigures } from '../../../core/metrics/figures.ts';
import {
  closureOutcome,
  type Followed,
  followAlerts,
  type RaisedAlert,
} from '../../../core/metrics/raised-alerts.ts';
import { addDays, endOfDay, HOUR_MS, startOfDay } from '../../../core/reference/time.ts';
import { FLOW_BEGINS, flowDays, type Hourly } from '../../builders/flow-days.ts';

const FIRST = '2026-01-01';
const day = (count: number): string => addDays(FIRST, count);

const alertOf = (count: number, severity: Alert['severity'], changes: Partial<Alert> = {}): Alert => ({
  type: 'threshold',
  metric: 'avg_wait_hours',
  severity,
  changeFraction: 1,
  asOfAt: endOfDay(day(count)),
  explain: `wait of day ${count}`,
  ...changes,
});

/** Days with an average wait. */
const waits = (hours: readonly number[]): DayFigures[] =>
  hours.map((avgWaitHours, at) => ({ day: day(at), coverage: 1, vessels: 9, avgWaitHours, mostAtAnchor: 2 }));

/** Follows what the end of a day tells, half an hour later. */
const follow = (rows: readonly RaisedAlert[], count: number, changes: Partial<Followed>) =>
  followAlerts(rows, {
    alerts: [],
    fromDay: FIRST,
    series: [],
    asOfAt: endOfDay(day(count)),
    knownAt: endOfDay(day(count)) + HOUR_MS / 2,
    replayed: false,
    ...changes,
  }).rows;

describe('an episode', () => {
  it('is one row, with the steps that it reached, until it clears', () => {
    let rows = follow([], 3, { alerts: [alertOf(3, 'low')], series: waits([9, 9, 17, 17]) });
    rows = follow(rows, 5, { alerts: [alertOf(5, 'high')], series: waits([9, 9, 17, 17, 60, 60]) });
    const open = follow(rows, 6, { alerts: [alertOf(5, 'high')], series: waits([9, 9, 17, 17, 60, 60, 40]) });
    expect(open).toEqual(rows);
    const series = waits([9, 9, 17, 17, 60, 60, 40, 12, 20]);
    const over = follow(open, 7, { alerts: [alertOf(5, 'high')], series: series.slice(0, 8) });
    expect(over).toEqual([
      {
        type: 'threshold',
        metric: 'avg_wait_hours',
        steps: [
          { knownAt: endOfDay(day(3)) + HOUR_MS / 2, asOfAt: endOfDay(day(3)), severity: 'low' },
          { knownAt: endOfDay(day(5)) + HOUR_MS / 2, asOfAt: endOfDay(day(5)), severity: 'high' },
        ],
        changeFraction: 1,
        explain: 'wait of day 3',
        overAt: endOfDay(day(7)),
        overKnownAt: endOfDay(day(7)) + HOUR_MS / 2,
      },
    ]);
    expect(follow(over, 8, { alerts: [alertOf(5, 'high')], series })).toEqual(over);
    const second = follow(over, 9, { alerts: [alertOf(5, 'high'), alertOf(9, 'low')], series });
    expect(second.map(({ steps }) => steps.length)).toEqual([2, 1]);
  });

  it('of a running day is one row at every observation, and is withdrawn where its wait falls back', () => {
    const at = (hours: number) => startOfDay(day(4)) + hours * HOUR_MS;
    const alertAt = (hours: number, severity: Alert['severity']) =>
      alertOf(4, severity, { type: 'unusual', asOfAt: at(hours) });
    const pass = (rows: readonly RaisedAlert[], hours: number, alerts: readonly Alert[]) =>
      follow(rows, 4, { alerts, fromDay: day(4), asOfAt: at(hours), knownAt: at(hours) });
    let rows = pass([], 8, [alertAt(8, 'low')]);
    rows = pass(rows, 9, [alertAt(9, 'low')]);
    expect(rows.map(({ steps }) => steps.length)).toEqual([1]);
    rows = pass(rows, 10, [alertAt(10, 'high')]);
    expect(rows[0]?.steps.map(({ severity }) => severity)).toEqual(['low', 'high']);
    rows = pass(rows, 11, []);
    expect(rows).toMatchObject([{ withdrawnAt: at(11), withdrawal: 'fell_back' }]);
    expect(pass(rows, 12, [alertAt(12, 'low')])).toHaveLength(2);
  });

  it('is withdrawn where later replies change what it rested on, and falls a step where they change a part', () => {
    const rows = follow([], 3, { alerts: [alertOf(3, 'medium')], series: waits([9, 9, 25, 25]) });
    const gone = follow(rows, 4, { series: waits([9, 9, 9, 9, 9]) });
    expect(gone).toMatchObject([{ withdrawal: 'revised', withdrawnAt: endOfDay(day(4)) + HOUR_MS / 2 }]);
    const less = follow(rows, 4, { alerts: [alertOf(3, 'low')], series: waits([9, 9, 17, 17, 17]) });
    expect(less[0]?.steps.map(({ severity }) => severity)).toEqual(['medium', 'low']);
    expect(follow(less, 5, { alerts: [alertOf(3, 'low')], series: waits([9, 9, 17, 17, 17]) })).toEqual(less);
  });

  it('stays as it was raised while its port is recomputed', () => {
    const alerts = [alertOf(3, 'low')];
    const series = waits([9, 9, 17, 17, 9]);
    const raised = follow(follow([], 3, { alerts, series: series.slice(0, 4) }), 4, { alerts, series });
    let rows = follow(raised, 2, { series: series.slice(0, 3) });
    rows = follow(rows, 3, { alerts, series: series.slice(0, 4) });
    expect(follow(rows, 4, { alerts, series })).toEqual(raised);
    const withdrawn = follow(follow([], 3, { alerts }), 5, {});
    expect(follow(withdrawn, 3, { alerts })).toEqual(withdrawn);
  });

  it('ends before one that begins later, though a single pass raises both', () => {
    const series = waits([9, 9, 17, 17, 9, 9, 17, 17]);
    const rows = follow([], 7, { alerts: [alertOf(7, 'low'), alertOf(3, 'low')], series });
    expect(rows).toMatchObject([{ overAt: endOfDay(day(4)) }, { explain: 'wait of day 7' }]);
    expect(rows.map(({ steps }) => steps.length)).toEqual([1, 1]);
  });

  it('of a level shift is over as soon as it is raised', () => {
    const shift = alertOf(3, 'medium', { type: 'change_point' });
    expect(follow([], 3, { alerts: [shift] })).toMatchObject([{ overAt: endOfDay(day(3)) }]);
  });

  it('of an archive is marked', () => {
    expect(follow([], 3, { alerts: [alertOf(3, 'low')], replayed: true })).toMatchObject([
      { replayed: true },
    ]);
  });
});

describe('an episode of a closure', () => {
  /** Two berthings an hour, none in the hours `[960, 990)`, nothing known in `unknown`. */
  const rowsAt = (hours: number, unknown: readonly [number, number] = [0, 0]): DayFigures[] => {
    const closed: Hourly = (hour) => {
      if (hour >= unknown[0] && hour < unknown[1]) return undefined;
      return hour >= 960 && hour < 990 ? Number(hour === 965) : 2;
    };
    const rows = flowDays(hours, closed);
    const flow = new FlowHours(rows);
    return rows.map((row, at) => {
      const stopped = stoppedShare(flow, Math.min(hours, (at + 1) * 24));
      return stopped === undefined ? row : { ...row, stoppedShare: stopped };
    });
  };
  const at = (hours: number): number => startOfDay(FLOW_BEGINS) + hours * HOUR_MS;

  /** One pass an hour. */
  function followHours(toHour: number, unknown?: readonly [number, number]): readonly RaisedAlert[] {
    let rows: readonly RaisedAlert[] = [];
    for (let hours = 960; hours <= toHour; hours += 1) {
      const series = rowsAt(hours, unknown);
      const span = { asOfAt: at(hours), fromDay: FLOW_BEGINS };
      const alerts = evaluateAlerts(series, span).filter(({ metric }) => metric === 'berthings');
      const pass = { ...span, alerts, series, knownAt: at(hours) + 1, replayed: false };
      rows = followAlerts(rows, pass).rows;
    }
    return rows;
  }

  it('keeps `since` as first stated, and gets its beginning once twelve hours of it are over', () => {
    expect(followHours(971)).toMatchObject([{ sinceAt: at(966) }]);
    expect(followHours(971)[0]).not.toHaveProperty('beganAt');
    expect(followHours(972)).toMatchObject([{ sinceAt: at(966), beganAt: at(960) }]);
  });

  it('ends with the return of the berthings, which is known 24 hours later', () => {
    expect(followHours(1017)[0]).not.toHaveProperty('overKnownAt');
    expect(followHours(1018)).toMatchObject([{ overAt: at(994), overKnownAt: at(1018) + 1 }]);
  });

  it('has no end where an hour is unknown, and is followed no further', () => {
    const [lost, ...more] = followHours(985, [980, 1100]);
    expect(more).toEqual([]);
    expect(lost).toMatchObject({ beganAt: at(960), overKnownAt: at(981) + 1 });
    expect(lost).not.toHaveProperty('overAt');
  });
});

describe('the outcome of a closure', () => {
  const row: RaisedAlert = {
    type: 'unusual',
    metric: 'berthings',
    steps: [{ knownAt: 0, asOfAt: endOfDay(day(60)) - 6 * HOUR_MS, severity: 'medium' }],
    changeFraction: -1,
    explain: '',
  };
  const rows = (...last: readonly (number | undefined)[]): DayFigures[] =>
    [...Array.from({ length: 60 }, () => 10), ...last].map((dayBerthings, at) => ({
      day: day(at),
      coverage: 1,
      vessels: 9,
      ...(dayBerthings !== undefined && { dayBerthings }),
    }));

  it.each([
    ['confirmed', [4, 9, 9]],
    ['confirmed', [9, 5]],
    ['false', [6, 9, 9]],
    [undefined, [6, 9]],
    [undefined, [6, undefined, 9]],
  ])('is %s after %j', (outcome, last) => {
    expect(closureOutcome(row, rows(...last))).toBe(outcome);
  });

  it('is none of another alert', () => {
    expect(closureOutcome({ ...row, metric: 'at_anchor' }, rows(0, 0, 0))).toBeUndefined();
  });
});
