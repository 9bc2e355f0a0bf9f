/** The options of `npm run reception`, and what it prints. */
import { describe, expect, it } from '@jest/globals';
import { readFetches } from '../../../../bin/archive/position-archive.ts';
import { readReceptionOptions, reportOf } from '../../../../bin/reception/report.ts';
import { DAY_MS } from '../../../../core/reference/time.ts';
import type { ReceptionSurvey } from '../../../../core/sources/reception.ts';
import { createProgress } from '../../../../serve/progress.ts';
import { memorySteps } from '../../../builders/memory-ingest.ts';

const at = Date.UTC(2026, 0, 7, 12);
const survey: ReceptionSurvey = {
  fetches: 576,
  leftOut: 3,
  readMs: 2 * DAY_MS,
  ports: [
    { port: 'USSAV', usual: 0, share: 0, lastAt: undefined, isReached: false },
    { port: 'USNYC', usual: 12.34, share: 0.7999, lastAt: at - DAY_MS, isReached: false },
    { port: 'USLAX', usual: 104, share: 1, lastAt: at, isReached: true },
  ],
};

describe('the report on reception', () => {
  it('has a line for each port and says what to do', () => {
    expect(reportOf(survey, 'vessels a poll')).toEqual([
      '576 fetches, 3 left out; 2.00 days read',
      'port   vessels a poll  covered  last covered',
      'USSAV             0.0      0 %  never                 not reached',
      'USNYC            12.3   79.9 %  2026-01-06T12:00:00Z  not reached',
      'USLAX           104.0    100 %  2026-01-07T12:00:00Z',
      '2 of 3 ports are covered for less than 80 % of the time. Where that lasts, leave the port out: ' +
        'bin/ais-ports/port-overrides.json, as core/sources/open-waters-ais/README.md says under Ports',
    ]);
  });

  it('says so when every port is reached, and when too little was read', () => {
    const lastOf = (part: Partial<ReceptionSurvey>) =>
      reportOf({ ...survey, ...part }, 'vessels a poll').at(-1);
    expect(lastOf({ ports: survey.ports.slice(2) })).toBe(
      'every port is covered for 80 % of the time or more',
    );
    expect(lastOf({ readMs: DAY_MS - 1 })).toBe(
      'less than a day was read: read more before you judge a port',
    );
  });
});

describe('the options of npm run reception', () => {
  it('name a source, an archive and days', () => {
    const options = readReceptionOptions(['open-waters-ais', '--bucket', 'b', '--days', '30']);
    expect(options).toMatchObject({
      declaration: { id: 'open-waters-ais' },
      where: { bucket: 'b' },
      days: 30,
    });
    expect(readReceptionOptions(['dma-ais', '--archive', 'a'])).toMatchObject({
      where: { archive: 'a' },
      days: 7,
    });
  });

  it.each([
    [['dma-ais', '--archive', 'a', '--days', '0'], '--days must be a whole number from 1 to 9999, not 0'],
    [['dma-ais', '--archive', 'a', '--days', 'week'], '--days must be a whole number'],
    [['dma-ais', '--archive', 'a', '--from', '2026-01-01'], "unknown option '--from'"],
  ])('are refused with what to do: %j', (args, message) => {
    expect(() => readReceptionOptions(args)).toThrow(message);
  });
});

it('an archive without a fetch of the source is an error', async () => {
  const options = readReceptionOptions(['dma-ais', '--archive', 'a']);
  const fetches = readFetches(options, memorySteps().calls, [], createProgress(process.stderr));
  await expect(fetches.next()).rejects.toThrow('the archive has no fetch of dma-ais in these days');
});
