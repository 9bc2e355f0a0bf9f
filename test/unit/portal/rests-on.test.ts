/** How exact the figures of a port are, in a few words. */
import { expect, it } from '@jest/globals';
import { errorText } from '../../../portal/explorer/port-head.ts';

it('the error is that of the method: of polls half the time between two', () => {
  const sources = [{ everyMinutes: 20 }, { everyMinutes: 300 }];
  expect(errorText('polls', sources.slice(0, 1))).toBe('each end of a stay to 10 min');
  expect(errorText('polls', sources)).toBe('each end of a stay to 2.5 h');
  expect(errorText('records', [])).toBe('times as stated, to 0.05 h');
  expect(errorText('positions', [])).toBe('stays found from positions');
  expect([errorText('polls', []), errorText(null, sources)]).toEqual([undefined, undefined]);
});
