/** The sample as a source: a seeded simulation of five ports, and import values. Never part of a deployment. */
import type { CallBatch, CallRecord } from '../../calls/observation.ts';
import type { Locode } from '../../reference/locode.ts';
import {
  addDays,
  type Day,
  dayOf,
  daysBetween,
  endOfDay,
  formatInstant,
  type Instant,
  startOfDay,
  wholeSecond,
} from '../../reference/time.ts';
import { UpstreamFailure } from '../../upstream/http/http-client.ts';
import type { FetchContext, FetchedFiles, Source } from '../../upstream/source.ts';
import { callFileName, callRecordAt, changedIn, inPortAt, writeCallFile } from './call-file.ts';
import { SAMPLE_DECLARATION } from './declaration.ts';
import {
  IMPORT_FILE_NAME,
  MONTHS_HELD,
  monthsUpTo,
  newestPublishedMonth,
  writeImportFile,
} from './import-series.ts';
import { parseSample } from './parse.ts';
import { simulatePort } from './simulate-port.ts';
import type { SimulatedCall } from './simulated-call.ts';

// The sample's upstream: writes the events since the last fetch, one file for each port and day.

interface SampleOptions {
  readonly seed: number;
  /**
   * The first day of the data folder, undefined while nothing has been fetched into it. The world begins on it, so
   * the caller stores it for the life of the folder.
   */
  readonly firstDay: () => Promise<Day | undefined>;
}

/** Whole days of history that a new data folder begins with. */
export const HISTORY_DAYS = 139;

/** The first day of a data folder that is first filled at `now`. */
const firstDayFor = (now: Instant): Day => addDays(dayOf(now), -HISTORY_DAYS);

/** One port's batch of `day`, as of the end of the day or `now`, whichever comes first. */
function dayBatch(
  port: Locode,
  calls: readonly SimulatedCall[],
  day: Day,
  isFirst: boolean,
  now: Instant,
): CallBatch {
  const span = { fromAt: startOfDay(day), toAt: Math.min(endOfDay(day), now) };
  const changed = calls.filter((call) => changedIn(call, span) || (isFirst && inPortAt(call, span.fromAt)));
  const records = changed
    .map((call) => callRecordAt(call, span.toAt))
    .filter((record): record is CallRecord => !!record);
  return { kind: 'call-batch', port, observedAt: span.toAt, coveredFromAt: span.fromAt, records };
}

/** Months published since the last fetch; all months of the sample the first time. */
function newMonths(lastFetchAt: Instant | undefined, now: Instant): string[] {
  const months = monthsUpTo(newestPublishedMonth(now), MONTHS_HELD);
  const known = lastFetchAt === undefined ? '' : newestPublishedMonth(lastFetchAt);
  return months.filter((month) => month > known);
}

/**
 * The files of one fetch: the calls of every port and day from the day of the last fetch, or the first day of the
 * simulation, and the import values published since. Throws `UpstreamFailure` when the clock is before the first day.
 */
async function fetchSample(options: SampleOptions, context: FetchContext): Promise<FetchedFiles> {
  const now = wholeSecond(context.now());
  const { lastFetchAt } = context;
  const firstDay = (await options.firstDay()) ?? firstDayFor(now);
  if (now < startOfDay(firstDay))
    throw new UpstreamFailure(
      'before-world',
      `the simulation of this data folder begins on ${firstDay}, after ${formatInstant(now)}`,
    );
  const worldAt = startOfDay(firstDay);
  const fromDay = dayOf(Math.max(worldAt, Math.min(lastFetchAt ?? worldAt, now)));
  const files = new Map<string, Uint8Array>();
  const write = (name: string, text: string): void => {
    files.set(name, new TextEncoder().encode(text));
  };
  for (const port of SAMPLE_DECLARATION.ports) {
    const calls = simulatePort(port, worldAt, now, options.seed);
    for (const day of daysBetween(fromDay, dayOf(now)))
      write(callFileName(port, day), writeCallFile(dayBatch(port, calls, day, day === firstDay, now)));
  }
  const months = newMonths(lastFetchAt, now);
  if (months.length > 0) write(IMPORT_FILE_NAME, writeImportFile(months, options.seed));
  return files;
}

export const createSampleSource = (options: SampleOptions): Source => ({
  declaration: SAMPLE_DECLARATION,
  fetch: (context) => fetchSample(options, context),
  parse: parseSample,
});
