/** Waits that may not have been received in full: a vessel first received under way, and one that is silent on its way. */
import { describe, expect, it } from '@jest/globals';
import { type Fix, POLL_PARAMETERS } from '../../../core/positions/fix.ts';
import { outagesIn, outsideReach, receptionAfter } from '../../../core/positions/reception.ts';
import { toRecords } from '../../../core/positions/vessel-calls.ts';
import { HOUR_MS } from '../../../core/reference/time.ts';
import { stayParts } from '../../worlds/traffic/engine-run.ts';
import { engineAfter, fixAt, LOS_ANGELES, START } from './world.ts';

const PARTS = stayParts([LOS_ANGELES], POLL_PARAMETERS);
const BOX = { south: 33.4, west: -118.6, north: 34.1, east: -117.8, ports: ['USLAX'], neighbours: [] };
const isOutside = outsideReach([BOX], PARTS.ports);
const BERTH = { latitude: 3_373_500, longitude: -11_826_500 };
const ROADSTEAD = { ...BERTH, latitude: BERTH.latitude - 3 * 1666 };

/** Under way at 12 knots from `miles` to `until` miles south of the berth, due at the berth at minute `arriving`. */
const inbound = (arriving: number, miles: number, until = 0): Fix[] =>
  Array.from({ length: miles - until }, (_, index) => {
    const left = miles - index;
    return fixAt(arriving - 5 * (left - until), {
      ...BERTH,
      latitude: BERTH.latitude - left * 1666,
      speed: 120,
    });
  });
const lying = (from: number, to: number, place: typeof BERTH): Fix[] =>
  Array.from({ length: (to - from) / 5 }, (_, index) => {
    const turn = place === BERTH ? 0 : Math.sin(index / 18);
    const latitude = place.latitude + Math.round(250 * turn);
    return fixAt(from + 5 * index, { ...place, latitude, speed: 1, heading: Math.floor(90 + 80 * turn) });
  });

/** The calls as they are at the end, where the port is covered without a break from the hour on. */
function callsOf(fixes: readonly Fix[], coveredFromHour: number) {
  const last = fixes.at(-1)?.time ?? 0;
  const covered = { fromAt: START + coveredFromHour * HOUR_MS, toAt: last * 1000 };
  const receptions = { USLAX: receptionAfter({}, covered) };
  const outages = outagesIn([BOX], receptions, last * 1000);
  const engine = engineAfter(fixes, { parameters: POLL_PARAMETERS, outages, isOutside });
  const vessels = [...engine.vessels.values()];
  return vessels.flatMap((vessel) => toRecords(vessel, last, PARTS)).map(({ record }) => record);
}
const callOf = (fixes: readonly Fix[], coveredFromHour: number) => callsOf(fixes, coveredFromHour)[0];

const HOUR = 60;
const [FIRST_DAY, LATER] = [0, -48];

describe('the wait of a vessel', () => {
  it('first received under way in the port is unknown on the first day of the port', () => {
    const fixes = [...inbound(2 * HOUR, 6), ...lying(2 * HOUR, 8 * HOUR, BERTH)];
    expect(callOf(fixes, FIRST_DAY)).toMatchObject({ waitKnown: false });
    expect(callOf(fixes, FIRST_DAY)).not.toHaveProperty('ataInferred');
    // Two days later it would have been received in port before, had it been there.
    expect(callOf(fixes, LATER)).not.toHaveProperty('waitKnown');
  });

  it('that then anchors in the port is unknown too', () => {
    const fixes = [
      ...inbound(2 * HOUR, 6, 3),
      ...lying(2 * HOUR, 7 * HOUR, ROADSTEAD),
      ...inbound(8 * HOUR, 2),
      ...lying(8 * HOUR, 14 * HOUR, BERTH),
    ];
    expect(callOf(fixes, FIRST_DAY)).toMatchObject({ waitKnown: false });
  });

  it('received arriving from the border of the box, or from further out than ports reach, is known on the first day', () => {
    for (const miles of [17, 25]) {
      const fixes = [...inbound(3 * HOUR, miles), ...lying(3 * HOUR, 8 * HOUR, BERTH)];
      expect(callOf(fixes, FIRST_DAY)).not.toHaveProperty('waitKnown');
    }
  });

  it('that calls again after a stay that was received to its end is known', () => {
    const [left, back] = [8 * HOUR, 22 * HOUR];
    const underWay = Array.from({ length: (back - left) / 5 - 2 }, (_, index) => {
      const miles = 5 - Math.abs((index % 8) - 4);
      return fixAt(left + 5 * index, { ...BERTH, latitude: BERTH.latitude - miles * 1666, speed: 120 });
    });
    const fixes = [
      ...inbound(2 * HOUR, 6),
      ...lying(2 * HOUR, left, BERTH),
      ...underWay,
      ...inbound(back, 2),
      ...lying(back, back + 3 * HOUR, BERTH),
    ];
    expect(callsOf(fixes, FIRST_DAY).map(({ waitKnown = true }) => waitKnown)).toEqual([false, true]);
  });

  it('that was silent on its way in for as long as the shortest wait is unknown', () => {
    const silentFor = (minutes: number) => [
      ...inbound(2 * HOUR, 20).slice(0, 14),
      ...inbound(2 * HOUR + minutes, 6),
      ...lying(2 * HOUR + minutes, 12 * HOUR, BERTH),
    ];
    expect(callOf(silentFor(2 * HOUR), LATER)).not.toHaveProperty('waitKnown');
    expect(callOf(silentFor(4 * HOUR), LATER)).toMatchObject({ waitKnown: false });
  });

  it('first received in the port five hours after it was received elsewhere is known', () => {
    const receivedAt = (miles: number) => [
      ...inbound(2 * HOUR, miles + 3, miles),
      ...inbound(7 * HOUR, 6),
      ...lying(7 * HOUR, 12 * HOUR, BERTH),
    ];
    expect(callOf(receivedAt(80), LATER)).not.toHaveProperty('waitKnown');
    expect(callOf(receivedAt(80), FIRST_DAY)).toMatchObject({ waitKnown: false });
    expect(callOf(receivedAt(14), LATER)).toMatchObject({ waitKnown: false });
  });

  it('that lies in the same place before and after a silence is known', () => {
    const fixes = [
      ...inbound(2 * HOUR, 20, 3),
      ...lying(2 * HOUR, 4 * HOUR, ROADSTEAD),
      ...lying(8 * HOUR, 11 * HOUR, ROADSTEAD),
      ...inbound(12 * HOUR, 2),
      ...lying(12 * HOUR, 15 * HOUR, BERTH),
    ];
    const call = callOf(fixes, FIRST_DAY);
    expect(call?.stops.map(({ zone }) => zone)).toEqual(['anchorage', 'berth']);
    expect(call).not.toHaveProperty('waitKnown');
  });
});
