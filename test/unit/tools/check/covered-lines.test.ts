import { expect, it } from '@jest/globals';
import { coverageFaults, linesByRoom, totalOf } from '../../../../tools/check/covered-lines.ts';

const lines = (total: number, covered: number) => ({ lines: { total, covered } });
const SUMMARY = {
  total: lines(40, 31),
  '/repo/core/calls/port-call.ts': lines(10, 9),
  '/repo/core/calls/stays.ts': lines(20, 20),
  '/repo/core/store/tables.ts': lines(6, 1),
  '/repo/lib/stages.ts': lines(4, 1),
};

it('adds up the lines of the files of a room, rounded down', () => {
  expect(linesByRoom(SUMMARY, { 'core/calls': 95, lib: 20 }, '/repo/')).toEqual([
    { room: 'core/calls', lines: 30, covered: 96.6, first: 95 },
    { room: 'core/store', lines: 6, covered: 16.6, first: undefined },
    { room: 'lib', lines: 4, covered: 25, first: 20 },
  ]);
});

it('has a row of all rooms', () => {
  expect(totalOf(linesByRoom(SUMMARY, {}, '/repo/'))).toMatchObject({
    room: 'all',
    lines: 40,
    covered: 77.4,
  });
});

it('accepts rooms at their first share or above', () => {
  const first = { 'core/calls': 96.6, 'core/store': 16, lib: 20 };
  expect(coverageFaults(linesByRoom(SUMMARY, first, '/repo/'), first)).toEqual([]);
});

it('reports a fall, a room without a first share, and a share without a room', () => {
  const first = { 'core/calls': 97, 'core/gone': 50, lib: 20 };
  expect(coverageFaults(linesByRoom(SUMMARY, first, '/repo/'), first)).toEqual([
    'core/calls fell to 96.6 % of its lines, below 97 %',
    'core/store has no first share: add 16',
    'core/gone has a first share and no file: remove it',
  ]);
});
