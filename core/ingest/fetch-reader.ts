/** Reads and parses one archived fetch: the files of the source, or the calls that steps make of them. */
import { formatInstant, type Instant } from '../reference/time.ts';
import type { RawArchive } from '../store/raw-archive.ts';
import { boundedReply } from '../upstream/bounds.ts';
import { Refusals } from '../upstream/refusals.ts';
import { type FetchedFiles, type ParsedFetch, RefusedReply, type Source } from '../upstream/source.ts';
import { createDayFiles, regionsOf } from './day-steps.ts';
import { createPollFiles, faultsIn, type PositionSteps, toRefusal } from './position-steps.ts';
import type { Verdicts } from './verdicts.ts';

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
