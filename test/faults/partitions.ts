/** A back-fill in partitions gives the same result as an undivided one: in parallel, stopped, or killed at any write. */

import { type BackFill, createBackFill } from '../../core/ingest/back-fill.ts';
import type { Partition } from '../../core/ingest/partitions.ts';
import { DAY_MS, MINUTE_MS } from '../../core/reference/time.ts';
import { type RandomStream, randomStream } from '../../core/sources/sample-simulator/random.ts';
import { verdictName } from '../../core/store/raw-archive.ts';
import type { Table } from '../../core/store/table.ts';
import { ACCEPTED } from '../../core/upstream/judgement.ts';
import type { ArchivedFetch, Source } from '../../core/upstream/source.ts';
import { metered, type WriteMeter } from '../builders/failing-table.ts';
import { type MemoryIngest, startMemoryIngest } from '../builders/memory-ingest.ts';
import { dumpOf, valuesOf } from '../builders/table-dump.ts';
import { expectEqualRows, type FaultReport, T0 } from './fault-run.ts';
import { byChapter, byPort, portFetches, tradeFetches } from './parted-source.ts';

/** Empty tables, and an archive of the fetches of both sources, which are judged already: only those are divided. */
export async function partedArchive(
  fetches: readonly (readonly [Source, readonly ArchivedFetch[]])[],
): Promise<MemoryIngest> {
  const ingest = startMemoryIngest({ nowAt: T0 + 3000 * DAY_MS });
  for (const [{ declaration }, all] of fetches)
    for (const { fetchedAt, files } of all) {
      await ingest.archive.write(declaration.id, fetchedAt, files);
      await ingest.archive.writeNote(declaration.id, verdictName(fetchedAt), ACCEPTED);
    }
  return ingest;
}

function shuffled<Item>(items: readonly Item[], random: RandomStream): Item[] {
  return items
    .map((item) => ({ item, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

/** Every call of the table takes some turns of the event loop, another number each time. */
const slow = (table: Table, random: RandomStream): Table =>
  new Proxy(table, {
    get(target, name) {
      const value = Reflect.get(target, name, target) as unknown;
      if (typeof value !== 'function' || name === 'faultOf') return value;
      return async (...args: unknown[]) => {
        for (let turns = Math.floor(random() * 4); turns > 0; turns -= 1)
          await new Promise((resolve) => setImmediate(resolve));
        return value.apply(target, args);
      };
    },
  });

/** Walks the partitions in three parallel processes, and closes the back-fill. */
async function sideBySide(ingest: MemoryIngest, source: Source, random: RandomStream): Promise<void> {
  const processes = ['one', 'two', 'three'].map((owner) =>
    createBackFill(ingest.dependencies({ owner, wrap: (table) => slow(table, random) })),
  );
  const [first] = processes;
  const queue = shuffled((await first?.open(source, {}))?.partitions ?? [], random);
  const work = async (process: BackFill): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      // In steps of a few fetches each, like a function that runs out of time.
      for (let unfinished = true; unfinished; ) {
        let left = 1 + Math.floor(random() * 8);
        ({ unfinished } = await process.walk(source, next, { outOfTime: () => --left < 0 }));
      }
    }
  };
  await Promise.all(processes.map(work));
  await first?.close(source);
}

/** Opens, walks and closes in one process that is killed at its `diesAt`-th write, or finishes. */
async function inOneProcess(ingest: MemoryIngest, source: Source, meter: WriteMeter, owner: string) {
  const backFill = createBackFill(ingest.dependencies({ owner, wrap: (table) => metered(table, meter) }));
  const { partitions } = await backFill.open(source, {});
  for (const partition of partitions as Partition[]) await backFill.walk(source, partition);
  await backFill.close(source);
}

/** About `points` of the crash points of a back-fill. */
export async function partitions(fetches: number, seed: number, points = 60): Promise<FaultReport> {
  const random = randomStream('partitions', seed);
  const counts = { orders: 0, crashes: 0 };
  for (const [source, replies] of [
    [byPort, portFetches(fetches, seed)],
    [byChapter, tradeFetches(fetches, seed)],
  ] as const) {
    const whole = await partedArchive([[source, replies]]);
    await whole.pass(source, { ask: false });
    const expected = await valuesOf(whole.tables);

    for (let order = 0; order < points / 12; order += 1) {
      const divided = await partedArchive([[source, replies]]);
      await sideBySide(divided, source, random);
      expectEqualRows(`${source.declaration.id} side by side`, await valuesOf(divided.tables), expected);
      counts.orders += 1;
    }

    const mortal = await partedArchive([[source, replies]]);
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
      // The next process waits until the leases of the killed one expire.
      mortal.clock.nowAt += 31 * MINUTE_MS;
      await inOneProcess(mortal, source, { writes: 0 }, 'next');
      expectEqualRows(`killed at write ${diesAt}`, await dumpOf(mortal.tables), uninterrupted);
      counts.crashes += 1;
    }
  }
  return { scenario: 'a back-fill in partitions', runs: counts.orders + counts.crashes, counts };
}
