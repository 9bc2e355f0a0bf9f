import { expect, it } from '@jest/globals';
import { sourcesRoute } from '../../../../core/contracts/sources.ts';
import { representation } from '../../../../core/http/response.ts';
import { createSourceStatusStore } from '../../../../core/store/source-status.ts';
import { sources } from '../../../../lambdas/endpoints/sources.ts';
import { MemoryTable } from '../../../builders/memory-table.ts';

const NOW = Date.UTC(2026, 2, 12);
it('sources have in CSV what all of them have, and the release that their tables began with', async () => {
  const table = new MemoryTable('sourceStatus');
  const statuses = createSourceStatusStore(table, () => NOW);
  for (const source of ['open-waters-ais', 'tipc-taiwan']) {
    const lease = await statuses.lease(source, 'test', 60_000);
    await lease?.release({ source, failures: 0, lastFetchAt: NOW });
  }
  const respond = sources.create({ sourceStatus: table }, { now: () => NOW, region: 'local' });
  const rows = await respond({ path: {}, query: { format: 'json' } }, new Map());
  expect(rows).toHaveLength(2);
  const [first] = rows;
  if (first === undefined) throw new Error('no row');
  const imported = { release: '2025-10-04', made: '2026-11-26T00:36:44Z', replayed: true };
  const csv = representation(
    sourcesRoute,
    { path: {}, query: { format: 'csv' } },
    [{ ...first, imported }, first],
    NOW,
  ).body.split('\n');
  expect(csv[0]).toBe('source,last_fetch_iso,evidence,imported_release,imported_made,imported_replayed');
  for (const row of rows)
    expect(Object.keys(row)).toEqual(expect.arrayContaining(['source', 'last_fetch_iso', 'evidence']));
  expect(csv.slice(1).map((line) => line.split(',').slice(3).join())).toEqual([
    '2025-10-04,2026-11-26T00:36:44Z,true',
    ',,',
    '',
  ]);
});
