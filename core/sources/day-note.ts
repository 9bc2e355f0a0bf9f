/** The note beside the cut of a day file: which file it was, what it held, and which files were taken before it. */
import { z } from 'zod';
import { type Day, isDay } from '../reference/time.ts';
import { type FetchedFiles, type Refusal, RefusedReply } from './source.ts';

export const NOTE_FILE = 'day.json';

const countShape = z.int().min(0);
const refusalShape = z.object({ reason: z.string(), detail: z.string() });
const dayShape = z.string().refine((text) => isDay(text));
const takenShape = z.record(z.string(), z.string());

const noteShape = z.object({
  /** UTC day of the file; absent where the publisher had nothing new. */
  day: dayShape.exactOptional(),
  /** Name of the file at the publisher, its version there, and SHA-256 of its bytes. */
  file: z.string().exactOptional(),
  version: z.string().exactOptional(),
  digest: z.string().exactOptional(),
  bytes: countShape.exactOptional(),
  /** Why nothing of the file is used. */
  refused: refusalShape.exactOptional(),
  /** Rows that were left out, by reason. */
  refusals: z.array(refusalShape),
  /** Vessel-hours heard in the box of each port: vessels of any type, counted once an hour. */
  heard: z.record(z.string(), countShape),
  /** ISO 8601: end of the newest day taken before, where the fetch is of no newer one. */
  upTo: z.iso.datetime().exactOptional(),
  /** Versions of the files taken so far, by day: one that is listed with another version has been corrected. */
  taken: takenShape,
});

export interface DayNote {
  readonly day?: Day;
  readonly file?: string;
  readonly version?: string;
  readonly digest?: string;
  readonly bytes?: number;
  readonly refused?: Refusal;
  readonly refusals: readonly Refusal[];
  readonly heard: Readonly<Record<string, number>>;
  readonly upTo?: string;
  readonly taken: Readonly<Record<Day, string>>;
}

export const writeNote = (note: DayNote): Uint8Array => new TextEncoder().encode(`${JSON.stringify(note)}\n`);

/** The note among `files`, undefined when there is none. Throws `RefusedReply` (`malformed`) when it cannot be read. */
export function readNote(files: FetchedFiles): DayNote | undefined {
  const bytes = files.get(NOTE_FILE);
  if (bytes === undefined) return undefined;
  let note: unknown;
  try {
    note = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    note = undefined;
  }
  const read = noteShape.safeParse(note);
  if (!read.success) throw new RefusedReply('malformed', `${NOTE_FILE} does not say what was fetched`);
  return read.data;
}
