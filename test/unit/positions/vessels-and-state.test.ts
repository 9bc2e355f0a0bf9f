/** Who counts, which reports are fixes, and states that cannot be used. */

import { describe, expect, it } from '@jest/globals';
import { Engine, readState, UnusableState, writeState } from '../../../core/positions/engine.ts';
import { vesselClass, vesselIdentity } from '../../../core/positions/fix.ts';
import { DEGREE } from '../../../core/positions/geometry.ts';
import { fixAt, START } from './world.ts';

describe('vessel classes', () => {
  it.each([
    [70, 'cargo'],
    [89, 'cargo'],
    [1004, 'cargo'],
    [60, 'ferry'],
    [69, 'ferry'],
    [1012, 'ferry'],
    [0, 'unknown'],
    [30, 'other'],
    [52, 'other'],
    [90, 'other'],
  ])('AIS type %d is %s', (type, expected) => {
    expect(vesselClass(type)).toBe(expected);
  });

  it('takes an IMO number with a right check digit only', () => {
    const imoAfter = (imo: number) => {
      const engine = new Engine();
      engine.push(fixAt(0, { imo }));
      return engine.vessels.get(205_000_001)?.imo;
    };
    expect([9_307_839, 9_307_838, 1].map(imoAfter)).toEqual([9_307_839, 0, 0]);
    expect(vesselIdentity(636_021_061, 9_307_839)).toBe('imo:9307839');
    expect(vesselIdentity(636_021_061, 0)).toBe('mmsi:636021061');
  });

  it('changes a known class with the third type in a row that states another, repeated fixes apart', () => {
    const classAfter = (...types: readonly (readonly [number, number])[]) => {
      const engine = new Engine();
      for (const [minutes, vesselType] of types) engine.push(fixAt(minutes, { vesselType }));
      return engine.vessels.get(205_000_001)?.class;
    };
    expect(classAfter([0, 0], [1, 31])).toBe('other');
    expect(classAfter([0, 70], [1, 31], [2, 31])).toBe('cargo');
    expect(classAfter([0, 70], [1, 31], [2, 31], [2, 31])).toBe('cargo');
    expect(classAfter([0, 70], [1, 31], [2, 0], [3, 31], [4, 52])).toBe('other');
    expect(classAfter([0, 70], [1, 31], [2, 31], [3, 80], [4, 31])).toBe('cargo');
    expect(classAfter([0, 70], [1, 31], [2, 31], [3, 60], [4, 31])).toBe('cargo');
    expect(classAfter([0, 52], [1, 70], [2, 70], [3, 70])).toBe('cargo');
  });

  it('follows no vessel that is neither cargo vessel nor ferry', () => {
    const engine = new Engine();
    engine.push(fixAt(0, { vesselType: 52 }));
    expect(engine.vessels.get(205_000_001)?.tracks).toEqual([]);
    expect(engine.counts.other).toBe(1);
  });
});

describe('the fix gate', () => {
  const latest = START / 1000 + 3600;
  it.each([
    ['an MMSI of a buoy', { mmsi: 993_672_001 }, 'mmsi'],
    ['an MMSI that is too short', { mmsi: 1_234_567 }, 'mmsi'],
    ['latitude 91', { latitude: 91 * DEGREE }, 'position'],
    ['longitude 181', { longitude: 181 * DEGREE }, 'position'],
    ['zero and zero', { latitude: 0, longitude: 0 }, 'position'],
    ['no number', { latitude: Number.NaN }, 'position'],
    ['the future', { time: START / 1000 + 7200 }, 'time'],
    ['no time', { time: Number.NaN }, 'time'],
  ] as const)('refuses and counts %s', (_name, changes, fault) => {
    const engine = new Engine({ latest });
    expect(engine.push(fixAt(0, changes))).toBe(fault);
    expect(engine.counts[fault]).toBe(1);
    expect(engine.vessels.size).toBe(0);
  });

  it('counts repeated and late fixes', () => {
    const engine = new Engine();
    for (const minutes of [0, 1, 2, 2, 15]) engine.push(fixAt(minutes));
    engine.push(fixAt(3));
    engine.push(fixAt(1));
    engine.flush();
    expect(engine.counts).toMatchObject({ taken: 5, repeated: 1, late: 1 });
  });
});

describe('a written state', () => {
  const engine = new Engine();
  for (let minutes = 0; minutes < 90; minutes += 1) engine.push(fixAt(minutes));
  const text = writeState(engine.vessels);

  it('reads back to the same bytes', () => {
    expect(writeState(readState(text))).toBe(text);
    const claimed = new Engine({ vessels: readState(text) });
    claimed.push(fixAt(91, { vesselType: 31 }));
    claimed.push(fixAt(92, { vesselType: 31 }));
    const continued = new Engine({ vessels: readState(writeState(claimed.vessels)) });
    expect(writeState(continued.vessels)).toBe(writeState(claimed.vessels));
    continued.push(fixAt(93, { vesselType: 31 }));
    expect(continued.vessels.get(205_000_001)?.class).toBe('other');
  });

  it.each([
    ['cut short', text.slice(0, text.length - 5)],
    ['empty', ''],
    ['of another engine', text.replace(/"engine":\d+/, '"engine":0')],
    ['with a vessel missing', `${text.split('\n')[0]}\n`],
    ['with a field missing', text.replace('"clockAhead":0,', '')],
  ])('is refused when it is %s', (_name, damaged) => {
    expect(() => readState(damaged)).toThrow(UnusableState);
  });
});
