/** Losses found, their delay, and alerts without a cyclone, on one port with made-up counts. */
import { describe, expect, it } from '@jest/globals';
import { daysBetween } from '../../../core/reference/time.ts';
import { only } from '../../../test/builders/source-replies.ts';
import { alertsOf, alertsOfAll, lowestDay, studyPorts } from './study.ts';
import type { CyportTables, Passage } from './tables.ts';

const DAYS = daysBetween('2016-01-09', '2016-12-17');
const YEARS = { from: '2016-01-01', to: '2019-12-31' };

const passage = (fields: Partial<Passage> = {}): Passage => ({
  port: '1',
  name: 'Example, TX',
  from: '2016-09-01',
  to: '2016-09-03',
  loss: 0.8,
  lossOn: '2016-09-02',
  recoveredOn: '2016-09-05',
  ...fields,
});

/** A port with ten vessels a day, but on the days of `low`. */
function study(low: Readonly<Record<string, number>>, passages: readonly Passage[] = [passage()]) {
  const tables: CyportTables = {
    days: DAYS,
    ports: [{ port: '1', counts: DAYS.map((day) => low[day] ?? 10) }],
    passages,
  };
  return only(studyPorts(tables, YEARS));
}

describe('a loss', () => {
  it('is found by an alert of its days, and late by the days since the day of the loss', () => {
    const found = (day: string) => only(alertsOf(study({ [day]: 2 }), 0.25).losses).delayDays;
    expect(['2016-08-31', '2016-09-01', '2016-09-02', '2016-09-04'].map(found)).toEqual([-2, -1, 0, 2]);
    expect(['2016-08-30', '2016-09-05'].map(found)).toEqual([undefined, undefined]);
  });

  it('of a part is found at half, not at a quarter', () => {
    const port = study({ '2016-09-02': 4 });
    expect([0.25, 0.5].map((share) => only(alertsOf(port, share).losses).delayDays)).toEqual([undefined, 0]);
    const loss = only(port.losses);
    expect(lowestDay(port, loss)?.share).toBe(0.4);
  });

  it('that the authors state for two cyclones is one', () => {
    const { losses } = study({}, [passage(), passage({ from: '2016-09-04', to: '2016-09-06', loss: 0.9 })]);
    const at = DAYS.indexOf('2016-09-02');
    expect(only(losses)).toMatchObject({ size: 0.9, lossOn: at, span: { from: at - 2, to: at + 5 } });
  });

  it('of 0, of a day that is not known and of other years does not count', () => {
    const none = passage({ loss: 0, lossOn: undefined, recoveredOn: undefined });
    const early = passage({ from: '2016-02-01', to: '2016-02-02', lossOn: '2016-02-02' });
    const before = passage({ from: '2015-09-01', to: '2015-09-02', lossOn: '2015-09-02' });
    expect(study({}, [none, early, before]).losses).toEqual([]);
  });
});

describe('an alert', () => {
  it('without a cyclone near is false, once for days in a row', () => {
    const far = study({ '2016-10-10': 2, '2016-10-12': 2, '2016-11-10': 2 });
    expect(alertsOf(far, 0.25)).toMatchObject({ falseAlerts: 2, nearAlerts: 0 });
  });

  it('near a cyclone is neither, until a week after the port has recovered', () => {
    const alerts = (day: string) => {
      const { falseAlerts, nearAlerts } = alertsOf(study({ [day]: 2 }), 0.25);
      return [falseAlerts, nearAlerts];
    };
    expect(alerts('2016-08-25')).toEqual([0, 1]);
    expect(alerts('2016-09-12')).toEqual([0, 1]);
    expect(alerts('2016-09-13')).toEqual([1, 0]);
    expect(alerts('2016-08-24')).toEqual([1, 0]);
    expect(alerts('2016-09-02')).toEqual([0, 0]);
  });

  it('is counted over the days that are judged and calm', () => {
    const judged = DAYS.length - 180;
    expect(alertsOf(study({}, []), 0.25).calmDays).toBe(judged);
    const near = 7 + 5 + 7; // 25 August to 12 September
    expect(alertsOf(study({}), 0.25).calmDays).toBe(judged - near);
  });

  it('of several ports adds up', () => {
    const ports = [study({ '2016-09-02': 2 }), study({ '2016-10-10': 2 })];
    const all = alertsOfAll(ports, 0.25);
    expect(all.losses.map(({ delayDays }) => delayDays)).toEqual([0, undefined]);
    expect(all.falseAlerts).toBe(1);
  });
});
