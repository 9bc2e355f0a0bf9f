/** Archived fetches as reports. The last one is kept: whoever walks one partition after another reads it many times. */
import { formatInstant, type Instant } from '../reference/time.ts';
import { type ParsedFetch, RefusedReply, type Source } from '../sources/source.ts';
import type { RawArchive } from '../store/raw-archive.ts';

export interface ParsedReplies {
  /** Throws `RefusedReply` when nothing of the fetch can be used. */
  of(source: Source, fetchedAt: Instant): Promise<ParsedFetch>;
}

interface LastReply {
  readonly source: Source;
  readonly fetchedAt: Instant;
  readonly parsed: ParsedFetch | RefusedReply;
}

/** A parser that fails other than by refusing must not hold its source up for ever: the fetch stays archived. */
function parseSafely(
  source: Source,
  fetchedAt: Instant,
  files: ReadonlyMap<string, Uint8Array>,
): ParsedFetch | RefusedReply {
  try {
    return source.parse({ fetchedAt, files });
  } catch (error) {
    if (error instanceof RefusedReply) return error;
    return new RefusedReply('parser-fault', error instanceof Error ? error.message : 'the parser failed');
  }
}

export function createParsedReplies(archive: RawArchive): ParsedReplies {
  let last: LastReply | undefined;
  return {
    async of(source, fetchedAt) {
      if (last?.source !== source || last.fetchedAt !== fetchedAt) {
        const files = await archive.read(source.declaration.id, fetchedAt);
        if (files === undefined)
          throw new RefusedReply(
            'cut-off',
            `the writing of the fetch of ${formatInstant(fetchedAt)} was cut off`,
          );
        last = { source, fetchedAt, parsed: parseSafely(source, fetchedAt, files) };
      }
      const { parsed } = last;
      if (parsed instanceof RefusedReply) throw parsed;
      return parsed;
    },
  };
}
