/** The same records in any order, in any number of overlapping and repeated pieces, give the same responses. */
import type { CallBatch, CallRecord } from '../../core/calls/observation.ts';
import { DAY_MS } from '../../core/reference/time.ts';
import { randomStream } from '../../core/sources/sample-simulator/random.ts';
import { startMemoryIngest } from '../builders/memory-ingest.ts';
import { SCRIPTED_PORT, scriptedSource } from '../builders/scripted-source.ts';
import { batchAt } from './batch-source.ts';
import { dataOf, expectEqualRows, type FaultReport, T0 } from './fault-run.ts';

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  const all = [...items];
  for (let i = all.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    const [a, b] = [all[i], all[j]];
    if (a !== undefined && b !== undefined) [all[i], all[j]] = [b, a];
  }
  return all;
}

/** Batches with every record at least once, some repeated, in any order. */
function pieces(batch: CallBatch, random: () => number): CallBatch[] {
  const count = 1 + Math.floor(random() * 6);
  const parts = Array.from({ length: count }, (): CallRecord[] => []);
  for (const record of batch.records) {
    parts[Math.floor(random() * count)]?.push(record);
    if (random() < 0.3) parts[Math.floor(random() * count)]?.push(record);
  }
  return shuffled(parts, random).map((records) => ({ ...batch, records: shuffled(records, random) }));
}

/** Fetches with one of the given reports each. */
async function applied(fetches: readonly (readonly CallBatch[])[]): Promise<Record<string, string[]>> {
  const ingest = startMemoryIngest({ nowAt: T0 });
  const source = scriptedSource();
  for (const reports of fetches) {
    const asOfAt = reports[0]?.observedAt ?? T0;
    ingest.clock.nowAt = Math.max(asOfAt, ingest.clock.nowAt + 1000);
    source.turns.push({ asOfAt, reports });
    await ingest.pass(source);
  }
  return dataOf(ingest);
}

/** `permutations` of the same five days of reports against the plain order. */
export async function orders(permutations: number, seed: number): Promise<FaultReport> {
  const random = randomStream('orders', seed);
  const counts = { pieces: 0, repeatedFetches: 0 };
  const days = Array.from({ length: 5 }, (_, n) => batchAt(T0 + (n - 1) * DAY_MS, T0 + n * DAY_MS, seed));
  const plain = await applied(days.map((batch) => [batch]));
  for (let n = 0; n < permutations; n += 1) {
    const replies: CallBatch[][] = [];
    for (const batch of days) {
      const reports = pieces(batch, random);
      counts.pieces += reports.length;
      replies.push(reports);
      if (random() < 0.3) {
        replies.push(pieces(batch, random));
        counts.repeatedFetches += 1;
      }
    }
    expectEqualRows(`permutation ${n} of ${SCRIPTED_PORT}`, await applied(replies), plain);
  }
  return { scenario: 'any order, repeated, overlapping', runs: permutations, counts };
}
