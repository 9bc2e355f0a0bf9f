/**
 * Days of positions as call records, region by region. The state at the end of a day is made from the state
 * of the day before and the day's file, and is stored with the digests of both. A corrected or late file is
 * read in the place of its day, and so are the days after it, until the digest of a state is unchanged.
 */
import { createHash } from 'node:crypto';
import { DAY_MS, endOfDay, formatInstant, type Instant } from '../reference/time.ts';
import type { DaySteps, FetchedFiles, Source } from '../sources/source.ts';
import { ArchiveFailure, type RawArchive } from '../store/raw-archive.ts';
import { type Part, partsOf } from './partitions.ts';
import { orFault, StepFault } from './step-faults.ts';

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

function digestOf(files: FetchedFiles): string {
  const hash = createHash('sha256');
  for (const name of [...files.keys()].sort()) hash.update(`${name}\n`).update(files.get(name) ?? '');
  return hash.digest('hex');
}

function filesOf({ state, calls, ...head }: StoredDay): FetchedFiles {
  return new Map([[HEAD, encoder.encode(`${JSON.stringify(head)}\n`)], [STATE, state], ...calls]);
}

function storedDayOf(files: FetchedFiles): StoredDay {
  const head = JSON.parse(new TextDecoder().decode(files.get(HEAD)));
  const calls = new Map([...files].filter(([name]) => name !== HEAD && name !== STATE));
  return { ...head, state: files.get(STATE) ?? new Uint8Array(), calls };
}

/** The stored days and calls of one region. */
class RegionDays {
  private readonly daysId: string;
  private readonly callsId: string;

  constructor(
    private readonly archive: RawArchive,
    private readonly derived: RawArchive,
    private readonly id: string,
    private readonly days: DaySteps,
    private readonly region: Part,
  ) {
    this.daysId = `${id}.${region}.days`;
    this.callsId = `${id}.${region}.calls`;
  }

  /** The calls of the fetch at `fetchedAt`; makes them, and any missing calls of earlier fetches. */
  async callsOf(fetchedAt: Instant, files: FetchedFiles): Promise<FetchedFiles> {
    const made = new Set(await this.derived.fetches(this.callsId, undefined, fetchedAt));
    const fetches = await this.archive.fetches(this.id, undefined, fetchedAt);
    for (const [index, at] of fetches.entries())
      if (!made.has(at))
        await this.makeCalls(at, index, at === fetchedAt ? files : await this.archive.read(this.id, at));
    return (await this.derived.read(this.callsId, fetchedAt)) ?? new Map();
  }

  private async makeCalls(fetchedAt: Instant, index: number, files: FetchedFiles | undefined): Promise<void> {
    const calls = files === undefined ? new Map() : await this.stepsOf(fetchedAt, index, files);
    await this.derived.write(this.callsId, fetchedAt, calls);
  }

  private async stepsOf(fetchedAt: Instant, index: number, files: FetchedFiles): Promise<FetchedFiles> {
    const day = orFault(this.region, () => this.days.dayOf(files));
    if (day instanceof StepFault) return day.files;
    return day === undefined ? new Map() : this.rerun(endOfDay(day), fetchedAt, index, files);
  }

  private async dayAt(end: Instant): Promise<StoredDay | undefined> {
    const files = await this.derived.read(this.daysId, end);
    return files && storedDayOf(files);
  }

  /** Steps over the day that ends at `from`, and over the days after it as far as they change; stops at a step that throws. */
  private async rerun(
    from: Instant,
    fetchedAt: Instant,
    index: number,
    file: FetchedFiles,
  ): Promise<FetchedFiles> {
    const ends = await this.derived.fetches(this.daysId, undefined, Number.MAX_SAFE_INTEGER);
    const earlier = ends.filter((end) => end < from).at(-1);
    const later = ends.filter((end) => end > from);
    const asOfAt = later.at(-1) ?? from;
    // Several fetches may correct days before the same newest day: the records of the later fetch are newer.
    const recordedAt = asOfAt + Math.min(index, DAY_MS - 1);
    const calls = new Map<string, Uint8Array>();
    let before = earlier === undefined ? undefined : await this.dayAt(earlier);
    let [files, fileAt] = [file, fetchedAt];
    for (const end of [from, ...later]) {
      const stored = ends.includes(end) ? await this.dayAt(end) : undefined;
      if (end !== from && stored !== undefined) {
        fileAt = stored.fileAt;
        files = await this.fileOf(fileAt);
      }
      const input = digestOf(files);
      const beforeDigest = before?.after ?? '';
      const agrees = stored?.input === input && stored.before === beforeDigest;
      // Steps that this fetch made before the process died count, and the days after them follow.
      if (agrees && stored.madeAt !== fetchedAt) break;
      let day = stored;
      if (!agrees || day === undefined) {
        const ofDay = {
          region: this.region,
          files,
          before: before?.state,
          asOfAt,
          recordedAt,
          replaced: stored?.calls,
        };
        const made = orFault(this.region, () => this.days.step(ofDay));
        if (made instanceof StepFault) return new Map([...calls, ...made.files]);
        const digests = { input, before: beforeDigest, after: made.digest };
        day = { ...digests, fileAt, madeAt: fetchedAt, state: made.state, calls: made.calls };
        await this.derived.write(this.daysId, end, filesOf(day));
      }
      for (const [name, bytes] of day.calls) calls.set(name, bytes);
      before = day;
    }
    return calls;
  }

  private async fileOf(fetchedAt: Instant): Promise<FetchedFiles> {
    const files = await this.archive.read(this.id, fetchedAt);
    if (files === undefined)
      throw new ArchiveFailure(`the archive lacks the fetch of ${this.id} of ${formatInstant(fetchedAt)}`);
    return files;
  }
}

/** Reads one fetch of a source of days: its files and the calls of every region, or of one. */
export const createDayFiles =
  (archive: RawArchive, derived: RawArchive) =>
  async (
    { declaration }: Source,
    days: DaySteps,
    fetchedAt: Instant,
    part: Part | undefined,
  ): Promise<FetchedFiles | undefined> => {
    const files = await archive.read(declaration.id, fetchedAt);
    if (files === undefined) return undefined;
    const all = new Map(files);
    for (const region of part === undefined ? partsOf(declaration) : [part]) {
      const calls = await new RegionDays(archive, derived, declaration.id, days, region).callsOf(
        fetchedAt,
        files,
      );
      for (const [name, bytes] of calls) all.set(name, bytes);
    }
    return all;
  };
