/**
 * Fetches of positions as call records. A step reads one fetch with the state before it, and archives its calls before the state is
 * replaced: one that died in between is repeated and writes the same bytes.
 */
import { formatInstant, type Instant, parseInstant } from '../reference/time.ts';
import type { PositionStates, StoredState } from '../store/position-states.ts';
import type { RawArchive } from '../store/raw-archive.ts';
import type { Refusal } from '../upstream/refusals.ts';
import { type FetchedFiles, type PollSource, type PositionStep, RefusedReply } from '../upstream/source.ts';

// Faults of steps over positions. A step that throws costs its own fetch, as a parser that throws does: the fault is
// written in the place of the calls and the state does not change, so the fetches after it are read as if it were absent.

const FAULT_FILE = /^step-fault-.+\.json$/;
const decoder = new TextDecoder();

/** An error of a source's own code as the refusal of one fetch, so that it never blocks the source. */
export const toRefusal = (error: unknown): RefusedReply =>
  error instanceof RefusedReply
    ? error
    : new RefusedReply('parser-fault', error instanceof Error ? error.message : 'the parser failed');

/** What a step that threw leaves: the file that stands for its calls. */
export class StepFault {
  constructor(readonly files: FetchedFiles) {}
}

/** The result of `run`, a pure part of a source; its error as a fault of `part`, which names the region or the source. */
export function orFault<Made>(part: string, run: () => Made): Made | StepFault {
  try {
    return run();
  } catch (error) {
    const { reason, message } = toRefusal(error);
    const refusal: Refusal = { reason, detail: `${part}: ${message}` };
    return new StepFault(new Map([[`step-fault-${part}.json`, encoder.encode(JSON.stringify(refusal))]]));
  }
}

/** The faults of the steps over a fetch. */
export const faultsIn = (files: FetchedFiles): Refusal[] =>
  [...files]
    .filter(([name]) => FAULT_FILE.test(name))
    .map(([, bytes]) => JSON.parse(decoder.decode(bytes)) as Refusal);

/** Where steps write: outside the raw archive, from which it all can be rebuilt. */
export interface PositionSteps {
  readonly calls: RawArchive;
  readonly states: PositionStates;
}

/** Another process made a step of the source at the same time: the source is busy. */
export class StepConflict extends Error {
  override readonly name = 'StepConflict';
}

/** A stored state begins with the time of the fetch that it was made of, and a line end. */
const TIME_LENGTH = formatInstant(0).length;
const encoder = new TextEncoder();

const withTime = (fetchedAt: Instant, state: Uint8Array): Uint8Array =>
  Buffer.concat([encoder.encode(`${formatInstant(fetchedAt)}\n`), state]);

function readTime({ bytes }: StoredState): Instant | undefined {
  return parseInstant(new TextDecoder().decode(bytes.subarray(0, TIME_LENGTH)));
}

const contentOf = (stored: StoredState | undefined): Uint8Array | undefined => {
  const content = stored?.bytes.subarray(TIME_LENGTH + 1);
  return content?.length === 0 ? undefined : content;
};

const callsId = (id: string): string => `${id}.calls`;

/** Where the state before the last step is kept, until the next one. */
const beforeId = (id: string): string => `${id}.before`;

/**
 * Reads the calls of one poll; makes them, and any missing calls of polls since the last step. A poll that was not accepted leaves the
 * state as it was: `undo` restores it before the verdict is written, and a poll that has its verdict already is passed over. A process
 * that died before the verdict is repeated: it finds the calls, judges them again, and `undo` finds the state before the step.
 * @param isLeftOut whether an archived verdict is against the fetch
 */
export function createPollFiles(
  archive: RawArchive,
  { calls, states }: PositionSteps,
  isLeftOut: (source: string, fetchedAt: Instant) => Promise<boolean>,
) {
  /** Replaces a stored state with that of the fetch. */
  async function write(
    id: string,
    fetchedAt: Instant,
    state: Uint8Array,
    replaced: StoredState | undefined,
  ): Promise<void> {
    if (!(await states.write(id, withTime(fetchedAt, state), replaced?.version)))
      throw new StepConflict(`another process made the step of ${id} of ${formatInstant(fetchedAt)}`);
  }

  /** Makes one step and returns the calls of the fetch; an incomplete fetch counts as an empty one. */
  async function stepOver(source: PollSource, fetchedAt: Instant, before: StoredState | undefined) {
    const { id } = source.declaration;
    const state = contentOf(before);
    await write(beforeId(id), fetchedAt, state ?? new Uint8Array(), await states.read(beforeId(id)));
    const files = (await archive.read(id, fetchedAt)) ?? new Map<string, Uint8Array>();
    const step = orFault(id, () => source.step({ fetchedAt, files }, state));
    const made: PositionStep =
      step instanceof StepFault ? { calls: step.files, state: state ?? new Uint8Array() } : step;
    await calls.write(callsId(id), fetchedAt, made.calls);
    await write(id, fetchedAt, made.state, before);
    return made.calls;
  }

  async function madeCalls(id: string, fetchedAt: Instant): Promise<FetchedFiles | undefined> {
    const [found] = await calls.fetches(callsId(id), fetchedAt - 1, fetchedAt);
    return found === undefined ? undefined : calls.read(callsId(id), fetchedAt);
  }

  async function read(source: PollSource, fetchedAt: Instant): Promise<FetchedFiles | undefined> {
    const { id } = source.declaration;
    let state = await states.read(id);
    const stepAt = state && readTime(state);
    if (stepAt !== undefined && stepAt >= fetchedAt) {
      const made = await madeCalls(id, fetchedAt);
      if (made !== undefined) return made;
      throw new RefusedReply(
        'behind-state',
        `positions of ${formatInstant(fetchedAt)} came after those of ${formatInstant(stepAt)} had been read`,
      );
    }
    let made: FetchedFiles | undefined;
    for (const at of await archive.fetches(id, stepAt, fetchedAt)) {
      if (at < fetchedAt && (await isLeftOut(id, at)))
        await write(id, at, contentOf(state) ?? new Uint8Array(), state);
      else made = await stepOver(source, at, state);
      if (at < fetchedAt) state = await states.read(id);
    }
    return made;
  }

  return {
    read,
    async undo(id: string, fetchedAt: Instant): Promise<void> {
      const [stored, before] = await Promise.all([states.read(id), states.read(beforeId(id))]);
      const isOfFetch = (state: StoredState | undefined): boolean =>
        state !== undefined && readTime(state) === fetchedAt;
      if (isOfFetch(stored) && isOfFetch(before))
        await write(id, fetchedAt, contentOf(before) ?? new Uint8Array(), stored);
    },
  };
}
