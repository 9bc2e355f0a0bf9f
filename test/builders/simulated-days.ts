/** An ingest in memory that has passed over the simulator twice a day, so that its figures have vintages. */
import { addDays, DAY_MS, dayOf, HOUR_MS, type Instant } from '../../core/reference/time.ts';
import { createSampleSource } from '../../core/sources/sample-simulator/source.ts';
import { startMemoryIngest } from './memory-ingest.ts';

export async function simulatedDays(startAt: Instant, days: number) {
  const source = createSampleSource({ seed: 4, firstDay: async () => addDays(dayOf(startAt), -35) });
  const ingest = startMemoryIngest({ nowAt: startAt });
  for (let at = startAt + HOUR_MS; at < startAt + days * DAY_MS; at += 12 * HOUR_MS) {
    ingest.clock.nowAt = at;
    await ingest.pass(source);
  }
  return { ingest, source };
}
