/** The note of what a fetch requested, archived beside its replies where they do not state it themselves. */
import { z } from 'zod';
import { formatInstant, type Instant, parseInstant } from '../reference/time.ts';
import { RefusedReply } from './source.ts';

export const REQUEST_FILE = 'request.json';

export interface RequestNote {
  /** The requested span `[fromAt, toAt)`. */
  readonly fromAt: Instant;
  readonly toAt: Instant;
  /** Parts without a complete reply, by the source's own name for them. */
  readonly unanswered: readonly string[];
}

const noteShape = z.object({
  from: z.string().transform(parseInstant),
  to: z.string().transform(parseInstant),
  unanswered: z.array(z.string().max(80)).max(1_000),
});

export function writeRequestNote({ fromAt, toAt, unanswered }: RequestNote): Uint8Array {
  const note = { from: formatInstant(fromAt), to: formatInstant(toAt), unanswered };
  return new TextEncoder().encode(`${JSON.stringify(note)}\n`);
}

/** The note among `files`, undefined when there is none. Throws `RefusedReply` (`malformed`) when it cannot be read. */
export function readRequestNote(files: ReadonlyMap<string, Uint8Array>): RequestNote | undefined {
  const bytes = files.get(REQUEST_FILE);
  if (bytes === undefined) return undefined;
  let note: unknown;
  try {
    note = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    note = undefined;
  }
  const { from, to, unanswered } = noteShape.safeParse(note).data ?? {};
  if (from === undefined || to === undefined || unanswered === undefined || from >= to) {
    throw new RefusedReply('malformed', `${REQUEST_FILE} does not state the request`);
  }
  return { fromAt: from, toAt: to, unanswered };
}
