/** The sample as a source: seeded calls of five ports, and import values. Never part of a deployment. */
import type { CallBatch, TradeReport } from '../../calls/observation.ts';
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
import { Refusals } from '../../upstream/refusals.ts';
import { RefusedReply, type Source } from '../../upstream/source.ts';
import { SAMPLE_DECLARATION } from './declaration.ts';
import { importReport } from './import-series.ts';
import { changedIn, recordAt, type SimulatedCall, simulateCalls } from './simulated-calls.ts';

interface SampleOptions {
  readonly seed: number;
  /** Undefined while nothing is fetched. The world begins on it, so the caller stores it for the life of the data folder. */
  readonly firstDay: () => Promise<Day | undefined>;
}

/** Whole days of history that a new data folder begins with. */
export const HISTORY_DAYS = 139;

/** One port's batch of `day`, as of the end of the day or `now`, whichever comes first; the first has the vessels in port too. */
function dayBatch(
  port: Locode,
  calls: readonly SimulatedCall[],
  day: Day,
  isFirst: boolean,
  now: Instant,
): CallBatch {
  const [fromAt, toAt] = [startOfDay(day), Math.min(endOfDay(day), now)];
  const records = calls
    .filter((call) => changedIn(call, isFirst ? 0 : fromAt, toAt))
    .flatMap((call) => recordAt(call, toAt) ?? []);
  return { kind: 'call-batch', port, observedAt: toAt, coveredFromAt: fromAt, records };
}

export const createSampleSource = ({ seed, firstDay }: SampleOptions): Source => ({
  declaration: SAMPLE_DECLARATION,
  /**
   * The calls of every port and day from the day of the last fetch, or the first day of the simulation, and the import values
   * published since. Throws `UpstreamFailure` when the clock is before the first day.
   */
  async fetch({ now, lastFetchAt }) {
    const nowAt = wholeSecond(now());
    const first = (await firstDay()) ?? addDays(dayOf(nowAt), -HISTORY_DAYS);
    const beganAt = startOfDay(first);
    if (nowAt < beganAt)
      throw new UpstreamFailure(
        'before-world',
        `the simulation of this data folder begins on ${first}, after ${formatInstant(nowAt)}`,
      );
    const fromDay = dayOf(Math.max(beganAt, Math.min(lastFetchAt ?? beganAt, nowAt)));
    const files = new Map<string, Uint8Array>();
    const write = (name: string, report: CallBatch | TradeReport): void =>
      void files.set(name, new TextEncoder().encode(JSON.stringify(report)));
    for (const port of SAMPLE_DECLARATION.ports) {
      const calls = simulateCalls(port, { beganAt, toAt: nowAt, seed });
      for (const day of daysBetween(fromDay, dayOf(nowAt)))
        write(`calls-${port}-${day}.json`, dayBatch(port, calls, day, day === first, nowAt));
    }
    const imports = importReport(lastFetchAt, nowAt, seed);
    if (imports !== undefined) write('imports.json', imports);
    return files;
  },
  /** The files are reports as this source has written them, in time order. */
  parse({ files }) {
    const reports = [...files.values()]
      .map((bytes) => JSON.parse(new TextDecoder().decode(bytes)) as CallBatch | TradeReport)
      .sort((a, b) => a.observedAt - b.observedAt);
    const newest = reports.at(-1);
    if (!newest) throw new RefusedReply('empty', 'the fetch has no file');
    return { asOfAt: newest.observedAt, reports, refusals: new Refusals(), lists: [] };
  },
});
