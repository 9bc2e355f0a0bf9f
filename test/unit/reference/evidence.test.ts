/** The rule of evidence, line by line as docs/methodology.md publishes it. */
import { describe, expect, it } from '@jest/globals';
import { portEvidence, sourceEvidence } from '../../../core/reference/evidence.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const MINUTE = 60_000;
const ago = (minutes: number) => NOW - minutes * MINUTE;

describe('evidence of a source', () => {
  it.each([
    ['fetched within its budget', 'hk-marine-department', 60, 'observed'],
    ['fetched longer ago', 'hk-marine-department', 61, 'recorded'],
    ['never fetched, with a reply in the repository', 'fintraffic-digitraffic', undefined, 'recorded'],
    ['never fetched, with a reply that tests read elsewhere', 'tipc-taiwan', undefined, 'read'],
    ['never fetched, without a real reply', 'mpa-singapore', undefined, 'expected'],
    ['unknown to the rule', 'of-a-test', 0, 'expected'],
    ['made up, however new', 'sample-simulator', 0, 'simulated'],
  ])('%s', (_what, source, minutes, evidence) => {
    const fetched = new Map(minutes === undefined ? [] : [[source, ago(minutes)]]);
    expect(sourceEvidence(source, fetched, NOW)).toBe(evidence);
  });
});

describe('evidence of a port', () => {
  const fetched = new Map([
    ['noaa-marinecadastre-ais', ago(10)],
    ['open-waters-ais', ago(10)],
    ['sample-simulator', ago(10)],
  ]);
  it.each([
    ['without an observation it is that of its source', ['open-waters-ais'], undefined, 'expected'],
    ['in the newest replies', ['open-waters-ais'], 10, 'observed'],
    ['missing from the newest replies of what is present', ['open-waters-ais'], 50, 'expected'],
    ['of a source whose records come months late', ['noaa-marinecadastre-ais'], 200_000, 'observed'],
    [
      'of two sources it is the stronger one',
      ['mpa-singapore', 'hk-marine-department'],
      undefined,
      'recorded',
    ],
    ['made up', ['sample-simulator'], 10, 'simulated'],
  ])('%s', (_what, sources, minutes, evidence) => {
    const asOfAt = minutes === undefined ? undefined : ago(minutes);
    expect(portEvidence(sources, asOfAt, fetched, NOW)).toBe(evidence);
  });
});
