/** A back-fill gives the same tables as one pass, whoever makes its steps, and killed at any write. */
import { createBackFill } from '../../core/ingest/back-fill.ts';
import { DAY_MS, MINUTE_MS } from '../../core/reference/time.ts';
import { type RandomStream, randomStream } from '../../core/sources/sample-simulator/source.ts';
import type { ArchivedFetch, Source } from '../../core/upstream/source.ts';
import { metered, type WriteMeter } from '../builders/failing-table.ts';
import { type MemoryIngest, startMemoryIngest } from '../builders/memory-ingest.ts';
import { dumpOf, valuesOf } from '../builders/table-dump.ts';
import { expectEqualRows, type FaultReport, T0 } from './fault-run.ts';
import { callSource, importSource, portFetches, tradeFetches } from './many-replies.ts';

/** Empty tables, and an archive of the fetches. */
export async function archiveOf(source: Source, fetches: readonly ArchivedFetch[]): Promise<MemoryIngest> {
  const ingest = startMemoryIngest({ nowAt: T0 + 3000 * DAY_MS });
  for (const { fetchedAt, files } of fetches)
    await ingest.archive.write(source.declaration.id, fetchedAt, files);
  return ingest;
}

/** Steps of a few fetches each, like a function that runs out of time, each by one of three processes. */
async function inSteps(ingest: MemoryIngest, source: Source, random: RandomStream): Promise<void> {
  const processes = ['one', 'two', 'three'].map((owner) => createBackFill(ingest.dependencies({ owner })));
  await processes[0]?.load(source, {});
  for (let unfinished = true; unfinished; ) {
    let left = 1 + Math.floor(random() * 8);
    const process = processes[Math.floor(random() * processes.length)];
    const applied = await process?.apply(source, { outOfTime: () => --left < 0 });
    unfinished = applied?.unfinished === true;
  }
}

/** One process that is killed at its `diesAt`-th write, or finishes. */
async function inOneProcess(ingest: MemoryIngest, source: Source, meter: WriteMeter, owner: string) {
  const backFill = createBackFill(ingest.dependencies({ owner, wrap: (table) => metered(table, meter) }));
  await backFill.load(source, {});
  await backFill.apply(source);
}

/** About `points` of the crash points of a back-fill. */
export async function backFills(fetches: number, seed: number, points = 60): Promise<FaultReport> {
  const random = randomStream('back-fills', seed);
  const counts = { orders: 0, crashes: 0 };
  for (const [source, replies] of [
    [callSource, portFetches(fetches, seed)],
    [importSource, tradeFetches(fetches, seed)],
  ] as const) {
    const whole = await archiveOf(source, replies);
    await whole.pass(source, { ask: false });
    const expected = await valuesOf(whole.tables);

    for (let order = 0; order < points / 12; order += 1) {
      const filled = await archiveOf(source, replies);
      await inSteps(filled, source, random);
      expectEqualRows(`${source.declaration.id} in steps`, await valuesOf(filled.tables), expected);
      counts.orders += 1;
    }

    const mortal = await archiveOf(source, replies);
    const empty = mortal.save();
    const meter: WriteMeter = { writes: 0 };
    await inOneProcess(mortal, source, meter, 'counting');
    const uninterrupted = await dumpOf(mortal.tables);
    const stride = Math.max(1, Math.floor(meter.writes / points));
    for (let diesAt = 1; diesAt <= meter.writes; diesAt += 1 + Math.floor(random() * stride)) {
      empty();
      const dying: WriteMeter = { writes: 0, diesAt, after: random() < 0.5 };
      await inOneProcess(mortal, source, dying, 'dying').then(
        () => Promise.reject(new Error('the process was to be killed')),
        () => undefined,
      );
      // The next process waits until the lease of the killed one expires.
      mortal.clock.nowAt += 31 * MINUTE_MS;
      await inOneProcess(mortal, source, { writes: 0 }, 'next');
      expectEqualRows(`killed at write ${diesAt}`, await dumpOf(mortal.tables), uninterrupted);
      counts.crashes += 1;
    }
  }
  return { scenario: 'a back-fill', runs: counts.orders + counts.crashes, counts };
}
