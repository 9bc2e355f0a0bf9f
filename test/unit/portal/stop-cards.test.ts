/** Stops as they were known on a day, and what public pages report of them. */
import { describe, expect, it } from '@jest/globals';
import type { Stop } from '../../../core/contracts/published-files.ts';
import reported from '../../../portal/explorer/reported-events.json' with { type: 'json' };
import { reportedEvents, stopThen } from '../../../portal/explorer/stop-cards.ts';
import release from '../../../recordings/release/known-days.json' with { type: 'json' };

const stops = release.stops as readonly Stop[];
const RAGASA = stops.find(({ first_day }) => first_day === '2025-09-21') as Stop;

describe('a stop', () => {
  it('is not known before its alert', () => {
    expect(stopThen(RAGASA, '2025-09-21')).toBeUndefined();
  });

  it('on its first day has neither the lowest day nor the queue that came later', () => {
    expect(stopThen(RAGASA, '2025-09-22')).toMatchObject({
      isOpen: true,
      last_day: '2025-09-22',
      lowest: null,
      queue: null,
    });
    expect(stopThen(RAGASA, '2025-09-22')?.scores.at(-1)?.date).toBe('2025-09-22');
  });

  it('of every day says nothing of a later one', () => {
    for (const stop of stops)
      for (let at = Date.parse(stop.first_day); at < Date.parse('2025-10-04'); at += 86_400_000) {
        const day = new Date(at).toISOString().slice(0, 10);
        const then = stopThen(stop, day);
        const dates = [then?.last_day, then?.lowest?.date, then?.queue?.date, then?.scores.at(-1)?.date];
        for (const date of dates) expect((date ?? '') <= day).toBe(true);
      }
  });

  it('is whole for now, and over', () => {
    expect(stopThen(RAGASA, undefined)).toEqual({ ...RAGASA, isOpen: false });
    expect(stopThen(RAGASA, '2025-10-01')).toEqual({ ...RAGASA, isOpen: false });
  });
});

describe('what is reported', () => {
  it('is of the days of a stop, each with a page of those days', () => {
    for (const { port, first_day, last_day, published, address } of reported) {
      const of = stops.filter((stop) => reportedEvents(stop).some((event) => event.address === address));
      expect(of.map((stop) => stop.port)).toEqual([port]);
      expect(published >= first_day && Date.parse(published) - Date.parse(last_day) <= 86_400_000).toBe(true);
      expect(new URL(address).protocol).toBe('https:');
    }
    expect(stops.map((stop) => reportedEvents(stop).length)).toEqual(stops.map(() => 1));
  });

  it('is of no other port and no other day', () => {
    expect(reportedEvents({ ...RAGASA, port: 'TWTPE' })).toEqual([]);
    expect(reportedEvents({ ...RAGASA, first_day: '2025-09-27', last_day: '2025-09-28' })).toEqual([]);
  });
});
