/** The Port of Los Angeles queue that cleared in early 2022, from published daily counts. */
import { expect, it } from '@jest/globals';
import { studyQueueClearing } from '../../../bin/accuracy/queue-clearing-study.ts';
import { sharedPath } from '../../builders/shared-data.ts';

const counts = sharedPath('data/pola/container_vessel_activity_2022-01_2022-08.csv');
const withCounts = counts === undefined ? it.skip : it;

withCounts('is reported once, as a fall (skipped without shared/data/pola beside the checkout)', async () => {
  const { alerts, reportedOn, atAnchor } = await studyQueueClearing(counts ?? '');
  expect(atAnchor).toHaveLength(167);
  expect(alerts).toMatchObject([{ type: 'change_point', metric: 'at_anchor', severity: 'high' }]);
  expect(alerts[0]?.changeFraction).toBeLessThan(-0.5);
  expect(reportedOn[0]).toMatch(/^[12]\/\d+\/2022$/);
});
