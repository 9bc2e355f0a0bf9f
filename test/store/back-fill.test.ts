/** A back-fill in partitions gives the same tables as one walk over the source, whatever interrupts it. */
import { expect, it } from '@jest/globals';
import { createBackFill } from '../../core/ingest/back-fill.ts';
import { MINUTE_MS } from '../../core/reference/time.ts';
import { T0 } from '../../studies/faults/fault-run.ts';
import { byChapter, byPort, PARTED, portFetches, tradeFetches } from '../../studies/faults/parted-source.ts';
import { partedArchive, partitions } from '../../studies/faults/partitions.ts';
import { extent } from '../builders/extent.ts';
import { everyResponse, readHandlers } from '../builders/read-handlers.ts';
import { valuesOf } from '../builders/table-dump.ts';

const PORT_FETCHES = extent(8, 40);
const archive = () =>
  partedArchive([
    [byPort, portFetches(PORT_FETCHES, 1)],
    [byChapter, tradeFetches(extent(2, 6), 1)],
  ]);

it('ends in equal tables side by side and killed at its writes', async () => {
  const { counts } = await partitions(2, 2, extent(6, 60));
  expect(counts.crashes).toBeGreaterThan(extent(5, 10));
});

it('gives equal responses and tags, each time, and as one walk over each source does', async () => {
  const responsesOf = async (divided: boolean) => {
    const ingest = await archive();
    for (const source of [byPort, byChapter]) {
      if (!divided) await ingest.pass(source, { ask: false });
      const backFill = createBackFill(ingest.dependencies());
      const { partitions: parts } = await backFill.open(source, {});
      expect(parts).toHaveLength(!divided ? 0 : source === byPort ? 3 : 98);
      for (const partition of parts) await backFill.walk(source, partition);
      await backFill.close(source);
    }
    const reads = readHandlers(ingest.tables, () => T0 + 20 * 24 * 60 * MINUTE_MS);
    return {
      responses: await everyResponse(reads, PARTED.ports, PARTED.codes),
      rows: await valuesOf(ingest.tables),
    };
  };
  const whole = await responsesOf(false);
  for (let times = extent(1, 2); times > 0; times -= 1) expect(await responsesOf(true)).toEqual(whole);
  const served = Object.values(whole.responses).filter(
    ({ status, body }) => status === 200 && body.length > 40,
  );
  expect(served.length).toBeGreaterThan(15);
});
