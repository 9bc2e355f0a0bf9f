/**
 * Days of positions as call records, region by region. The state at the end of a day is made from the state
 * of the day before and the day's file, and is stored with the digests of both. A corrected or late file is
 * read in the place of its day, and so are the days after it, until the digest of a state is unchanged.
 */
import { createHash } from 'node:crypto';
import {
  DAY_MS,
  type Day,
  endOfDay,
  formatInstant,
  HOUR_MS,
  type Instant,
  SECOND_MS,
} from '../reference/time.ts';
import { ArchiveFailure, type RawArchive } from '../store/raw-archive.ts';
import type { DaySource, DaySteps, FetchedFiles, SourceDeclaration } from '../upstream/source.ts';
import { orFault, StepFault } from './position-steps.ts';

/** One day of one region as its last step left it. Stored under the end of the day. */
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
const encoder = new TextEncoder();

function digest(files: FetchedFiles): string {
  const hash = createHash('sha256');
  for (const name of [...files.keys()].sort()) hash.update(`${name}\n`).update(files.get(name) ?? '');
  return hash.digest('hex');
}

function listFiles({ state, calls, ...head }: StoredDay): FetchedFiles {
  return new Map([[HEAD, encoder.encode(`${JSON.stringify(head)}\n`)], [STATE, state], ...calls]);
}

function storedDay(files: FetchedFiles): StoredDay {
  const head = JSON.parse(new TextDecoder().decode(files.get(HEAD)));
  const calls = new Map([...files].filter(([name]) => name !== HEAD && name !== STATE));
  return { ...head, state: files.get(STATE) ?? new Uint8Array(), calls };
}

const FIRST_SPAN_MS = HOUR_MS;
const MAX_SPAN_MS = 2000 * DAY_MS;
const SPAN_FACTOR = 8;

/** The newest time of `id` up to `untilAt`. An archive lists forward only, so spans before it are listed, each longer than the last. */
async function newestUpTo(archive: RawArchive, id: string, untilAt: Instant): Promise<Instant | undefined> {
  for (let span = FIRST_SPAN_MS; span < MAX_SPAN_MS; span *= SPAN_FACTOR) {
    const newest = (await archive.fetches(id, untilAt - span, untilAt)).at(-1);
    if (newest !== undefined) return newest;
  }
  return (await archive.fetches(id, undefined, untilAt)).at(-1);
}

/**
 * Stamp of the records that a fetch makes: several fetches may correct days before the same newest day, and the records
 * of the later fetch are newer. A millisecond for each second since the end of that day, and less than a day in all.
 */
const timeStamp = (asOfAt: Instant, fetchedAt: Instant): Instant =>
  asOfAt + Math.min(Math.max(0, Math.floor((fetchedAt - asOfAt) / SECOND_MS)), DAY_MS - 1);

/** Makes and stores the days of one region, and reads the calls of a fetch from them. */
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

  /** Steps over the day that ends at `from`, and over the days after it as far as they change; stops at a step that throws. */
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

  /** The calls of the fetch at `fetchedAt`; makes them, and any missing calls of fetches since the last that has some. */
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
