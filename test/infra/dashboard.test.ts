/** The dashboard shows every number of the positions that a pass logs. */
import { expect, it } from '@jest/globals';
import { Engine } from '../../core/positions/engine.ts';
import { readPositions } from '../../core/positions/poll-read.ts';
import { stepCounts } from '../../core/positions/steps.ts';
import { OPEN_WATERS_FEED } from '../../core/sources/open-waters-ais/source.ts';
import { collection } from '../builders/geojson-feed.ts';
import { sharedStacks, withType } from '../builders/stacks.ts';
import { pollOf } from '../sources/open-waters-ais/polls.ts';

const dashboard = withType(sharedStacks('dev').resources, 'AWS::CloudWatch::Dashboard');

it('has a column for each count of a step and of a poll, and no metric for any', () => {
  const shown = new Set(JSON.stringify(dashboard).match(/(?<=\(counts\.)\w+(?=\) as )/g));
  const counted = {
    ...stepCounts(new Engine()),
    ...readPositions(OPEN_WATERS_FEED, pollOf(collection([]))).counts,
  };
  expect([...shown].sort()).toEqual(Object.keys(counted).sort());
});
