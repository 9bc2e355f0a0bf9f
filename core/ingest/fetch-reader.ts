/** Reads and parses one archived fetch: the files of the source, or the calls that steps make of them. */

import * as z from 'zod/mini';
import type { CallRecord, Observation, PollObservation } from '../calls/observation.ts';
import { addMonths, formatInstant, HOUR_MS, type Instant, latestOf, startOfDay } from '../reference/time.ts';
import { type RawArchive, READING_NAME, verdictName } from '../store/raw-archive.ts';
import type { SourceStatus } from '../store/source-status.ts';
import { boundedReply } from '../upstream/fields.ts';
import type { Verdict } from '../upstream/judgement.ts';
import {
  type FetchedFiles,
  type ParsedFetch,
  Refusals,
  RefusedReply,
  type Source,
  type SourceDeclaration,
} from '../upstream/source.ts';
import {
  createDayFiles,
  createPollFiles,
  faultsIn,
  type PositionSteps,
  regionsOf,
  toRefusal,
} from './positions.ts';

// The verdicts on archived fetches, as notes beside them: a replay uses them, so that order and batching do not
// matter.

const verdictShape = z.object({
  outcome: z.enum(['accepted', 'refused', 'held', 'revoked']),
  by: z.enum(['judgement', 'parser', 'operator', 'recovery']),
  reason: z.exactOptional(z.string()),
  detail: z.exactOptional(z.string()),
});

/** The fetch that is being read, and how often reading it has begun. */
const readingShape = z.object({ fetchedAt: z.number(), times: z.int() });

/** Readings of one fetch that may end the process; after them it is refused unread. */
const MAX_DEATHS = 2;

export type Verdicts = ReturnType<typeof createVerdicts>;

export function createVerdicts(archive: RawArchive) {
  return {
    /** Undefined where the fetch is not judged yet, or its verdict is damaged. */
    async of(source: string, fetchedAt: Instant): Promise<Verdict | undefined> {
      return verdictShape.safeParse(await archive.readNote(source, verdictName(fetchedAt))).data;
    },
    /** Notes that a fetch without a verdict is read now. False when reading it has ended the process too often. */
    async beginReading(source: string, fetchedAt: Instant): Promise<boolean> {
      const last = readingShape.safeParse(await archive.readNote(source, READING_NAME)).data;
      const times = last?.fetchedAt === fetchedAt ? last.times : 0;
      if (times >= MAX_DEATHS) return false;
      await archive.writeNote(source, READING_NAME, { fetchedAt, times: times + 1 });
      return true;
    },
    /** Notes that the process has survived the reading, where it ends without a verdict. */
    endReading: (source: string): Promise<void> => archive.writeNote(source, READING_NAME, {}),
    write: (source: string, fetchedAt: Instant, verdict: Verdict): Promise<void> =>
      archive.writeNote(source, verdictName(fetchedAt), verdict),
  };
}

/**
 * Reads the archived files of a fetch, or the calls that steps make of them, and parses them. Throws `RefusedReply` when the fetch is
 * unusable.
 */
export function createFetchReader(archive: RawArchive, steps: PositionSteps, verdicts: Pick<Verdicts, 'of'>) {
  const polls = createPollFiles(archive, steps, async (source, fetchedAt) => {
    const verdict = await verdicts.of(source, fetchedAt);
    // A parser that has been corrected may read what it refused.
    return verdict !== undefined && verdict.outcome !== 'accepted' && verdict.by !== 'parser';
  });
  const readDayFiles = createDayFiles(archive, steps.calls);

  /** Undefined when the fetch is incomplete. */
  const readFiles = (source: Source, fetchedAt: Instant): Promise<FetchedFiles | undefined> => {
    if (source.days !== undefined) return readDayFiles(source, fetchedAt);
    if (source.step !== undefined) return polls.read(source, fetchedAt);
    return archive.read(source.declaration.id, fetchedAt);
  };

  async function read(source: Source, fetchedAt: Instant): Promise<ParsedFetch> {
    const files = await readFiles(source, fetchedAt);
    if (files === undefined)
      throw new RefusedReply('cut-off', `the fetch of ${formatInstant(fetchedAt)} is incomplete or damaged`);
    return parse(source, fetchedAt, files);
  }

  return {
    read,
    /** Takes back the step over a poll of positions that was read last and not accepted: the next poll is read with the state before it. */
    async leaveOut({ declaration, step }: Source, fetchedAt: Instant): Promise<void> {
      if (step !== undefined) await polls.undo(declaration.id, fetchedAt);
    },
  };
}

/** Any error of a parser refuses this fetch alone. So does a step that threw, but only its region where others were read. */
function parse(source: Source, fetchedAt: Instant, files: FetchedFiles): ParsedFetch {
  const faults = faultsIn(files);
  const [fault] = faults;
  const steps = source.days === undefined ? 1 : regionsOf(source.declaration).length;
  if (fault !== undefined && faults.length >= steps) throw new RefusedReply(fault.reason, fault.detail);
  let parsed: ParsedFetch;
  try {
    parsed = boundedReply(source.parse({ fetchedAt, files }));
  } catch (error) {
    throw toRefusal(error);
  }
  if (faults.length === 0) return parsed;
  return { ...parsed, refusals: new Refusals().add(parsed.refusals).add(new Refusals(...faults)) };
}

// Whether a reply shows the present, by what it states: a cache or a stuck export serves an old reply as a new one.

/** A reply may state a time up to this much after its fetch, because clocks differ. */
const FUTURE_ALLOWANCE_MS = 24 * HOUR_MS;
/** Hours that the newest event may lie before a known one, which may be withdrawn again, where the source does not declare them. */
const BACK_HOURS = 6;

const recordTimes = ({ ataAt, atdAt, stops, cancelled }: CallRecord): (Instant | undefined)[] =>
  cancelled ? [] : [ataAt, atdAt, ...stops.flatMap((stop) => [stop.ataAt, stop.atdAt])];

const pollTimes = ({ inPort = [], arrived = [], departed = [] }: PollObservation): Instant[] => [
  ...[...inPort, ...arrived].map(({ ataAt }) => ataAt),
  ...departed.map(({ atdAt }) => atdAt),
];

function eventTimes(observation: Observation): (Instant | undefined)[] {
  if (observation.kind === 'poll') return pollTimes(observation);
  if (observation.kind === 'call-batch') return observation.records.flatMap(recordTimes);
  // A value is known once its month has ended.
  return [...new Set(observation.values.map(({ month }) => month))].map((month) =>
    startOfDay(`${addMonths(month, 1)}-01`),
  );
}

/** The newest event that the observations state, none after their fetch; undefined without one. */
export function newestEventAt(observations: readonly Observation[], fetchedAt: Instant): Instant | undefined {
  const newest = latestOf(
    observations.flatMap(eventTimes).filter((at) => at !== undefined && at <= fetchedAt) as Instant[],
  );
  return Number.isFinite(newest) ? newest : undefined;
}

const hours = (ms: number): string => `${(ms / HOUR_MS).toFixed(1)} h`;

/**
 * Refuses a reply from the future as its fetch saw it, and one that does not show the present: older than the last good reply, or
 * without an event for longer than its source is ever silent. Throws `RefusedReply`: `future-reply`, `stale-reply`.
 */
export function refuseUntimely(
  { asOfAt, observations }: Pick<ParsedFetch, 'asOfAt' | 'observations'>,
  status: Pick<SourceStatus, 'asOfAt' | 'newestEventAt'>,
  fetchedAt: Instant,
  { silence }: Pick<SourceDeclaration, 'silence'>,
): void {
  if (asOfAt > fetchedAt + FUTURE_ALLOWANCE_MS)
    throw new RefusedReply('future-reply', `the reply states ${formatInstant(asOfAt)}, after its own fetch`);
  if (status.asOfAt !== undefined && asOfAt < status.asOfAt)
    throw new RefusedReply('stale-reply', `the reply of ${formatInstant(asOfAt)} is older than the last one`);
  if (silence === undefined) return;
  const newestAt = silence.of === 'reply' ? asOfAt : newestEventAt(observations, fetchedAt);
  if (newestAt === undefined) return;
  const silentMs = fetchedAt - newestAt;
  const what = silence.of === 'reply' ? 'the reply states a time' : 'its newest event is';
  if (silentMs > silence.maxHours * HOUR_MS)
    throw new RefusedReply(
      'stale-reply',
      `${what} ${hours(silentMs)} before its fetch, at most ${silence.maxHours}`,
    );
  const { newestEventAt: knownAt } = status;
  if (
    silence.of === 'events' &&
    knownAt !== undefined &&
    newestAt < knownAt - (silence.backHours ?? BACK_HOURS) * HOUR_MS
  )
    throw new RefusedReply(
      'stale-reply',
      `its newest event, of ${formatInstant(newestAt)}, is older than one of ${formatInstant(knownAt)} that is known`,
    );
}
