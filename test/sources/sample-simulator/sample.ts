/** What the sample's tests have in common: a world that begins on one day, and fetches of it. */
import { DAY_MS, type Day, type Instant, startOfDay } from '../../../core/reference/time.ts';
import { createSampleSource } from '../../../core/sources/sample-simulator/source.ts';
import type { ArchivedFetch, ParsedFetch } from '../../../core/upstream/source.ts';
import { clientOf, fetchContext } from '../../builders/source-replies.ts';

export const SEED = 7;
export const FIRST_DAY: Day = '2026-03-02';
export const BEGAN_AT: Instant = startOfDay(FIRST_DAY);
export const FIRST_NOW: Instant = BEGAN_AT + 45 * DAY_MS + 5_000_000;

const { http } = clientOf(() => {
  throw new Error('the sample asks no network');
});

export const sampleSource = (firstDay: Day | 'none yet' = FIRST_DAY, seed = SEED) =>
  createSampleSource({
    seed,
    firstDay: () => Promise.resolve(firstDay === 'none yet' ? undefined : firstDay),
  });

/** One fetch at `now`, as archived. */
export async function fetchAt(
  now: Instant,
  lastFetchAt?: Instant,
  source = sampleSource(),
): Promise<ArchivedFetch> {
  return { fetchedAt: now, files: await source.fetch(fetchContext(http, { now: () => now, lastFetchAt })) };
}

export const parsedAt = async (now: Instant, lastFetchAt?: Instant): Promise<ParsedFetch> =>
  sampleSource().parse(await fetchAt(now, lastFetchAt));
