/** Vessels whose clock is wrong, read poll by poll. */
import { describe, expect, it } from '@jest/globals';
import { Engine, readState, writeState } from '../../../core/positions/engine.ts';
import { type Fix, POLL_PARAMETERS } from '../../../core/positions/fix.ts';
import { trackStays } from '../../../core/positions/vessel-calls.ts';
import { stayParts } from '../../worlds/traffic/engine-run.ts';
import { sailing, textOf } from './paths.ts';

const LEGS = [
  { hours: 1, knots: 10, course: 0 },
  { hours: 6, knots: 0, course: 0 },
  { hours: 1, knots: 10, course: 0 },
];

/** A poll a minute after each fix; `clock` gives the seconds that a fix of a poll is ahead of the truth. */
function polled(clock: (poll: number) => number, shown = (poll: number) => poll, age = () => 60) {
  const path = sailing(LEGS, 5);
  let text: string | undefined;
  const counts = { taken: 0, time: 0, late: 0, repeated: 0 };
  for (const [poll, at] of path.entries()) {
    const polledAt = at.time + age();
    const vessels = text === undefined ? new Map() : readState(text);
    const engine = new Engine({ parameters: POLL_PARAMETERS, latest: polledAt + 300, polledAt, vessels });
    const fix = path[shown(poll)] as Fix;
    engine.push({ ...fix, time: fix.time + clock(shown(poll)) });
    for (const name of ['taken', 'time', 'late', 'repeated'] as const) counts[name] += engine.counts[name];
    text = writeState(engine.vessels);
  }
  const time = path.at(-1)?.time ?? 0;
  const tracks = [...readState(text ?? '').values()].flatMap((vessel) => vessel.tracks);
  const stays = tracks.flatMap((track) =>
    trackStays(track, time, { ...stayParts([]), parameters: POLL_PARAMETERS }),
  );
  return { stays: textOf(stays), counts };
}

describe('a clock that runs ahead of the polls', () => {
  it.each([4.5, 20, 90, 600])('by %s minutes is set back', (minutes) => {
    const { stays, counts } = polled(() => minutes * 60);
    expect(stays).toEqual(['berth 1-7']);
    expect(counts).toEqual({ taken: 96, time: 0, late: 0, repeated: 0 });
  });

  it('by little more than the tolerance is set back, however old the rows are', () => {
    let seed = 1;
    const age = (): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % 280;
    };
    const { stays, counts } = polled(() => 420, undefined, age);
    expect(stays).toEqual(['berth 1-7']);
    expect(counts.taken).toBeGreaterThanOrEqual(95);
  });

  it('makes no fix of a row that comes again', () => {
    // The vessel is silent for 25 minutes.
    const { stays, counts } = polled(
      () => 1200,
      (poll) => (poll > 30 && poll < 36 ? 30 : poll),
    );
    expect(stays).toEqual(['berth 1-7']);
    expect(counts).toEqual({ taken: 91, time: 0, late: 0, repeated: 5 });
  });

  it('and is put right, or stated one such time, loses a fix at most', () => {
    const right = polled((poll) => (poll < 40 ? 1200 : 0));
    expect(right.stays).toEqual(['berth 1-7']);
    expect(right.counts.taken).toBeGreaterThanOrEqual(95);
    const once = polled((poll) => (poll === 40 ? 7200 : 0));
    expect(once.stays).toEqual(['berth 1-7']);
    expect(once.counts.taken).toBeGreaterThanOrEqual(95);
  });

  it('by days is garbled: such a fix is counted, and not read', () => {
    const { counts } = polled((poll) => (poll === 40 ? 5 * 86_400 : 0));
    expect(counts).toEqual({ taken: 95, time: 1, late: 0, repeated: 0 });
  });
});
