/** Closures, queues and quiet days of simulated ports: a part of what the accuracy page measures. */
import { describe, expect, it } from '@jest/globals';
import {
  BAR,
  QUEUE_BERTHS,
  quietAlerts,
  STUDIED_PORTS,
  studyClosure,
  studyQueue,
} from '../../../accuracy/disruption-study.ts';
import { extent } from '../../builders/extent.ts';

/** Ports with eight calls a day and more. */
const PORTS = STUDIED_PORTS.filter(({ port }) => port !== 'FIHEL');
const studied = extent(PORTS.slice(4, 5), PORTS);

describe('a simulated port', () => {
  it('has an alert within a day of a closure, and a score that rises and returns', () => {
    for (const [i, port] of studied.entries()) {
      const { hoursToAlert, rise, returned } = studyClosure(port, 1, [24, 48, 72][i % 3] ?? 24);
      expect(hoursToAlert).toBeLessThanOrEqual(BAR.hours);
      expect(rise).toBeGreaterThanOrEqual(BAR.rise);
      expect(returned).toBe(true);
    }
  });

  it('of five calls a day has an alert within a day of a closure', () => {
    const { hoursToAlert, metrics } = studyClosure({ port: 'FIHEL' }, 2, 24);
    expect(hoursToAlert).toBeLessThanOrEqual(BAR.hours);
    expect(metrics).toEqual(['berthings']);
  });

  it('has an alert within a day of a queue', () => {
    for (const port of studied)
      for (const share of extent(QUEUE_BERTHS.slice(0, 1), QUEUE_BERTHS))
        expect(studyQueue(port, 1, share)?.hoursToAlert).toBeLessThanOrEqual(BAR.hours);
  });

  it('has at most one alert a quarter where nothing changes', () => {
    const quiet = studied.map((port) => quietAlerts(port, 2, extent(300, 500)));
    const alerts = quiet.reduce((sum, of) => sum + of.alerts.length, 0);
    expect(alerts / quiet.reduce((sum, of) => sum + of.portQuarters, 0)).toBeLessThanOrEqual(1);
  });
});
