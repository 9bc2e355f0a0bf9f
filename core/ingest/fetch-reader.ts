/** Reads and parses one archived fetch: the files of the source, or the calls that steps make of them. */
import { DAY_MS, formatInstant, type Instant } from '../reference/time.ts';
import type { RawArchive } from '../store/raw-archive.ts';
import type { SourceStatus } from '../store/source-status.ts';
import { Refusals } from '../upstream/refusals.ts';
import { type FetchedFiles, type ParsedFetch, RefusedReply, type Source } from '../upstream/source.ts';
import { createDayFiles } from './day-steps.ts';
import { type Part, partsOf } from './partitions.ts';
import { createPollFiles, faultsIn, type PositionSteps, toRefusal } from './position-steps.ts';

/** A reply may state a time up to this much after its fetch, because clocks differ. */
const FUTURE_ALLOWANCE_MS = DAY_MS;

/** Refuses a reply from the future as its fetch saw it, and one that is older than the last good reply. */
export function refuseUntimely(
  { asOfAt }: Pick<ParsedFetch, 'asOfAt'>,
  status: Pick<SourceStatus, 'asOfAt'>,
  fetchedAt: Instant,
): void {
  if (asOfAt > fetchedAt + FUTURE_ALLOWANCE_MS)
    throw new RefusedReply('future-reply', `the reply states ${formatInstant(asOfAt)}, after its own fetch`);
  if (status.asOfAt !== undefined && asOfAt < status.asOfAt)
    throw new RefusedReply('stale-reply', `the reply of ${formatInstant(asOfAt)} is older than the last one`);
}

/** The files of a source that `parse` reads. */
interface FetchFiles {
  /** Steps that make the files of a fetch, of one part of the source or of all. */
  stepsOf(part: Part | undefined): number;
  /** Whether the files of one part are not those of another. */
  readonly differByPart: boolean;
  /** Undefined when the fetch is incomplete. */
  read(fetchedAt: Instant, part: Part | undefined): Promise<FetchedFiles | undefined>;
}

/** The archived files as they are, or the calls that steps make of them: chosen once for each kind of source. */
function createFetchFiles(archive: RawArchive, steps: PositionSteps): (source: Source) => FetchFiles {
  const readPollFiles = createPollFiles(archive, steps);
  const readDayFiles = createDayFiles(archive, steps.calls);
  const oneStep = { stepsOf: () => 1, differByPart: false };
  return (source) => {
    if (source.days !== undefined)
      return {
        stepsOf: (part) => (part === undefined ? partsOf(source.declaration).length : 1),
        differByPart: true,
        read: (fetchedAt, part) => readDayFiles(source, fetchedAt, part),
      };
    if (source.step !== undefined)
      return { ...oneStep, read: (fetchedAt) => readPollFiles(source, fetchedAt) };
    return { ...oneStep, read: (fetchedAt) => archive.read(source.declaration.id, fetchedAt) };
  };
}

/** Throws `RefusedReply` when a fetch is unusable. */
type FetchReader = (source: Source, fetchedAt: Instant, part?: Part) => Promise<ParsedFetch>;

/** Caches the last fetch, because the partitions of a back-fill read the same one in turn. */
export function createFetchReader(archive: RawArchive, steps: PositionSteps): FetchReader {
  const filesOf = createFetchFiles(archive, steps);
  let last:
    | { source: Source; fetchedAt: Instant; part: Part | undefined; parsed: ParsedFetch | RefusedReply }
    | undefined;
  return async (source, fetchedAt, wanted) => {
    const files = filesOf(source);
    const part = files.differByPart ? wanted : undefined;
    if (last?.source !== source || last.fetchedAt !== fetchedAt || last.part !== part) {
      const read = await files.read(fetchedAt, part);
      if (read === undefined)
        throw new RefusedReply(
          'cut-off',
          `the fetch of ${formatInstant(fetchedAt)} is incomplete or damaged`,
        );
      last = { source, fetchedAt, part, parsed: parseOrRefuse(source, fetchedAt, read, files.stepsOf(part)) };
    }
    const { parsed } = last;
    if (parsed instanceof RefusedReply) throw parsed;
    return parsed;
  };
}

/**
 * Any other error of a parser affects this fetch only, so a fault in a parser never blocks the source. A step that threw
 * refuses the fetch; where others of the `steps` were read, only its region is dropped.
 */
function parseOrRefuse(
  source: Source,
  fetchedAt: Instant,
  files: FetchedFiles,
  steps: number,
): ParsedFetch | RefusedReply {
  const faults = faultsIn(files);
  const [fault] = faults;
  if (fault !== undefined && faults.length >= steps) return new RefusedReply(fault.reason, fault.detail);
  try {
    const parsed = source.parse({ fetchedAt, files });
    return faults.length === 0
      ? parsed
      : { ...parsed, refusals: new Refusals().add(parsed.refusals).add(new Refusals(...faults)) };
  } catch (error) {
    return toRefusal(error);
  }
}
