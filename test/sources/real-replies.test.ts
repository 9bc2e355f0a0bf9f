/** Each reply of recordings/replies.json gives the records that the list states. A source is `read` by its entry there. */
import { expect, it } from '@jest/globals';
import type { PortObservation } from '../../core/calls/observation.ts';
import { loadSource } from '../../core/sources/load-sources.ts';
import { ELSEWHERE } from '../builders/elsewhere.ts';

for (const { source, fetchedAt, records, absent, read } of ELSEWHERE) {
  const what = `${source}: ${Object.keys(records).join(', ')}`;
  (absent === undefined ? it : it.skip)(
    `${what}${absent === undefined ? '' : ` (skipped: ${absent})`}`,
    async () => {
      const parsed = (await loadSource(source))?.parse({ fetchedAt: Date.parse(fetchedAt), files: read() });
      const found = ((parsed?.observations ?? []) as readonly PortObservation[]).map((report) => [
        report.port,
        'records' in report ? report.records.length : 1,
      ]);
      expect(Object.fromEntries(found)).toEqual(records);
    },
  );
}

it('the list states a record of every reply', () => {
  for (const { records } of ELSEWHERE)
    expect(Object.values(records).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
});
