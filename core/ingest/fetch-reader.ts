/** Reads and parses one archived fetch: the files of the source, or the calls that steps make of them. */
import { formatInstant, type Instant } from '../reference/time.ts';
import type { RawArchive } from '../store/raw-archive.ts';
import { boundedReply } from '../upstream/bounds.ts';
import { Refusals } from '../upstream/refusals.ts';
import { type FetchedFiles, type ParsedFetch, RefusedReply, type Source } from '../upstream/source.ts';
import { createDayFiles } from './day-steps.ts';
import { type Part, partsOf } from './partitions.ts';
import { createPollFiles, faultsIn, type PositionSteps, toRefusal } from './position-steps.ts';
import type { Verdicts } from './verdicts.ts';

/**
 * Reads the archived files of a fetch, or the calls that steps make of them, and parses them. Throws `RefusedReply` when the fetch is
 * unusable. Caches the last fetch, because the partitions of a back-fill read the same one in turn.
 */
export function createFetchReader(archive: RawArchive, steps: PositionSteps, verdicts: Pick<Verdicts, 'of'>) {
  const polls = createPollFiles(archive, steps, async (source, fetchedAt) => {
    const verdict = await verdicts.of(source, fetchedAt);
    // A parser that has been corrected may read what it refused.
    return verdict !== undefined && verdict.outcome !== 'accepted' && verdict.by !== 'parser';
  });
  const readDayFiles = createDayFiles(archive, steps.calls);
  let last:
    | { source: Source; fetchedAt: Instant; part: Part | undefined; parsed: ParsedFetch | RefusedReply }
    | undefined;

  /** Undefined when the fetch is incomplete. */
  const readFiles = (source: Source, fetchedAt: Instant, part?: Part): Promise<FetchedFiles | undefined> => {
    if (source.days !== undefined) return readDayFiles(source, fetchedAt, part);
    if (source.step !== undefined) return polls.read(source, fetchedAt);
    return archive.read(source.declaration.id, fetchedAt);
  };

  async function read(source: Source, fetchedAt: Instant, wanted?: Part): Promise<ParsedFetch> {
    // Only days of positions have other files for each part.
    const part = source.days === undefined ? undefined : wanted;
    if (last?.source !== source || last.fetchedAt !== fetchedAt || last.part !== part) {
      const files = await readFiles(source, fetchedAt, part);
      if (files === undefined)
        throw new RefusedReply(
          'cut-off',
          `the fetch of ${formatInstant(fetchedAt)} is incomplete or damaged`,
        );
      const regions = source.days !== undefined && part === undefined ? partsOf(source.declaration) : [part];
      last = { source, fetchedAt, part, parsed: parseOrRefuse(source, fetchedAt, files, regions.length) };
    }
    const { parsed } = last;
    if (parsed instanceof RefusedReply) throw parsed;
    return parsed;
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
    const parsed = boundedReply(source.parse({ fetchedAt, files }));
    return faults.length === 0
      ? parsed
      : { ...parsed, refusals: new Refusals().add(parsed.refusals).add(new Refusals(...faults)) };
  } catch (error) {
    return toRefusal(error);
  }
}
