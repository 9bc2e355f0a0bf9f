/** Notes that a fetch archives beside its replies: which span was requested, or which day file was cut. */
import { z } from 'zod';
import { formatInstant, type Interval, isDay, parseInstant } from '../../reference/time.ts';
import { type FetchedFiles, RefusedReply } from '../source.ts';

const encoded = (note: object): Uint8Array => new TextEncoder().encode(`${JSON.stringify(note)}\n`);

/** The note in `file`, undefined when there is none. Throws `RefusedReply` (`malformed`) when it lacks the shape. */
function noteIn<T>(files: FetchedFiles, file: string, shape: z.ZodType<T>): T | undefined {
  const bytes = files.get(file);
  if (bytes === undefined) return undefined;
  try {
    return shape.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    throw new RefusedReply('malformed', `${file} does not state what was fetched`);
  }
}

export const REQUEST_FILE = 'request.json';

const instant = z.string().transform(parseInstant).pipe(z.number());
const span = z
  .tuple([instant, instant])
  .transform(([fromAt, toAt]): Interval => ({ fromAt, toAt }))
  .refine(({ fromAt, toAt }) => fromAt < toAt);

/** The request of a fetch, for replies that do not state it themselves: its span is `[fromAt, toAt)`. */
const requestShape = z
  .object({
    from: instant,
    to: instant,
    /** Parts without a complete reply, by the source's own name for them; the cause may follow it. */
    unanswered: z.array(z.string().max(200)).max(1_000),
    /** Requested spans without data in otherwise complete replies. */
    missing: z.array(span).max(1_000).default([]),
  })
  .refine(({ from, to }) => from < to)
  .transform(({ from, to, ...parts }) => ({ fromAt: from, toAt: to, ...parts }));

export const writeRequestNote = (
  { fromAt, toAt }: Interval,
  unanswered: z.infer<typeof requestShape>['unanswered'],
): Uint8Array => encoded({ from: formatInstant(fromAt), to: formatInstant(toAt), unanswered });

/** The note among `files`, undefined when there is none. Throws `RefusedReply` (`malformed`) when it cannot be read. */
export const readRequestNote = (files: FetchedFiles) => noteIn(files, REQUEST_FILE, requestShape);

export const DAY_FILE = 'day.json';

const count = z.int().min(0);
const refusal = z.object({ reason: z.string(), detail: z.string() }).readonly();

const dayShape = z
  .object({
    /** UTC day of the file; absent where the publisher had nothing new. */
    day: z.string().refine(isDay).exactOptional(),
    /** Name of the file at the publisher, its version there, and SHA-256 of its bytes. */
    file: z.string().exactOptional(),
    version: z.string().exactOptional(),
    digest: z.string().exactOptional(),
    bytes: count.exactOptional(),
    /** Why the whole file is refused. */
    refused: refusal.exactOptional(),
    /** Rows that were left out, by reason. */
    refusals: z.array(refusal).readonly(),
    /** Vessel-hours received in the box of each port: vessels of any type, counted once an hour. */
    heard: z.record(z.string(), count).readonly(),
    /** ISO 8601: end of the newest day fetched before, where the fetch is of no newer one. */
    upTo: z.iso.datetime().exactOptional(),
    /** Versions of the files fetched so far, by day; a file listed with another version has been corrected. */
    taken: z.record(z.string(), z.string()).readonly(),
  })
  .readonly();

/** The day file of a fetch, or why it has none, and the files that were fetched before it. */
export type DayNote = z.infer<typeof dayShape>;

export const writeDayNote = (note: DayNote): Uint8Array => encoded(note);

/** The note among `files`, undefined when there is none. Throws `RefusedReply` (`malformed`) when it cannot be read. */
export const readDayNote = (files: FetchedFiles): DayNote | undefined => noteIn(files, DAY_FILE, dayShape);
