/** Vessels that wait adrift or under little way, and slow ones that do not wait. */
import { describe, expect, it } from '@jest/globals';
import type { Fix } from '../../../core/positions/fix.ts';
import { KNOT } from '../../../core/positions/geometry.ts';
import { type Leg, sailing, staysAfter, textOf } from './paths.ts';
import { START } from './world.ts';

/** From sea at 12 knots for an hour, then the legs, then on at 12 knots for an hour. */
const between = (...legs: Leg[]): Leg[] => [
  { hours: 1, knots: 12, course: 0 },
  ...legs,
  { hours: 1, knots: 12, course: 0 },
];

const staysOn = (legs: readonly Leg[], changes: Partial<Fix> = {}): string[] =>
  textOf(staysAfter(sailing(legs, 5, changes)));

/** To and fro every hour, heading where it sails. */
const toAndFro = (hours: number, knots: number): Leg[] =>
  Array.from({ length: hours }, (_, hour) => ({ hours: 1, knots, course: hour % 2 === 0 ? 90 : 270 }));

describe('a vessel off a port', () => {
  it.each([0.8, 1.2, 1.6, 2])('waits adrift beam to the wind at %s kn', (knots) => {
    expect(staysOn(between({ hours: 8, knots, course: 60, heading: 150 }))).toEqual(['wait 1-9']);
  });

  it('waits under little way, to and fro', () => {
    expect(staysOn(between(...toAndFro(8, 1.8)))).toEqual(['wait 1-9']);
  });

  it('has one wait where it drifts, anchors and drifts on', () => {
    const anchored = { hours: 4, knots: 0.2, course: 200, heading: 290 };
    const legs = [
      { hours: 3, knots: 1.4, course: 60, heading: 150 },
      anchored,
      { hours: 3, knots: 1.6, course: 100, heading: 10 },
    ];
    expect(staysOn(between(...legs))).toEqual(['wait 1-11']);
  });

  it('has one wait where it drags its anchor at more than a knot', () => {
    const lying = { hours: 3, knots: 0.3, course: 20, heading: 110 };
    const dragging = { hours: 0.5, knots: 1.5, course: 60, heading: 240 };
    expect(staysOn(between(lying, dragging, { ...lying, course: 250 }))).toEqual(['wait 1-8']);
  });

  it('has one wait where it is not received for fifty minutes of a drift', () => {
    const fixes = sailing(between({ hours: 8, knots: 1.4, course: 60, heading: 150 }), 5);
    const silent = ({ time }: Fix) => Math.abs(time - START / 1000 - 4.5 * 3600) < 25 * 60;
    expect(textOf(staysAfter(fixes.filter((fix) => !silent(fix))))).toEqual(['wait 1-9']);
  });

  it('waits until now while it drifts', () => {
    const legs = between({ hours: 6, knots: 1.5, course: 60, heading: 150 }).slice(0, -1);
    expect(staysOn(legs)).toEqual(['wait 1-']);
  });
});

describe('a vessel under way, however slow, does not wait', () => {
  it.each<[string, Leg[], Partial<Fix>]>([
    ['up a river against the stream', [{ hours: 8, knots: 2, course: 60 }], {}],
    ['towed at a knot and a half', [{ hours: 8, knots: 1.5, course: 60, heading: 70 }], {}],
    ['of unknown heading', [{ hours: 8, knots: 2, course: 60 }], { heading: -1 }],
    ['trawling to and fro', toAndFro(8, 3.2), {}],
    [
      'slowly into a lock, and half an hour in it',
      [
        { hours: 0.75, knots: 1.4, course: 312 },
        { hours: 0.5, knots: 0, course: 312 },
      ],
      { heading: -1 },
    ],
    ['waiting two hours for a pilot', [{ hours: 2, knots: 1.5, course: 60, heading: 150 }], {}],
  ])('%s', (_name, legs, changes) => {
    expect(staysOn(between(...legs), changes)).toEqual([]);
  });
});

describe('a vessel alongside', () => {
  it('has berthed when a slow approach from an anchorage ends', () => {
    const legs = [
      { hours: 5, knots: 0.3, course: 20, heading: 200 },
      { hours: 0.7, knots: 2, course: 60 },
      { hours: 6, knots: 0, course: 0, heading: 45 },
    ];
    expect(staysOn(between(...legs))).toEqual(['wait 1-6', 'berth 7-13']);
  });

  it('has berthed when it swings into its place and states under way', () => {
    const legs = [
      { hours: 0.25, knots: 0.5, course: 60, heading: 90 },
      { hours: 0.2, knots: 0.4, course: 150, heading: 130 },
      { hours: 12, knots: 0, course: 0, heading: 170 },
    ];
    expect(staysOn(between(...legs), { status: 0 })).toEqual(['berth 1-13']);
  });

  it('has berthed where it keeps its spot after a drift', () => {
    const legs = [
      { hours: 4, knots: 1.4, course: 60, heading: 150 },
      { hours: 6, knots: 0, course: 0, heading: 45 },
    ];
    expect(staysOn(between(...legs))).toEqual(['wait 1-5', 'berth 5-11']);
  });
});

it('the path of these tests keeps its speed', () => {
  const [first, second] = sailing([{ hours: 1, knots: 6, course: 0 }], 10);
  expect((second?.latitude ?? 0) - (first?.latitude ?? 0)).toBeCloseTo((600 * 6 * KNOT) / 1.11195, 0);
});
