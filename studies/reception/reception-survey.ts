/** Reception of each port of a source of positions, over archived fetches: it decides which ports are listed. */
import { addCoverage, type Coverage, MIN_DAY_COVERAGE } from '../../core/calls/port-call.ts';
import type { Locode } from '../../core/reference/codes.ts';
import { DAY_MS, type Instant } from '../../core/reference/time.ts';
import type { ArchivedFetch } from '../../core/upstream/source.ts';
import { type FetchCounts, walkFetches } from './fetch-walk.ts';
import type { FixReader } from './fix-reader.ts';

/** A shorter time cannot show that a port is out of reach, because an outage may be as long. */
const MIN_JUDGED_MS = DAY_MS;
/** With less of the time covered, most days of the port have no wait and no score. */
export const MIN_REACHED_SHARE = MIN_DAY_COVERAGE;

interface ReceivedPort {
  readonly port: Locode;
  /** Vessels a poll, or vessel-hours a day, at the end; 0 where none was received. */
  readonly usual: number;
  /** Share of the time read in which the port was covered, 0 to 1. */
  readonly share: number;
  /** The end of the covered time; undefined where there is none. */
  readonly lastAt: Instant | undefined;
  /** Undefined where too little time was read. */
  readonly isReached: boolean | undefined;
}

/** Omitted fetches do not count against a port: an outage of the upstream is not one of its receivers. */
export interface ReceptionSurvey extends FetchCounts {
  /** The least covered first. */
  readonly ports: readonly ReceivedPort[];
  /** Milliseconds that the fetches stand for. */
  readonly readMs: number;
}

const lengthMs = (coverage: Coverage): number =>
  coverage.reduce((sum, { fromAt, toAt }) => sum + toAt - fromAt, 0);

/** Walks over fetches in the order of the archive. */
export async function surveyReception(
  { endOf, receive }: Pick<FixReader, 'endOf' | 'receive'>,
  ports: readonly Locode[],
  fetches: AsyncIterable<ArchivedFetch>,
): Promise<ReceptionSurvey> {
  const reception = receive();
  const coverages = new Map<Locode, Coverage>();
  let read: Coverage = [];
  let usual: ReadonlyMap<Locode, number> = new Map();
  const { counts } = await walkFetches(fetches, endOf, (fetched) => {
    const { span, covered, usual: usualNow } = reception(fetched);
    [usual, read] = [usualNow, addCoverage(read, span)];
    for (const [port, fromAt] of covered)
      coverages.set(port, addCoverage(coverages.get(port) ?? [], { fromAt, toAt: span.toAt }));
  });
  const readMs = lengthMs(read);
  const received = ports.map((port): ReceivedPort => {
    const coverage = coverages.get(port) ?? [];
    const share = readMs === 0 ? 0 : lengthMs(coverage) / readMs;
    return {
      port,
      usual: usual.get(port) ?? 0,
      share,
      lastAt: coverage.at(-1)?.toAt,
      isReached: readMs < MIN_JUDGED_MS ? undefined : share >= MIN_REACHED_SHARE,
    };
  });
  received.sort((a, b) => a.share - b.share || (a.port < b.port ? -1 : 1));
  return { ports: received, ...counts, readMs };
}
