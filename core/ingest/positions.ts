/**
 * Runs the steps that turn fetches of positions into calls. A step reads one fetch and the state before it, and archives its calls
 * before it replaces the state. A step that dies in between is repeated, and writes the same bytes.
 */
import { createHash } from 'node:crypto';
import {
  DAY_MS,
  type Day,
  endOfDay,
  formatInstant,
  HOUR_MS,
  type Instant,
  parseInstant,
  SECOND_MS,
} from '../reference/time.ts';
import {
  ArchiveFailure,
  type PositionStates,
  type RawArchive,
  type StoredState,
} from '../store/raw-archive.ts';
import {
  type DaySource,
  type DaySteps,
  type FetchedFiles,
  type PollSource,
  type PositionStep,
  type Refusal,
  RefusedReply,
  type SourceDeclaration,
} from '../upstream/source.ts';

// A step that throws costs its own fetch, as a parser that throws does: the fault is archived in place of the calls, and the state does
// not change, so later fetches are read as if this one were absent.

const FAULT_FILE = /^step-fault-.+\.json$/;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Makes an error of a source's own code the refusal of one fetch, so that it does not block the source. */
export const toRefusal = (error: unknown): RefusedReply =>
  error instanceof RefusedReply
    ? error
    : new RefusedReply('parser-fault', error instanceof Error ? error.message : 'the parser failed');

/** What a step that threw leaves: the file in place of its calls. */
export class StepFault {
  constructor(readonly files: FetchedFiles) {}
}

/** Returns the result of `run`, a pure part of a source, or its error as a fault of `part`, a region or the source. */
function orFault<Made>(part: string, run: () => Made): Made | StepFault {
  try {
    return run();
  } catch (error) {
    const { reason, message } = toRefusal(error);
    const refusal: Refusal = { reason, detail: `${part}: ${message}` };
    return new StepFault(new Map([[`step-fault-${part}.json`, encoder.encode(JSON.stringify(refusal))]]));
  }
}

/** Returns the faults of the steps over a fetch. */
export const faultsIn = (files: FetchedFiles): Refusal[] =>
  [...files]
    .filter(([name]) => FAULT_FILE.test(name))
    .map(([, bytes]) => JSON.parse(decoder.decode(bytes)) as Refusal);

/** Where steps write: outside the raw archive, from which all of it can be rebuilt. */
export interface PositionSteps {
  readonly calls: RawArchive;
  readonly states: PositionStates;
}

/** Another process made a step of the source at the same time. The source is busy. */
export class StepConflict extends Error {
  override readonly name = 'StepConflict';
}

/** A stored state begins with the time of its fetch and a line end. */
const TIME_LENGTH = formatInstant(0).length;

const withTime = (fetchedAt: Instant, state: Uint8Array): Uint8Array =>
  Buffer.concat([encoder.encode(`${formatInstant(fetchedAt)}\n`), state]);

function readTime({ bytes }: StoredState): Instant | undefined {
  return parseInstant(decoder.decode(bytes.subarray(0, TIME_LENGTH)));
}

const contentOf = (stored: StoredState | undefined): Uint8Array | undefined => {
  const content = stored?.bytes.subarray(TIME_LENGTH + 1);
  return content?.length === 0 ? undefined : content;
};

const callsId = (id: string): string => `${id}.calls`;

/** Where the state before the last step is kept until the next step. */
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

// Days of positions, region by region. The state at the end of a day is made from the state of the day before and the day's file, and
// is stored with the digests of both. A corrected or late file is read in place of its day, and the days after it are read again until
// the digest of a state is unchanged.

/** One day of one region as its last step left it, stored under the end of the day. */
interface StoredDay {
  /** Digests of the day's file, and of the states before and after it. */
  readonly input: string;
  readonly before: string;
  readonly after: string;
  /** The fetch that the file came with, and the one for which the step was made. */
  readonly fileAt: Instant;
  readonly madeAt: Instant;
  readonly state: Uint8Array;
  readonly calls: FetchedFiles;
}

const HEAD = 'day.json';
const STATE = 'state.gz';

function digest(files: FetchedFiles): string {
  const hash = createHash('sha256');
  for (const name of [...files.keys()].sort()) hash.update(`${name}\n`).update(files.get(name) ?? '');
  return hash.digest('hex');
}

function listFiles({ state, calls, ...head }: StoredDay): FetchedFiles {
  return new Map([[HEAD, encoder.encode(`${JSON.stringify(head)}\n`)], [STATE, state], ...calls]);
}

function storedDay(files: FetchedFiles): StoredDay {
  const head = JSON.parse(decoder.decode(files.get(HEAD)));
  const calls = new Map([...files].filter(([name]) => name !== HEAD && name !== STATE));
  return { ...head, state: files.get(STATE) ?? new Uint8Array(), calls };
}

const FIRST_SPAN_MS = HOUR_MS;
const MAX_SPAN_MS = 2000 * DAY_MS;
const SPAN_FACTOR = 8;

/** Returns the newest time of `id` up to `untilAt`. An archive lists forward only, so list ever longer spans before that time. */
async function newestUpTo(archive: RawArchive, id: string, untilAt: Instant): Promise<Instant | undefined> {
  for (let span = FIRST_SPAN_MS; span < MAX_SPAN_MS; span *= SPAN_FACTOR) {
    const newest = (await archive.fetches(id, untilAt - span, untilAt)).at(-1);
    if (newest !== undefined) return newest;
  }
  return (await archive.fetches(id, undefined, untilAt)).at(-1);
}

/**
 * Returns the stamp of the calls that a fetch makes. Several fetches may correct days before the same newest day, and the calls of the
 * later fetch must be newer: add a millisecond for each second since the end of that day, and less than a day in all.
 */
const timeStamp = (asOfAt: Instant, fetchedAt: Instant): Instant =>
  asOfAt + Math.min(Math.max(0, Math.floor((fetchedAt - asOfAt) / SECOND_MS)), DAY_MS - 1);

/** Makes and stores the days of one region. Returns the function that reads the calls of a fetch. */
function createRegionDays(
  archive: RawArchive,
  derived: RawArchive,
  id: string,
  days: DaySteps,
  region: string,
) {
  const [daysId, callsId] = [`${id}.${region}.days`, `${id}.${region}.calls`];

  const dayOf = (files: FetchedFiles): Day | undefined | StepFault =>
    orFault(region, () => days.dayOf(files));

  async function dayAt(end: Instant): Promise<StoredDay | undefined> {
    const files = await derived.read(daysId, end);
    return files && storedDay(files);
  }

  async function fileOf(fetchedAt: Instant): Promise<FetchedFiles> {
    const files = await archive.read(id, fetchedAt);
    if (files === undefined)
      throw new ArchiveFailure(`the archive lacks the fetch of ${id} of ${formatInstant(fetchedAt)}`);
    return files;
  }

  /** Steps over the day that ends at `from`, then over the days after it until one does not change or throws. */
  async function rerun(from: Instant, fetchedAt: Instant, file: FetchedFiles): Promise<FetchedFiles> {
    const earlier = await newestUpTo(derived, daysId, from - 1);
    const ends = await derived.fetches(daysId, from - 1, Number.MAX_SAFE_INTEGER);
    const later = ends.filter((end) => end > from);
    const asOfAt = later.at(-1) ?? from;
    const recordedAt = timeStamp(asOfAt, fetchedAt);
    const calls = new Map<string, Uint8Array>();
    let before = earlier === undefined ? undefined : await dayAt(earlier);
    let [files, fileAt] = [file, fetchedAt];
    for (const end of [from, ...later]) {
      const stored = ends.includes(end) ? await dayAt(end) : undefined;
      if (end !== from && stored !== undefined) {
        fileAt = stored.fileAt;
        files = await fileOf(fileAt);
      }
      const input = digest(files);
      const beforeDigest = before?.after ?? '';
      const agrees = stored?.input === input && stored.before === beforeDigest;
      // Steps that this fetch made before the process died count, and the days after them follow.
      if (agrees && stored.madeAt !== fetchedAt) break;
      let day = stored;
      if (!agrees || day === undefined) {
        const dayInput = {
          region,
          files,
          before: before?.state,
          asOfAt,
          recordedAt,
          replaced: stored?.calls,
        };
        const made = orFault(region, () => days.step(dayInput));
        if (made instanceof StepFault) return new Map([...calls, ...made.files]);
        const digests = { input, before: beforeDigest, after: made.digest };
        day = { ...digests, fileAt, madeAt: fetchedAt, state: made.state, calls: made.calls };
        await derived.write(daysId, end, listFiles(day));
      }
      for (const [name, bytes] of day.calls) calls.set(name, bytes);
      before = day;
    }
    return calls;
  }

  async function makeCalls(fetchedAt: Instant, files: FetchedFiles | undefined): Promise<FetchedFiles> {
    const day = files && dayOf(files);
    if (files === undefined || day === undefined) return new Map();
    const calls = day instanceof StepFault ? day.files : await rerun(endOfDay(day), fetchedAt, files);
    await derived.write(callsId, fetchedAt, calls);
    return calls;
  }

  /** Returns the calls of the fetch at `fetchedAt`. Makes them, and those missing of earlier fetches. */
  return async (fetchedAt: Instant, files: FetchedFiles): Promise<FetchedFiles> => {
    // Most fetches have no day, and their calls are not stored.
    if (dayOf(files) === undefined) return new Map();
    const madeAt = await newestUpTo(derived, callsId, fetchedAt);
    if (madeAt === fetchedAt) return (await derived.read(callsId, fetchedAt)) ?? new Map();
    let calls: FetchedFiles = new Map();
    for (const at of await archive.fetches(id, madeAt, fetchedAt))
      calls = await makeCalls(at, at === fetchedAt ? files : await archive.read(id, at));
    return calls;
  };
}

export const regionsOf = ({ regions = {} }: SourceDeclaration): readonly string[] => Object.keys(regions);

/** Reads one fetch of a source of days: its files and the calls of every region. */
export const createDayFiles =
  (archive: RawArchive, derived: RawArchive) =>
  async ({ declaration, days }: DaySource, fetchedAt: Instant): Promise<FetchedFiles | undefined> => {
    const files = await archive.read(declaration.id, fetchedAt);
    if (files === undefined) return undefined;
    const all = new Map(files);
    for (const region of regionsOf(declaration)) {
      const callsOf = createRegionDays(archive, derived, declaration.id, days, region);
      const calls = await callsOf(fetchedAt, files);
      for (const [name, bytes] of calls) all.set(name, bytes);
    }
    return all;
  };
