/** Limits of what a poll may say of vessels that are known from the polls before it. */
import { describe, expect, it } from '@jest/globals';
import { Engine, type Vessel } from '../../../core/positions/engine.ts';
import { type Fix, POLL_PARAMETERS } from '../../../core/positions/fix.ts';
import { DEGREE, KNOT } from '../../../core/positions/geometry.ts';
import { missingFault, pollFault } from '../../../core/positions/plausibility.ts';
import { DAY_MS, type Day, endOfDay, MINUTE_MS, startOfDay } from '../../../core/reference/time.ts';
import { files } from '../../builders/geojson-feed.ts';
import { noaaAround } from '../../builders/narrowed-sources.ts';

const METRES_A_DEGREE = 111_195;
const VESSELS = 12;
const MINUTE = 60;
const BEGAN = 1_760_000_000;
const north = (metres: number): number => Math.round((metres / METRES_A_DEGREE) * DEGREE);

/** Vessels moored a kilometre from one another, each at its own heading. */
const pollAt = (time: number): Fix[] =>
  Array.from({ length: VESSELS }, (_, vessel) => ({
    mmsi: 200_000_000 + vessel,
    time,
    latitude: 55 * DEGREE + north(1000 * vessel),
    longitude: 10 * DEGREE + vessel,
    speed: 0,
    heading: (vessel * 30) % 360,
    status: 5,
    vesselType: 70,
    imo: 9_074_729,
  }));

/** What is known after two hours of polls every ten minutes. */
function known(): Map<number, Vessel> {
  const engine = new Engine({ parameters: POLL_PARAMETERS });
  for (let minute = 0; minute <= 120; minute += 10)
    for (const fix of pollAt(BEGAN + minute * MINUTE)) engine.push(fix);
  return engine.vessels;
}

type Change = (fix: Fix) => Partial<Fix>;

/** The next poll, with the first vessels altered. */
const reasonWith = (altered: number, change: Change, minutes = 10): string | undefined => {
  const poll = pollAt(BEGAN + (120 + minutes) * MINUTE);
  const fixes = poll.map((fix, vessel) => (vessel < altered ? { ...fix, ...change(fix) } : fix));
  return pollFault(fixes, known())?.reason;
};

const QUARTER = VESSELS / 4;
/** Further than a vessel at rest can have sailed in ten minutes: 500 m and 3 knots. */
const reach = 500 + 3 * KNOT * 10 * MINUTE;

describe('a poll in which vessels', () => {
  it.each<[string, Change, string]>([
    ['are elsewhere', (fix) => ({ latitude: fix.latitude + north(reach + 5) }), 'moved-vessels'],
    ['have turned at their berths', ({ heading }) => ({ heading: (heading + 31) % 360 }), 'turned-vessels'],
    ['have another type', () => ({ vesselType: 30 }), 'other-vessels'],
    ['have another IMO number', () => ({ imo: 9_321_483 }), 'other-vessels'],
    ['state an impossible speed', () => ({ speed: 1024 }), 'impossible-values'],
    ['state an impossible heading', () => ({ heading: 361 }), 'impossible-values'],
    ['state an impossible status', () => ({ status: 16 }), 'impossible-values'],
  ])('%s is refused above a quarter of them', (_, change, reason) => {
    expect([reasonWith(QUARTER, change), reasonWith(QUARTER + 1, change)]).toEqual([undefined, reason]);
  });

  it.each<[string, Change]>([
    ['are as far away as they can have sailed', (fix) => ({ latitude: fix.latitude + north(reach - 5) })],
    ['are faster and further away', (fix) => ({ speed: 150, latitude: fix.latitude + north(5000) })],
    ['turn by 29 degrees', ({ heading }) => ({ heading: (heading + 29) % 360 })],
    ['state that a value is not available', () => ({ speed: 1023, heading: 511, status: 15 })],
    ['state neither type nor IMO number', () => ({ vesselType: 0, imo: 0 })],
    [
      'are all repeated from the poll before',
      (fix) => ({ time: BEGAN + 120 * MINUTE, latitude: fix.longitude }),
    ],
  ])('%s is taken', (_, change) => {
    expect(reasonWith(VESSELS, change)).toBe(undefined);
  });

  it('are elsewhere is taken after 40 minutes without a poll, so that a false poll blocks none for longer', () => {
    const isElsewhere: Change = (fix) => ({ latitude: fix.latitude + north(20_000) });
    expect([40, 41].map((minutes) => reasonWith(VESSELS, isElsewhere, minutes))).toEqual([
      'moved-vessels',
      undefined,
    ]);
  });
});

describe('a first poll', () => {
  const first = pollAt(BEGAN);
  const reasonOf = (fixes: readonly Fix[]) => pollFault(fixes, new Map())?.reason;

  it('is taken as it is, and with each row twice', () => {
    expect([first, [...first, ...first]].map(reasonOf)).toEqual([undefined, undefined]);
  });

  it('is refused when over half of its positions are of repeated vessels', () => {
    const shared = (share: number) => first.map((fix, at) => ({ ...fix, mmsi: 200_000_000 + (at % share) }));
    expect([VESSELS / 2, VESSELS / 2 - 1].map((share) => reasonOf(shared(share)))).toEqual([
      undefined,
      'repeated-vessels',
    ]);
  });

  it.each(['latitude', 'longitude'] as const)('is refused when all vessels have one %s', (field) => {
    const placed = first.map((fix) => ({ ...fix, [field]: 10 * DEGREE }));
    expect([reasonOf(placed), reasonOf(placed.slice(0, 9))]).toEqual(['one-place', undefined]);
  });
});

describe('a day of positions', () => {
  const { source } = noaaAround(['USORF']);
  const [region = ''] = Object.keys(source.declaration.regions ?? {});
  const [FIRST, NEXT]: readonly Day[] = ['2026-01-05', '2026-01-06'];

  interface Moored {
    readonly mmsi: number;
    readonly latitude: number;
    readonly heading: number;
  }
  const moored: readonly Moored[] = Array.from({ length: 6 }, (_, vessel) => ({
    mmsi: 338_000_001 + vessel,
    latitude: 36.9 + vessel / 100,
    heading: vessel * 30,
  }));

  /** The file of a day, with a row of each vessel every five minutes. */
  function dayOf(day: Day, vessels: readonly Moored[]) {
    const rows = ['mmsi,base_date_time,longitude,latitude,sog,heading,imo,vessel_type,status'];
    for (let at = startOfDay(day); at < startOfDay(day) + DAY_MS; at += 5 * MINUTE_MS)
      for (const { mmsi, latitude, heading } of vessels)
        rows.push(
          `${mmsi},${new Date(at).toISOString().slice(0, 19)},-76.33,${latitude},0.0,${heading},,70,5`,
        );
    return files({ [`ais-${day}.csv`]: `${rows.join('\n')}\n` });
  }
  const stepOver = (day: Day, vessels: readonly Moored[], before: Uint8Array | undefined) =>
    source.days.step({
      region,
      files: dayOf(day, vessels),
      before,
      asOfAt: endOfDay(day),
      recordedAt: endOfDay(day),
      replaced: undefined,
    });
  let state: Uint8Array;
  const reasonOf = (change: (vessel: Moored, index: number) => Moored | undefined) => {
    state ??= stepOver(FIRST ?? '', moored, undefined).state;
    const vessels = moored.flatMap((vessel, index) => change(vessel, index) ?? []);
    try {
      stepOver(NEXT ?? '', vessels, state);
      return undefined;
    } catch (error) {
      return (error as { reason?: string }).reason;
    }
  };

  it.each<[string, Parameters<typeof reasonOf>[0], string | undefined]>([
    ['is taken as it is', (vessel) => vessel, undefined],
    ['is taken without half of the vessels', (vessel, index) => (index < 3 ? undefined : vessel), undefined],
    ['is refused without more', (vessel, index) => (index < 4 ? undefined : vessel), 'missing-vessels'],
    [
      'is refused with other vessels',
      (vessel) => ({ ...vessel, mmsi: vessel.mmsi + 100 }),
      'missing-vessels',
    ],
    [
      'is refused with vessels elsewhere from its first row',
      (vessel) => ({ ...vessel, latitude: vessel.latitude + 0.1 }),
      'moved-vessels',
    ],
    [
      'is refused with turned vessels',
      (vessel) => ({ ...vessel, heading: (vessel.heading + 90) % 360 }),
      'turned-vessels',
    ],
  ])('%s', (_, change, reason) => {
    expect(reasonOf(change)).toBe(reason);
  });

  it('says nothing of fewer than three missing vessels', () => {
    expect([missingFault(2, 2), missingFault(3, 3)?.reason]).toEqual([undefined, 'missing-vessels']);
  });
});
